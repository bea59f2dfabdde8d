"""How a request sees the service: only what is trusted is believed, and no page elsewhere gets in under a name of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.faces.web.address import Addresses, UnknownHostError
from homesteward.settings.settings import WebSettings

SUPERVISOR = "172.30.32.2"
INGRESS = "/api/hassio_ingress/abc-123"


def scope(peer="192.168.1.7", host="localhost:8126", server="192.168.1.5", **headers):
    given = {"host": host} | {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "type": "http",
        "scheme": "http",
        "client": (peer, 50000),
        "server": (server, 8126),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }


def seen(settings=None, **request):
    return Addresses(settings or WebSettings()).seen(scope(**request))


def test_a_browser_is_answered_under_the_name_it_used_with_the_port_it_used():
    assert seen(host="LocalHost:9000").base == "http://localhost:9000/"
    assert seen(host="127.0.0.1:80").base == "http://127.0.0.1/"


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "192.168.1.6", "", "evil@localhost", "[::2]"]
)
def test_a_name_that_is_not_ours_is_refused(host):
    with pytest.raises(UnknownHostError):
        seen(host=host)


def test_the_address_that_means_every_address_is_nobodys_name():
    with pytest.raises(UnknownHostError):
        seen(WebSettings(host="0.0.0.0"), host="0.0.0.0:8126")


def test_the_machines_own_address_and_the_names_that_are_set_up_are_ours():
    assert seen(host="192.168.1.5:8126").host == "192.168.1.5:8126"
    assert seen(WebSettings(hosts=("Home.example",)), host="home.example").host == "home.example"


@pytest.mark.parametrize("peer", ["192.168.1.7", "127.0.0.1", "172.30.32.3", ""])
@pytest.mark.parametrize("on", [True, False])
def test_an_ingress_header_from_anywhere_but_the_supervisor_means_nothing(peer, on):
    found = seen(WebSettings(ingress=on), peer=peer, x_ingress_path=INGRESS, x_remote_user_id="u")
    assert (found.ingress, found.prefix, found.peer) == (False, "", peer)


def test_an_ingress_header_means_nothing_where_this_is_no_addon():
    assert not seen(WebSettings(), peer=SUPERVISOR, x_ingress_path=INGRESS).ingress


def test_behind_ingress_the_browser_sees_home_assistants_address_and_the_path_given():
    found = seen(
        WebSettings(ingress=True), peer=SUPERVISOR, host="homeassistant.local:8123", x_ingress_path=INGRESS,
        x_forwarded_host="homeassistant.local:8123", x_forwarded_proto="https", x_forwarded_for="6.6.6.6, 192.168.1.9",
    )  # fmt: skip
    assert found.ingress
    assert found.base == f"https://homeassistant.local:8123{INGRESS}/"
    assert found.peer == "192.168.1.9"


@pytest.mark.parametrize(
    "path", ["//evil.example", "https://evil.example", "/a/../b", "/a;path=/", "/a b", "/" + "a" * 300]
)
def test_a_prefix_that_is_no_plain_path_is_left_out(path):
    assert seen(WebSettings(ingress=True), peer=SUPERVISOR, x_ingress_path=path).prefix == ""


def test_a_proxy_is_believed_only_where_it_is_set_up():
    forwarded = {"x_forwarded_proto": "https", "x_forwarded_host": "home.example", "x_forwarded_prefix": "/steward"}
    settings = WebSettings(proxies=("192.168.1.7",), hosts=("home.example",))
    assert seen(settings, **forwarded).base == "https://home.example/steward/"
    assert seen(**forwarded).base == "http://localhost:8126/"


HEADERS = st.dictionaries(
    st.sampled_from([
        "x_ingress_path", "x_forwarded_for", "x_forwarded_host", "x_forwarded_proto", "x_forwarded_prefix", "x_remote_user_id", "x_real_ip",
    ]),
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=40),
)  # fmt: skip


@given(HEADERS)
def test_nothing_that_a_stranger_sends_changes_how_they_see_us(headers):
    settings = WebSettings(ingress=True, proxies=("192.168.1.2",))
    assert seen(settings, **headers) == seen(settings)


@given(HEADERS)
def test_whatever_is_passed_on_a_prefix_is_a_plain_path(headers):
    given = headers | {"x_ingress_path": headers.get("x_ingress_path", "")}
    try:
        found = seen(WebSettings(ingress=True), peer=SUPERVISOR, **given)
    except UnknownHostError:  # what is passed on as the host is none
        return
    assert found.prefix == "" or (found.prefix.startswith("/") and not found.prefix.startswith("//"))
    assert not set(found.prefix) & set(' ;,\\"?#%')


def test_a_proxy_on_this_machine_makes_nobody_local():
    assert seen(peer="127.0.0.1").local
    assert seen(peer="::1").local
    assert not seen(peer="127.0.0.1", x_forwarded_for="6.6.6.6").local
    assert not seen(peer="192.168.1.7").local
