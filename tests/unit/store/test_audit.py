"""The audit takes down what happened, and sees every way of changing it afterwards."""

import asyncio
from datetime import timedelta
from enum import StrEnum
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, func, select, text

from homesteward.store import Audit, KeyRing, StoreKey
from homesteward.store.tables import audit as rows
from homesteward.store.tables import meta
from homesteward.store.verifying import Verdict


class Kind(StrEnum):
    DECIDED = "plan.decided"


async def fill(audit: Audit, entries: int = 5) -> None:
    for n in range(1, entries + 1):
        await audit.append("plan.decided", "person:ann", f"plan_{n}", {"verdict": "approve", "n": n})


def at(n: int, home_id: str = "h"):
    return (rows.c.home_id == home_id) & (rows.c.n == n)


async def test_an_entry_is_read_back_as_it_was_taken_down(audit, clock):
    kept = await audit.append(Kind.DECIDED, "person:ann", "plan_1", {"verdict": "approve", "steps": (1, 2)})

    assert await audit.entries() == (kept,)
    assert (kept.n, kept.at, kept.kind, kept.actor, kept.subject) == (
        1,
        clock.now(),
        "plan.decided",
        "person:ann",
        "plan_1",
    )
    assert kept.data == {"verdict": "approve", "steps": [1, 2]}


async def test_entries_come_newest_first_by_kind_and_subject_and_page_by_page(audit):
    await fill(audit, 3)
    await audit.append("sign_in.failed", "nobody", "plan_2", {})

    async def numbers(**wanted) -> list[int]:
        return [entry.n for entry in await audit.entries(**wanted)]

    assert await numbers() == [4, 3, 2, 1]
    assert await numbers(kind="plan.decided") == [3, 2, 1]
    assert await numbers(subject="plan_2") == [4, 2]
    assert await numbers(before=4, limit=2) == [3, 2]


async def test_an_entry_of_a_transaction_that_fails_is_not_kept(audit, database, anchor):
    def work(connection: Connection) -> None:
        audit.witness(connection, "plan.decided", "person:ann", "plan_1", {})
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await database.write(work)

    assert (await audit.entries(), anchor.exists()) == ((), False)
    await fill(audit, 2)
    assert await audit.verify() == Verdict(2)


async def test_several_entries_of_one_transaction_stand_behind_each_other(audit, database):
    def work(connection: Connection) -> None:
        connection.execute(meta.insert().values(home_id="h", key="with", value=1))
        for n in range(3):
            audit.witness(connection, "plan.decided", "person:ann", f"plan_{n}", {})

    await database.write(work)

    assert await audit.verify() == Verdict(3)


async def test_two_services_on_one_database_keep_one_chain(open_database, new_place, make_audit, tmp_path):
    place = await new_place()
    audits = [make_audit(database=await open_database(place=place), anchor=tmp_path / f"anchor {n}") for n in range(2)]

    await asyncio.gather(*(audit.append("token.used", "token:1", f"{n}", {}) for n in range(10) for audit in audits))

    assert [((verdict := await audit.verify()).ok, verdict.checked) for audit in audits] == [(True, 20)] * 2


async def test_homes_have_chains_of_their_own(make_audit, tmp_path):
    one, other = make_audit("one", anchor=tmp_path / "1"), make_audit("other", anchor=tmp_path / "2")
    await fill(one, 2)
    await fill(other, 3)

    assert (await one.verify(), await other.verify()) == (Verdict(2), Verdict(3))


async def test_secrets_are_taken_out_before_an_entry_is_kept(audit, redactor, database):
    redactor.add("swordfish")
    await audit.append("pin.set", "swordfish", "swordfish!", {"swordfish": ["swordfish", {"x": "a swordfish"}]})

    found = await database.read(lambda c: repr(c.execute(text("SELECT * FROM audit")).all()))

    assert "swordfish" not in found
    assert found.count("[redacted]") == 5


@pytest.mark.parametrize(
    "value", ["\ud800", "nul \0", 2**70, float("nan"), b"bytes", {1: {2: (3,)}}, {"x"}, object, Kind.DECIDED], ids=repr
)
async def test_nothing_that_is_handed_in_makes_taking_it_down_fail(audit, value):
    await audit.append("plan.decided", str(value), str(value), {"value": value})

    assert await audit.verify() == Verdict(1)


async def test_what_is_too_long_is_cut_and_says_so(audit):
    deep: dict[str, object] = {}
    for _ in range(100):
        deep = {"in": deep}
    await audit.append("k" * 600, "a", "s", {"text": "x" * 70_000})
    await audit.append("k", "a", "s", deep)

    deepest, longest = await audit.entries()
    assert (len(longest.kind), longest.kind[-1], longest.data) == (500, "…", {"left_out_bytes": 70_011})
    assert str(deepest.data).count("in") == 20
    assert await audit.verify() == Verdict(2)


