"""Secrets are sealed where they lie, opened only with their key, and seen nowhere else."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text, update

from homesteward.core.redaction import RedactingFilter
from homesteward.store import KeyRing, Secrets, StoreKey
from homesteward.store.key import KeyLostError
from homesteward.store.secrets import BadSecretError, SecretMissingError
from homesteward.store.tables import secrets as rows


async def test_what_was_put_is_got_back_and_replaced(secrets):
    await secrets.put("alarm_control_panel.house", "1234")
    await secrets.put("alarm_control_panel.house", "5678 ü")

    assert await secrets.get("alarm_control_panel.house") == "5678 ü"
    assert await secrets.names() == ("alarm_control_panel.house",)


async def test_a_reference_is_resolved(secrets):
    await secrets.put("lock.front", "1234")

    assert await secrets.resolve("secret:lock.front") == "1234"


@pytest.mark.parametrize("reference", ["lock.front", "Secret:lock.front", ""])
async def test_what_is_no_reference_is_refused_without_repeating_it(secrets, reference):
    with pytest.raises(BadSecretError, match="no reference"):
        await secrets.resolve(reference)


async def test_a_secret_that_is_not_there_is_told_by_its_name(secrets):
    with pytest.raises(SecretMissingError, match=r"lock\.back") as caught:
        await secrets.resolve("secret:lock.back")

    assert (caught.value.code, caught.value.retry) == ("secret_missing", False)


async def test_a_secret_is_gone_once_deleted(secrets):
    await secrets.put("lock.front", "1234")

    assert [await secrets.delete("lock.front"), await secrets.delete("lock.front")] == [True, False]
    assert await secrets.names() == ()


async def test_a_secret_of_one_home_is_none_of_another(secrets, database, keys, clock):
    await secrets.put("lock.front", "1234")
    other = Secrets(database, "other", keys, clock)

    assert await other.names() == ()
    with pytest.raises(SecretMissingError):
        await other.get("lock.front")


@given(value=st.text(min_size=1).filter(lambda text: text.isprintable()))
async def test_any_text_comes_back_as_it_was(secrets, value):
    await secrets.put("any", value)

    assert await secrets.get("any") == value


@pytest.mark.parametrize(
    ("name", "value"), [("", "x"), (" ", "x"), ("n" * 201, "x"), ("~audit.1", "x"), ("n", ""), ("n", "x" * 65_537)]
)
async def test_names_and_values_have_bounds(secrets, name, value):
    with pytest.raises(BadSecretError):
        await secrets.put(name, value)


async def test_nothing_of_a_secret_is_in_the_database_in_a_repr_or_in_an_error(secrets, database, caplog):
    caplog.set_level(logging.DEBUG)
    await secrets.put("mqtt", "swordfish")
    await secrets.get("mqtt")
    stored = await database.read(lambda c: c.execute(text("SELECT * FROM secrets")).all())
    with pytest.raises(BadSecretError) as refused:
        await secrets.put("", "swordfish")

    assert "swordfish" not in f"{stored} {secrets!r} {refused.value!r} {refused.value.next} {caplog.text}"


async def test_equal_secrets_do_not_look_alike(secrets, database):
    await secrets.put("one", "1234")
    await secrets.put("two", "1234")

    one, two = await database.read(lambda c: c.execute(select(rows.c.sealed)).scalars().all())
    assert one != two


async def test_what_was_taken_out_is_shown_in_no_log(secrets, redactor, database, keys, clock, caplog):
    await Secrets(database, "h", keys, clock).put("mqtt", "swordfish")
    caplog.handler.addFilter(RedactingFilter(redactor))
    value = await secrets.get("mqtt")

    logging.getLogger("x").warning("The password is %s.", value)

    assert "swordfish" not in caplog.text


async def test_another_key_opens_nothing_and_says_which_is_missing(secrets, database, keys, clock):
    await secrets.put("lock.front", "1234")

    with pytest.raises(KeyLostError, match=keys.current.id):
        await Secrets(database, "h", KeyRing([StoreKey.new()]), clock).get("lock.front")


async def test_a_key_that_passes_for_another_opens_nothing(secrets, database, clock):
    await secrets.put("lock.front", "1234")
    other = StoreKey.new()
    await database.write(lambda c: c.execute(update(rows).values(key_id=other.id)))

    with pytest.raises(BadSecretError, match="changed in the database"):
        await Secrets(database, "h", KeyRing([other]), clock).get("lock.front")


@pytest.mark.parametrize("change", [{"name": "lock.back"}, {"home_id": "other"}], ids=str)
async def test_a_secret_moved_to_another_name_or_home_does_not_open_there(secrets, database, keys, clock, change):
    await secrets.put("lock.front", "1234")
    await database.write(lambda c: c.execute(update(rows).values(change)))

    with pytest.raises(BadSecretError):
        await Secrets(database, change.get("home_id", "h"), keys, clock).get(change.get("name", "lock.front"))


@given(at=st.integers(0, 31), flip=st.integers(1, 255), cut=st.booleans())
async def test_a_single_byte_changed_is_seen(secrets, database, at, flip, cut):
    await secrets.put("lock.front", "1234")
    sealed = bytearray(await database.read(lambda c: c.execute(select(rows.c.sealed)).scalar()))
    sealed[at] ^= flip
    spoiled = bytes(sealed[:at]) if cut else bytes(sealed)
    await database.write(lambda c: c.execute(update(rows).values(sealed=spoiled)))

    with pytest.raises(BadSecretError):
        await secrets.get("lock.front")


async def test_what_a_room_seals_for_itself_stays_as_it_was_and_nobody_else_sees_it(secrets):
    own = secrets.own("config")
    await own.keep({"a": "4711"})
    await own.keep({"a": "other", "b": "0815"})
    assert await own.kept(["a", "b", "c"]) == {"a": "4711", "b": "0815"}
    assert await secrets.own("elsewhere").kept(["a"]) == {}
    assert await secrets.names() == ()
    with pytest.raises(SecretMissingError):
        await secrets.get("~config.a")


async def test_what_a_room_sealed_and_cannot_be_opened_any_more_is_sealed_anew(secrets, database):
    own = secrets.own("config")
    await own.keep({"a": "4711"})
    await database.write(lambda connection: connection.execute(update(rows).values(sealed=b"x" * 40)))
    assert await own.kept(["a"]) == {}
    await own.keep({"a": "4712"})
    assert await own.kept(["a"]) == {"a": "4712"}
