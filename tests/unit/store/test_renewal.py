"""A new key takes the place of the old one: all at once, and not before everything is sealed with it."""

import pytest
from sqlalchemy import delete, select, text, update

from homesteward.store import KeyRing, Secrets, StoreKey, open_keys, renew_key, settle_keys
from homesteward.store.key import BadKeyError
from homesteward.store.tables import audit as entries
from homesteward.store.tables import secrets as rows


@pytest.fixture
async def keys(database, tmp_path) -> KeyRing:
    return await open_keys(database, tmp_path)


async def test_after_a_renewal_everything_is_sealed_with_the_new_key_and_the_old_is_gone(
    database, keys, secrets, audit, clock, tmp_path
):
    old = keys.current
    await secrets.put("lock.front", "1234")
    await secrets.put("lock.back", "5678")

    assert await renew_key(database, keys, audit, clock, actor="person:ann") == 2

    assert keys.current.id != old.id
    assert set(await database.read(lambda c: c.execute(select(rows.c.key_id)).scalars().all())) == {keys.current.id}
    assert (await secrets.get("lock.front"), await secrets.names()) == ("1234", ("lock.back", "lock.front"))
    assert old.written() not in (tmp_path / "store.key").read_text()
    assert (await open_keys(database, tmp_path)).current.id == keys.current.id


async def test_a_renewal_is_in_the_audit_and_what_stood_there_before_can_still_be_verified(
    database, keys, audit, clock
):
    for n in range(3):
        await audit.append("plan.decided", "person:ann", f"plan_{n}", {})
        await renew_key(database, keys, audit, clock, actor="person:ann")

    verdict = await audit.verify()
    assert (verdict.ok, verdict.checked) == (True, 6)
    newest = (await audit.entries(kind="store_key.renewed"))[0]
    assert (newest.actor, newest.subject) == ("person:ann", keys.current.id)


async def test_what_was_chained_with_an_old_key_is_still_watched_over(database, keys, audit, clock):
    await audit.append("plan.decided", "person:ann", "plan_1", {})
    await renew_key(database, keys, audit, clock, actor="person:ann")

    await database.write(lambda c: c.execute(text("UPDATE audit SET actor = 'person:bob' WHERE n = 1")))

    assert (await audit.verify()).bad == 1


async def test_whoever_has_an_old_key_cannot_end_the_chain_with_it(database, keys, audit, make_audit, clock, anchor):
    stolen = KeyRing([keys.current])
    await audit.append("plan.decided", "person:ann", "plan_1", {})
    await renew_key(database, keys, audit, clock, actor="person:ann")
    anchor.unlink()

    await make_audit(keys=stolen, anchor=anchor.with_name("2")).append("plan.decided", "person:ann", "plan_2", {})
    assert (await audit.verify()).problem == "it was chained with a key that had been replaced before it"

    await database.write(lambda c: c.execute(delete(entries).where(entries.c.n > 1)))
    assert (await audit.verify()).problem == "the last entry was chained with a key that had been replaced"


async def test_a_renewal_cut_short_before_its_transaction_is_finished_by_the_next_start(
    database, keys, secrets, make_audit, clock, tmp_path
):
    await secrets.put("lock.front", "1234")
    keys.renew()

    again = await open_keys(database, tmp_path)
    assert await Secrets(database, "h", again, clock).get("lock.front") == "1234"
    assert await settle_keys(database, again, make_audit(keys=again), clock, actor="system") == 1

    assert (again.older, (await open_keys(database, tmp_path)).older) == ((), ())
    assert await Secrets(database, "h", again, clock).get("lock.front") == "1234"


async def test_a_renewal_whose_transaction_fails_keeps_the_old_key(
    database, keys, secrets, audit, clock, tmp_path, monkeypatch
):
    await secrets.put("lock.front", "1234")
    old = keys.current.id

    def fails(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(audit, "witness_everywhere", fails)
        with pytest.raises(RuntimeError):
            await renew_key(database, keys, audit, clock, actor="person:ann")

    again = await open_keys(database, tmp_path)
    assert [key.id for key in again.older] == [old]
    assert await Secrets(database, "h", again, clock).get("lock.front") == "1234"


async def test_a_secret_that_was_tampered_with_does_not_hold_up_the_others(database, keys, secrets, audit, clock):
    await secrets.put("good", "1234")
    await secrets.put("bad", "5678")
    await database.write(lambda c: c.execute(update(rows).where(rows.c.name == "bad").values(sealed=b"nonsense")))

    assert await renew_key(database, keys, audit, clock, actor="person:ann") == 1

    assert await secrets.get("good") == "1234"
    assert (await audit.entries())[0].data["unreadable"] == ["bad"]


async def test_all_homes_on_a_database_are_sealed_anew_at_once(
    database, keys, secrets, audit, make_audit, clock, tmp_path
):
    other, their_audit = Secrets(database, "other", keys, clock), make_audit("other", anchor=tmp_path / "theirs")
    await other.put("lock.front", "9999")
    await their_audit.append("plan.decided", "person:eve", "plan_1", {})

    await renew_key(database, keys, audit, clock, actor="person:ann")

    assert await other.get("lock.front") == "9999"
    assert (await their_audit.verify()).ok


async def test_a_key_of_the_settings_is_renewed_there(database, clock, make_audit, tmp_path):
    old, new = StoreKey.new(), StoreKey.new()
    given = KeyRing.given(old.written())
    await Secrets(database, "h", given, clock).put("lock.front", "1234")

    with pytest.raises(BadKeyError, match=r"set in store\.key"):
        await renew_key(database, given, make_audit(keys=given), clock, actor="person:ann")
    both = KeyRing.given(f"{new.written()},{old.written()}")
    await settle_keys(database, both, make_audit(keys=both), clock, actor="system")

    assert await Secrets(database, "h", KeyRing.given(new.written()), clock).get("lock.front") == "1234"