# What somebody with the database in hand, and without the key, may try; and which of five entries is then the first that is wrong.
TAMPERINGS = {
    "the moment changed": ("UPDATE audit SET at = at + 1 WHERE n = 3", 3),
    "the kind changed": ("UPDATE audit SET kind = 'plan.expired' WHERE n = 3", 3),
    "the actor changed": ("UPDATE audit SET actor = 'person:bob' WHERE n = 3", 3),
    "the subject changed": ("UPDATE audit SET subject = 'plan_9' WHERE n = 3", 3),
    "the data changed": ("UPDATE audit SET data = '{}' WHERE n = 1", 1),
    "the data changed where JSON does not see it": ("UPDATE audit SET data = data || ' ' WHERE n = 5", 5),
    "the hash changed": ("UPDATE audit SET hash = hash || '0' WHERE n = 4", 4),
    "the hash gone": ("UPDATE audit SET hash = '' WHERE n = 4", 4),
    "words moved from one field to the next": (
        "UPDATE audit SET actor = 'person:', subject = 'annplan_2' WHERE n = 2",
        2,
    ),
    "the first deleted": ("DELETE FROM audit WHERE n = 1", 1),
    "one deleted": ("DELETE FROM audit WHERE n = 3", 3),
    "one deleted and the rest moved up": (
        "DELETE FROM audit WHERE n = 3; UPDATE audit SET n = n - 1 WHERE n = 4; UPDATE audit SET n = n - 1 WHERE n = 5",
        3,
    ),
    "the last deleted": ("DELETE FROM audit WHERE n = 5", 5),
    "the end cut off": ("DELETE FROM audit WHERE n > 2", 3),
    "all deleted": ("DELETE FROM audit", 1),
    "two in each other's place": (
        "UPDATE audit SET n = 9 WHERE n = 2; UPDATE audit SET n = 2 WHERE n = 3; UPDATE audit SET n = 3 WHERE n = 9",
        2,
    ),
    "one put in before the first": ("UPDATE audit SET n = 0 WHERE n = 5", 0),
    "one repeated at the end": (
        "INSERT INTO audit SELECT home_id, 6, at, kind, actor, subject, data, hash FROM audit WHERE n = 5",
        6,
    ),
    "one more than there was, far behind": (
        "INSERT INTO audit SELECT home_id, 60, at, kind, actor, subject, data, hash FROM audit WHERE n = 5",
        6,
    ),
    "another home's in its place": ("DELETE FROM audit WHERE home_id = 'h'; UPDATE audit SET home_id = 'h'", 1),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
async def test_every_way_of_changing_what_was_written_is_seen(audit, make_audit, database, tmp_path, tampering):
    commands, bad = TAMPERINGS[tampering]
    await fill(audit)
    if "another home" in tampering:
        await fill(make_audit("other", anchor=tmp_path / "other"))

    await database.write(lambda c: [c.execute(text(command)) for command in commands.split("; ")])

    verdict = await audit.verify()
    assert (verdict.ok, verdict.bad) == (False, bad), verdict
    assert verdict.problem


EDITS = st.tuples(
    st.sampled_from(["at", "kind", "actor", "subject", "data", "hash"]),
    st.integers(1, 6),
    st.sampled_from(["1", "2", "{}", "null"]),
)
MOVES = st.tuples(st.just("n"), st.integers(1, 6), st.integers(-1, 8).map(str))
DELETIONS = st.tuples(st.just("delete"), st.integers(1, 6), st.just(""))


@given(tampering=st.lists(EDITS | MOVES | DELETIONS, max_size=4))
async def test_a_chain_is_whole_exactly_if_it_is_what_was_written(database, keys, clock, redactor, tmp_path, tampering):
    audit = Audit(database, "h", keys, clock, redactor=redactor, anchor=tmp_path / f"anchor {next(EXAMPLES)}")
    await database.write(lambda c: c.execute(delete(rows)))
    await fill(audit, 6)

    def tamper(connection: Connection) -> bool:
        written = connection.execute(select(text("*")).select_from(rows).order_by(rows.c.n)).all()
        for what, n, value in tampering:
            if what == "delete":
                connection.execute(delete(rows).where(at(n)))
            elif what != "n" or not connection.execute(select(func.count()).where(at(int(value)))).scalar():
                connection.execute(
                    text(f"UPDATE audit SET {what} = :value WHERE n = :n"), {"value": typed(what, value), "n": n}
                )
        return written == connection.execute(select(text("*")).select_from(rows).order_by(rows.c.n)).all()

    untouched = await database.write(tamper)

    assert (await audit.verify()).ok == untouched


EXAMPLES = count()


def typed(what: str, value: str) -> int | str:
    if what not in {"at", "n"}:
        return value
    return int(value) if value.lstrip("-").isdigit() else 7


async def test_going_on_over_an_end_that_was_cut_off_does_not_hide_it(audit, make_audit, database):
    await fill(audit)
    await database.write(lambda c: c.execute(delete(rows).where(rows.c.n > 2)))

    await fill(make_audit(), 9)

    verdict = await audit.verify()
    assert (verdict.checked, verdict.bad, verdict.problem) == (12, 3, "it says that entries before it had been cut off")
    broken = (await audit.entries(kind="audit.broken"))[0]
    assert (broken.n, broken.data) == (3, {"expected": 5, "found": 2})


async def test_a_cut_is_confessed_once_also_by_several_entries_of_one_transaction(audit, database):
    await fill(audit)
    await database.write(lambda c: c.execute(delete(rows).where(rows.c.n > 2)))

    await database.write(lambda c: [audit.witness(c, "plan.decided", "person:ann", f"{n}", {}) for n in range(3)])

    assert [entry.kind for entry in await audit.entries()][:4] == ["plan.decided"] * 3 + ["audit.broken"]


async def test_an_older_state_of_the_database_put_back_is_seen(audit, database):
    await fill(audit, 2)
    before = await database.read(lambda c: c.execute(select(rows)).mappings().all())
    await fill(audit, 3)

    await database.write(lambda c: (c.execute(delete(rows)), c.execute(rows.insert(), [dict(row) for row in before])))

    assert ((await audit.verify()).bad, (await audit.verify()).problem) == (3, "entries up to 5 were cut off the end")


async def test_a_crash_between_the_commit_and_the_anchor_is_no_alarm(audit, make_audit, anchor):
    await fill(audit, 3)
    behind = anchor.read_bytes()
    await fill(audit, 1)
    anchor.write_bytes(behind)

    assert await audit.verify() == Verdict(4)
    await fill(make_audit(), 1)
    assert await audit.verify() == Verdict(5)


async def test_an_anchor_that_is_gone_is_said_and_so_is_one_made_anew(audit, make_audit, anchor):
    await fill(audit, 3)
    anchor.unlink()

    assert (await audit.verify()).warning.startswith("There is no anchor file")
    await fill(make_audit(), 2)
    verdict = await audit.verify()
    assert (verdict.ok, verdict.warning.partition(":")[0]) == (True, "The anchor file was made anew at entry 3")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"n": 1}', b"\xff", b'{"home_id": "other", "n": 99, "hash": "x", "since": 0}']
)
async def test_an_anchor_that_cannot_be_read_is_as_good_as_none(audit, make_audit, anchor, content):
    await fill(audit, 3)
    anchor.write_bytes(content)

    assert (await audit.verify()).warning.startswith("There is no anchor file")
    await fill(make_audit(), 1)
    assert (await audit.verify()).ok


