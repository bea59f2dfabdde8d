"""Which names of fields say that a secret is in them, and which only look so."""

import pytest

from homesteward.actions.codes import is_code_field, without_codes
from homesteward.chronicle.redaction import Redaction
from homesteward.core.redaction import PLACEHOLDER
from homesteward.core.secret_names import says_secret
from homesteward.home.calls import ResolvedCall
from homesteward.kernel.events import without_secrets

SECRET = [
    "code",
    "pin",
    "newPin",
    "PIN2",
    "password",
    "passwd",
    "passphrase",
    "pass",
    "passcode",
    "token",
    "api_key",
    "key",
    "secret",
    "otp",
    "puk",
    "credential",
    "credential_data",
    "alarmpin",
    "lockpin",
    "usercode",
    "user_code",
    "usercodes",
    "alarm_code",
    "doorcode",
    "pin_code",
    "new_user_codes",
    "lockCodeValue",
    "accesscode",
    "psk",
]
HARMLESS = [
    "code_slot",
    "user_code_slot",
    "code_format",
    "code_arm_required",
    "country_code",
    "postal_code",
    "error_code",
    "language_code",
    "status_code",
    "zip_code",
    "spin",
    "bypass",
    "monkey",
    "brightness",
    "entity_id",
    "transition",
    "input_tokens",
    "output_tokens",
    "translation_key",
    "postcode",
]


@pytest.mark.parametrize("name", SECRET)
def test_what_holds_a_secret_is_known_by_its_name_wherever_it_is_looked_at(name):
    assert (says_secret(name), is_code_field(name), Redaction().secret(name)) == (True, True, True)
    assert without_secrets({"data": [{name: "4711"}]}) == {"data": [{name: PLACEHOLDER}]}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_like_it_is_left_alone_wherever_it_is_looked_at(name):
    assert (says_secret(name), is_code_field(name), Redaction().secret(name)) == (False, False, False)
    assert without_secrets({name: "4711"}) == {name: "4711"}


@pytest.mark.parametrize(
    ("service", "field"),
    [
        ("matter.set_lock_credential", "credential_data"),
        ("zwave_js.set_credential", "credential_data"),
        ("zwave_js.set_lock_usercode", "usercode"),
    ],
)
def test_the_pin_of_a_door_is_not_stored(service, field):
    domain, name = service.split(".")
    stored = without_codes(ResolvedCall(domain, name, ("lock.front_door",), {"code_slot": 3, field: "4711"}))
    assert stored.data == {"code_slot": 3, field: "secret:lock.front_door"}


def test_whether_there_is_a_code_is_no_secret():
    assert without_secrets({"code": None, "pin": True}) == {"code": None, "pin": True}
