"""No secret gets into a record: whatever its field is called, however deep it lies, and in whatever address it hides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.redaction import MAX_DEPTH, Redaction
from homesteward.core import json
from homesteward.core.redaction import PLACEHOLDER, Redactor

SECRET = "hunter2-4711"

NAMES = [
    "code", "CODE", "pin", "pin_code", "PIN", "usercode", "user_code", "userCode", "password", "wifi_password", "wifiPassword", "passwd",
    "passphrase", "passcode", "token", "access_token", "accessToken", "api_key", "apikey", "api-key", "key", "secret", "client_secret",
    "clientSecret", "credentials", "authorization", "Authorization", "auth", "psk", "otp", "cookie", "codes", "master_code", "code1",
    "pwd", "private_key", "x-auth-key", "session", "sid",
    "pincode", "PINCODE", "PINCode", "doorcode", "lockcode", "keycode", "doorCodes", "alarm.code", "pincode2", "pass", "user_pass",
    "userPass", "userpass", "PASS", "puk", "sim_puk", "simPuk", "cvv", "CVV", "cvc", "card-cvv", "userPIN", "newpin", "wifikey", "wpa_psk",
    "secretCode", "accesstoken", "code/front", "keys",
]  # fmt: skip
HARMLESS = [
    "brightness",
    "message",
    "entity_id",
    "code_slot",
    "country_code",
    "keypad",
    "monkey",
    "passage",
    "spin",
    "pinned",
    "encode",
    "author",
    "postcode",
    "post_code",
    "zip",
    "zipcode",
    "zip_code",
    "barcode",
    "countryCode",
    "bypass",
    "compass",
    "opinion",
    "passenger",
    "codec",
    "monkeys",
    "keyboard",
    "keypad_mode",
    "unicode",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_field_that_holds_a_secret_keeps_its_name_alone(name):
    assert Redaction().clean({name: SECRET, "x": 1}) == {name: PLACEHOLDER, "x": 1}
    assert Redaction().clean({"list": [{name: {"deep": SECRET}}]}) == {"list": [{name: PLACEHOLDER}]}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_secret_stays(name):
    assert Redaction().clean({name: "kitchen", "number": 1.5}) == {name: "kitchen", "number": 1.5}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("rtsp://admin:hunter2-4711@10.0.0.2:554/live", f"rtsp://{PLACEHOLDER}@10.0.0.2:554/live"),
        ("http://hunter2-4711@cam/x", f"http://{PLACEHOLDER}@cam/x"),
        ("http://cam/x?token=hunter2-4711&size=2", f"http://cam/x?token={PLACEHOLDER}&size=2"),
        ("http://cam/x?size=2&api%5Fkey=hunter2-4711#top", f"http://cam/x?size=2&api%5Fkey={PLACEHOLDER}#top"),
        ("/api/camera_proxy/camera.door?authSig=hunter2-4711", f"/api/camera_proxy/camera.door?authSig={PLACEHOLDER}"),
        ("Bearer hunter2-4711", f"Bearer {PLACEHOLDER}"),
        ("eyJhbGciOiJIUzI1NiJ9.hunter2-4711.x", PLACEHOLDER),
        ("see http://home/lovelace?edit=1", "see http://home/lovelace?edit=1"),
        ("mail to anna@example.org", "mail to anna@example.org"),
    ],
)
def test_credentials_in_texts_go_and_the_rest_stays(text, clean):
    assert Redaction().clean({"url": text}) == {"url": clean}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ('{"code":"1234"}', f'{{"code":"{PLACEHOLDER}"}}'),
        ('[{"user": 1, "pin": 1234}]', f'[{{"user":1,"pin":"{PLACEHOLDER}"}}]'),
        (' {"a": {"b": "{\\"pincode\\": \\"1234\\"}"}}', f'{{"a":{{"b":"{{\\"pincode\\":\\"{PLACEHOLDER}\\"}}"}}}}'),
        ("{'code': '1234', 'on': True}", f"{{'code': '{PLACEHOLDER}', 'on': True}}"),
        ('set {"code": 1234} now', f'set {{"code": "{PLACEHOLDER}"}} now'),
        ('{"user": "x", "code": "12', f'{{"user": "x", "code": "{PLACEHOLDER}"'),
        ("user=x&pin=1234", f"user=x&pin={PLACEHOLDER}"),
        ("pin=1234 on", f"pin={PLACEHOLDER} on"),
        ('{"brightness": 12, "name": "x"}', '{"brightness": 12, "name": "x"}'),
        ("12", "12"),
        ("{{ states('light.kitchen') }}", "{{ states('light.kitchen') }}"),
    ],
)
def test_a_text_that_holds_fields_is_looked_into(text, clean):
    assert Redaction().clean({"payload": text}) == {"payload": clean}


@pytest.mark.parametrize("text", ["hunter2-47", "x hunter2-47", "hunter2-47!"])
def test_a_known_secret_goes_from_a_short_text_too(text):
    redactor = Redactor()
    redactor.add("hunter2-47")
    assert "hunter2-47" not in Redaction((), redactor).text(text)


def test_what_the_owner_names_goes_too_at_any_depth():
    redaction = Redaction(("Message", "title"))
    assert redaction.clean({"message": "come home", "data": [{"TITLE": "x", "tag": "y"}]}) == {
        "message": PLACEHOLDER,
        "data": [{"TITLE": PLACEHOLDER, "tag": "y"}],
    }
    assert Redaction().clean({"message": "come home"}) == {"message": "come home"}


def test_a_secret_that_is_known_goes_wherever_it_stands():
    redactor = Redactor()
    redactor.add(SECRET)
    assert SECRET not in str(Redaction((), redactor).clean({"note": f"it is {SECRET}.", SECRET: 1}))


def test_a_field_may_be_secret_this_once():
    assert Redaction().clean({"value": "x"}, also={"value"}) == {"value": PLACEHOLDER}


def test_what_lies_too_deep_is_not_kept():
    nest: dict = {"message": "bottom"}
    for _ in range(MAX_DEPTH + 5):
        nest = {"in": [nest]}
    assert "bottom" not in str(Redaction().clean(nest))


BRANCH = st.recursive(
    st.just(SECRET) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "data", "entities"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.sampled_from(["code", "codes", "pin", "pass", "puk", "key", "token", "secret", "cvv"]),
    st.sampled_from(["door", "lock", "user", "new", "sim", "my", "x"]),
    st.sampled_from(["{0}_{1}", "{0}{1}", "{1}", "{0}-{1}", "{0}.{1}", "{1}_{0}", "{0} {1}", "{1}{2}"]),
    st.sampled_from([str.lower, str.upper, str.title]),
    st.integers(0, 3),
)
def test_a_name_with_a_secret_word_in_it_is_secret_however_it_is_spelled(word, before, form, spelled, wrapped):
    name = spelled(form.format(before, word, 7))
    value: object = {name: SECRET}
    for _ in range(wrapped):  # as a payload in a payload
        value = {"payload": json.dumps(value)}
    assert SECRET not in str(Redaction().clean({"data": value}))


@given(st.sampled_from(NAMES), BRANCH, st.lists(st.sampled_from(["data", "a", "0"]), max_size=6))
def test_nothing_of_a_secret_field_is_left_wherever_it_lies(name, value, path):
    data: dict = {name: value}
    for step in path:
        data = {step: [data] if step == "0" else data}
    assert SECRET not in str(Redaction().clean(data))