async def test_an_anchor_that_cannot_be_written_is_logged_and_the_entry_is_kept(audit, anchor, caplog):
    anchor.mkdir()

    await fill(audit, 1)

    assert "anchor" in caplog.text
    assert len(await audit.entries()) == 1


async def test_the_anchor_is_for_its_owners_account_alone(audit, anchor):
    await fill(audit, 2)

    assert anchor.stat().st_mode & 0o777 == 0o600


async def test_without_the_key_no_entry_can_be_made(audit, make_audit, anchor):
    await fill(audit, 2)
    forger = make_audit(keys=KeyRing([StoreKey.new()]))
    await fill(forger, 1)

    verdict = await audit.verify()
    assert (verdict.bad, "is not here" in verdict.problem) == (3, True)


async def test_entries_written_while_it_is_verified_are_no_alarm(audit, monkeypatch):
    monkeypatch.setattr("homesteward.store.verifying.PAGE", 3)
    await fill(audit, 10)

    verdict, *_ = await asyncio.gather(
        audit.verify(), *(audit.append("token.used", "token:1", "x", {}) for _ in range(10))
    )

    assert verdict.ok
    assert verdict.checked >= 10


async def test_a_clock_that_was_set_back_breaks_no_chain(audit, clock):
    await fill(audit, 2)
    clock.advance(timedelta(days=-1))
    await fill(audit, 2)

    assert await audit.verify() == Verdict(4)
