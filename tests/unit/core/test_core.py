"""Names compared as people mean them, secrets kept out of every text, ids that sort by age."""

import logging
import unicodedata
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core.ids import born, new_id
from homesteward.core.redaction import MIN_PREFIX, PLACEHOLDER, RedactingFilter, Redactor
from homesteward.core.text import fold, forms, neighbours


def test_ids_sort_by_the_time_they_were_made():
    ids = [new_id("plan") for _ in range(100)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 100


def test_an_id_says_when_it_was_made_and_any_other_text_says_nothing():
    before = datetime.now(UTC) - timedelta(seconds=1)
    assert before < born(new_id("plan")) < before + timedelta(minutes=1)
    assert [born(text) for text in ("", "plan_none", "a" * 32, str(uuid4()))] == [None] * 4


@pytest.mark.parametrize(
    "query", [unicodedata.normalize("NFD", "Büro Decke"), "BÜRO DECKE", "buero decke", "Buro  Decke"]
)
def test_a_name_is_found_over_case_accents_and_unicode_forms(query):
    """E56: the two sides used different Unicode forms."""
    assert forms(query) & forms("Büro Decke")


@pytest.mark.parametrize(
    ("one", "other"), [("Straße", "STRASSE"), ("Кухня", "кухня"), ("kitchen_light", "Kitchen Light")]
)
def test_folding_knows_sharp_s_cyrillic_and_underscores(one, other):
    assert forms(one) & forms(other)


def test_different_names_stay_different():
    assert fold("Lamp 1") != fold("Lamp 2")


def test_neighbours_are_the_nearest_first_and_nothing_far():
    assert neighbours("light.longue", ["light.lounge", "light.long", "lock.front_door"])[0] == "light.lounge"
    assert neighbours("zzz", ["light.lounge"]) == ()


SECRETS = ["eyJfake.token.value", "sk-fake-key", "/private_fakepath", "k" * 300]


@given(st.sampled_from(SECRETS), st.integers(min_value=MIN_PREFIX), st.text(max_size=20), st.text(max_size=20))
def test_no_secret_and_no_long_prefix_of_one_survives(secret, cut, before, after):
    """E49: whole or as a prefix of eight or more characters."""
    redactor = Redactor()
    for each in SECRETS:
        redactor.add(each)
    shown = redactor.clean(f"{before}{secret[:cut]}{after}")
    assert secret[:MIN_PREFIX] not in shown or secret[:MIN_PREFIX] in before + after
    assert PLACEHOLDER in shown


@given(
    st.permutations(
        [
            "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJh.one",
            "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJi.two",
            "sk-live-alpha",
            "sk-live-beta",
        ]
    )
)
def test_secrets_that_begin_alike_leave_nothing_of_each_other(secrets):
    """Two web tokens share their first part: cutting one out by it must not leave the tail of the other."""
    one, other = Redactor(), Redactor()
    one.add(secrets[0])
    other.add(secrets[1])
    shown = other.clean(one.clean(f"a {secrets[1]} b {secrets[0]}, {secrets[1][:-2]}"))
    assert not [secret for secret in secrets[:2] if secret[MIN_PREFIX:] in shown or secret[-5:] in shown]


def test_a_short_secret_goes_whole_and_only_as_a_word():
    redactor = Redactor()
    redactor.add("1234")
    assert redactor.clean("code 1234, room 12345") == f"code {PLACEHOLDER}, room 12345"


def test_an_unknown_web_token_is_recognised_by_its_shape():
    assert "eyJ" not in Redactor().clean("auth eyJhbGciOi.eyJpc3MiOi.c2lnbg failed")


def test_a_log_line_is_clean_with_its_arguments_and_its_traceback(caplog):
    """E49: a token was written to the log in plain text inside an "invalid command" line."""
    redactor = Redactor()
    redactor.add("sk-fake-key")
    log = logging.getLogger("redaction-test")
    log.addFilter(RedactingFilter(redactor))
    with caplog.at_level(logging.DEBUG, logger="redaction-test"):
        log.debug("frame %s", {"access_token": "sk-fake-key"})
        try:
            raise ValueError("bad key sk-fake-key")  # noqa: TRY301 - the traceback is what is tested
        except ValueError:
            log.exception("failed")
    assert "sk-fake" not in caplog.text
    assert PLACEHOLDER in caplog.text


@pytest.mark.parametrize("many", [10, 5000])
@pytest.mark.parametrize(
    "slip", [lambda name: name.replace("ceiling", "celing"), lambda name: name[:-1], lambda name: name + "s"]
)
def test_a_slip_is_put_right_among_few_and_among_thousands_of_names(many, slip):
    rooms, things = ("kitchen", "bedroom", "study", "hall"), ("ceiling_light", "ceiling_fan", "floor_lamp", "outlet")
    names = [f"light.{rooms[n % 4]}_{things[n // 4 % 4]}_{n}" for n in range(many)] + ["light.attic_ceiling_light"]
    assert neighbours(slip("light.attic_ceiling_light"), names)[0] == "light.attic_ceiling_light"


@given(st.lists(st.text("abcde_", min_size=4, max_size=12), min_size=60, max_size=120, unique=True), st.data())
def test_the_name_that_is_nearest_by_far_is_found_whatever_else_there_is(names, data):
    """One letter of a long name is left out; no other name is of these letters."""
    long = "vwxyz" * 4
    gone = data.draw(st.integers(0, len(long) - 1))
    assert neighbours(long[:gone] + long[gone + 1 :], [*names, long]) == (long,)
