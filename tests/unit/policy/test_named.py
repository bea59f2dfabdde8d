"""A camera's picture that a message carries is found however its address is written."""

from urllib.parse import quote

import pytest

from homesteward.home.calls import ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Kind
from homesteward.policy.impact import judge

PATH = "/api/camera_proxy/camera.doorbell"
LETTERS = "".join(f"%{ord(letter):02x}" for letter in "camera.doorbell")


def kind(message: str) -> Kind:
    home = SimulatedHome.build([Thing("camera.doorbell")])
    return judge(ResolvedCall("notify", "phone", data={"message": "look", "data": {"image": message}}), None, home).kind


@pytest.mark.parametrize(
    "address",
    [
        "/api/camera_proxy/camera%2Edoorbell",
        "/api/camera_proxy/%63amera.doorbell",
        f"/api/camera_proxy/{LETTERS}",
        f"/api/camera_proxy/{quote(quote(LETTERS))}",
        "/api/camera_proxy/camera&#46;doorbell",
        f"{PATH}#x",
        f"{PATH}?width=1#x",
        f"![look]({PATH})",
        f"<img src='{PATH}'>",
        f"![look](http://ha.local{PATH}?token=1) and more",
        "/API/CAMERA_PROXY/CAMERA.DOORBELL",
        "media-source://camera/camera%2Edoorbell",
        "{{ state_attr('camera.doorbell', 'entity_picture') }}",
        "/api/camera_proxy/{{ which }}",
    ],
)
def test_a_picture_goes_nowhere_by_another_way_of_writing_its_address(address):
    assert kind(address) is Kind.SENSITIVE


@pytest.mark.parametrize(
    "text", ["the camera.doorbell saw somebody", "50% of camera pictures", "/local/cat.png", "a & b."]
)
def test_a_message_that_speaks_of_a_camera_is_a_message(text):
    assert kind(text) is Kind.ROUTINE
