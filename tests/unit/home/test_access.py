"""How a home is reached: at its address, or through the Supervisor; and whom its certificate must be from."""

import ssl
from pathlib import Path

import pytest

from homesteward.core import HomestewardError
from homesteward.home.access import access_of
from homesteward.home.connection import socket_url
from homesteward.settings.settings import HomeAssistantKind, HomeAssistantSettings

ADDON = {"SUPERVISOR_TOKEN": "given-by-the-supervisor"}
HOUSE = "http://house.test:8123"


@pytest.mark.parametrize(
    ("kind", "url", "environ", "socket", "rest"),
    [
        ("auto", HOUSE + "/", {}, "ws://house.test:8123/api/websocket", HOUSE + "/api"),
        ("auto", HOUSE, ADDON, "ws://house.test:8123/api/websocket", HOUSE + "/api"),
        ("auto", "", ADDON, "ws://supervisor/core/websocket", "http://supervisor/core/api"),
        ("supervisor", HOUSE, ADDON, "ws://supervisor/core/websocket", "http://supervisor/core/api"),
        ("direct", HOUSE, ADDON, "ws://house.test:8123/api/websocket", HOUSE + "/api"),
    ],
)
def test_socket_and_rest_are_at_the_same_place(kind, url, environ, socket, rest):
    access = access_of(HomeAssistantSettings(kind=HomeAssistantKind(kind), url=url, token="own-token"), environ)
    assert (socket_url(access.socket), access.rest) == (socket, rest)
    assert access.token == ("given-by-the-supervisor" if "supervisor" in socket else "own-token")
    assert "token" not in repr(access)


def test_a_certificate_is_checked_unless_it_is_said_not_to():
    assert access_of(HomeAssistantSettings(url=HOUSE), {}).tls is True
    assert access_of(HomeAssistantSettings(url=HOUSE, verify_tls=False), {}).tls is False


def test_a_named_certificate_is_trusted_and_one_that_cannot_be_read_is_said(tmp_path: Path):
    bad = tmp_path / "ca.pem"
    with pytest.raises(HomestewardError) as told:
        access_of(HomeAssistantSettings(url=HOUSE, ca_file=bad), {})
    assert (told.value.code, "ca.pem" in told.value.message) == ("bad_settings", True)
    bad.write_text("not a certificate")
    with pytest.raises(HomestewardError):
        access_of(HomeAssistantSettings(url=HOUSE, ca_file=bad), {})
    pem = Path(__file__).parent.parent.parent / "hass" / "tls" / "localhost.pem"
    assert isinstance(access_of(HomeAssistantSettings(url=HOUSE, ca_file=pem), {}).tls, ssl.SSLContext)
