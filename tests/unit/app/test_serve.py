"""The service behind its port: found by the file it leaves, gone when it is gone."""

import json
import os
import socket
import stat

import pytest

from homesteward.app.serve import PortTakenError, _announced, _listening, _url


def test_where_it_is_stands_in_a_file_for_this_account_alone(house):
    file = house.settings.data / "service.json"
    with _announced(house, "http://127.0.0.1:1"):
        assert json.loads(file.read_text()) == {"url": "http://127.0.0.1:1", "token": house.token, "pid": os.getpid()}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()


def test_a_port_in_use_is_said_before_anything_is_announced():
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(PortTakenError) as caught,
        _listening("127.0.0.1", taken.getsockname()[1]),
    ):
        pass
    assert "web.port" in caught.value.next


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8126"),
        ("0.0.0.0", "http://127.0.0.1:8126"),
        ("::", "http://[::1]:8126"),
        ("::1", "http://[::1]:8126"),
        ("house.local", "http://house.local:8126"),
    ],
)
def test_the_address_that_is_written_down_can_be_asked(host, url):
    assert _url(host, 8126) == url
