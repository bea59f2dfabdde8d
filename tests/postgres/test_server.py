"""What only a PostgreSQL server can show: several processes on it, a connection that is lost, and a server that refuses."""

import asyncio
import threading

import pytest
from sqlalchemy import Connection, select, text

from homesteward.core import HomestewardError
from homesteward.store import HOMESTEWARD, Database, Durability, Ledger
from homesteward.store.failures import (
    BadAddressError,
    CommitUnknownError,
    DatabaseBusyError,
    DatabaseRefusedError,
    DatabaseUnreachableError,
    DiskFullError,
    DriverMissingError,
)
from homesteward.store.tables import EPOCH, meta, plans


def put(key: str, value: object = 1):
    return lambda connection: connection.execute(meta.insert().values(home_id="h", key=key, value=value))


def keys(connection: Connection) -> list[str]:
    return list(connection.execute(select(meta.c.key).order_by(meta.c.key)).scalars())


def claim(connection: Connection) -> int:
    moved = plans.update().where(plans.c.state == "approved").values(state="executing").returning(plans.c.id)
    return len(connection.execute(moved).all())


def own_pid(connection: Connection) -> int:
    return connection.execute(text("SELECT pg_backend_pid()")).scalar_one()


async def test_of_two_services_on_one_server_one_claims_a_plan(open_database, new_place, a_plan):
    place = await new_place()
    doors = [await open_database(place=place) for _ in range(3)]

    for _ in range(20):
        await doors[0].write(a_plan)
        claims = await asyncio.gather(*(door.write(claim) for door in doors * 4))
        assert sum(claims) == 1
        await doors[0].write(lambda c: c.execute(plans.delete()))


@pytest.fixture
def a_plan():
    words = dict.fromkeys([column.name for column in plans.c if not column.nullable], "")
    moments = dict.fromkeys(["created", "expires"], EPOCH)
    row = {**words, **moments, "home_id": "h", "id": "p", "state": "approved"}
    return lambda connection: connection.execute(plans.insert().values(row))


async def test_services_that_start_at_once_on_a_new_server_make_the_tables_once(open_database, new_place):
    place = await new_place(blank=True)

    doors = await asyncio.gather(*(open_database(place=place) for _ in range(4)))

    await doors[0].write(put("x"))
    assert [await door.read(keys) for door in doors] == [["x"]] * 4


async def test_two_ledgers_lie_in_one_database_without_meeting(open_database, new_place):
    place = await new_place(blank=True)
    other = Ledger("chronicle", HOMESTEWARD.revisions, HOMESTEWARD.migrations)
    one, two = await open_database(place=place), await open_database(other, place)

    await one.write(put("mine"))

    assert (await one.read(keys), await two.read(keys)) == (["mine"], [])


async def test_what_another_program_keeps_in_the_public_schema_is_neither_seen_nor_touched(
    open_database, new_place, postgres
):
    place = await new_place(blank=True)
    postgres.tell("CREATE TABLE public.alembic_version AS SELECT 'theirs' AS version_num", database_of(place))

    database = await open_database(place=place)

    assert (
        await database.read(lambda c: c.execute(text("SELECT version_num FROM public.alembic_version")).scalar())
        == "theirs"
    )
    assert (
        await database.read(lambda c: c.execute(text("SELECT version_num FROM alembic_version")).scalar())
        == HOMESTEWARD.revisions[-1]
    )


async def test_a_connection_that_ended_while_nobody_used_it_is_made_anew_unnoticed(open_database, postgres):
    database = await open_database()
    pid = await database.write(own_pid)
    postgres.tell(f"SELECT pg_terminate_backend({pid}, 5000)")

    await database.write(put("after"))

    assert await database.read(keys) == ["after"]


async def test_a_connection_that_ends_in_the_middle_is_tried_once_more_from_the_start(open_database, postgres):
    database = await open_database()
    runs = []

    def work(connection: Connection) -> None:
        put("once")(connection)
        if not runs:
            postgres.tell(f"SELECT pg_terminate_backend({own_pid(connection)}, 5000)")
        runs.append(1)
        put("twice")(connection)

    await database.write(work)

    assert (len(runs), await database.read(keys)) == (2, ["once", "twice"])


async def test_a_connection_that_keeps_ending_is_told_and_the_next_write_goes_on(open_database, postgres):
    database = await open_database()

    def doomed(connection: Connection) -> None:
        postgres.tell(f"SELECT pg_terminate_backend({own_pid(connection)}, 5000)")
        put("never")(connection)

    with pytest.raises(DatabaseUnreachableError) as caught:
        await database.write(doomed)
    await database.write(put("after"))

    assert (caught.value.retry, await database.read(keys)) == (True, ["after"])


async def test_a_connection_that_ends_in_the_commit_leaves_it_unknown_and_is_not_tried_again(open_database, postgres):
    database = await open_database()
    runs = []

    def work(connection: Connection) -> None:
        runs.append(1)
        put("perhaps")(connection)
        postgres.tell(f"SELECT pg_terminate_backend({own_pid(connection)}, 5000)")

    with pytest.raises(CommitUnknownError) as caught:
        await database.write(work)

    assert (caught.value.retry, len(runs)) == (False, 1)


async def test_a_server_that_restarts_is_reached_again(open_database, postgres):
    database = await open_database()
    await database.write(put("before"))
    postgres.restart()

    await database.write(put("after"))

    assert await database.read(keys) == ["after", "before"]


async def test_two_writes_in_each_others_way_are_both_done(open_database, new_place):
    place = await new_place()
    one, other = await open_database(place=place), await open_database(place=place)
    await one.write(lambda c: (put("a", 0)(c), put("b", 0)(c)))
    meeting = threading.Barrier(2)

    def raise_both(first: str, second: str):
        met = []

        def work(connection: Connection) -> None:
            connection.execute(meta.update().where(meta.c.key == first).values(value=first))
            if not met:
                met.append(meeting.wait(10))
            connection.execute(meta.update().where(meta.c.key == second).values(value=first))

        return work

    await asyncio.gather(one.write(raise_both("a", "b")), other.write(raise_both("b", "a")))

    assert len(set(await one.read(lambda c: c.execute(select(meta.c.value)).scalars().all()))) == 1


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("53100", DiskFullError),
        ("53300", DatabaseBusyError),
        ("55P03", DatabaseBusyError),
        ("57P01", DatabaseUnreachableError),
    ],
)
async def test_what_the_server_reports_is_told_as_what_it_is(open_database, state, expected):
    database = await open_database()

    with pytest.raises(expected):
        await database.write(
            lambda c: c.execute(text(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$"))
        )

    await database.write(put("after"))


async def test_a_server_that_is_not_there_is_told_without_its_address():
    with pytest.raises(DatabaseUnreachableError) as caught:
        await Database.open("postgresql://ann:swordfish@127.0.0.1:1/house")

    assert (caught.value.retry, told_of(caught.value)) == (True, set())


async def test_a_database_that_does_not_exist_is_told_without_its_address(postgres):
    address = postgres.address("house").replace("postgres@", "ann:swordfish@")
    with pytest.raises(DatabaseRefusedError) as caught:
        await Database.open(address)

    assert (caught.value.retry, told_of(caught.value)) == (False, set())


async def test_a_user_who_may_not_make_a_schema_is_told(new_place, postgres):
    place = await new_place(blank=True)
    postgres.tell("CREATE ROLE ann LOGIN")
    with pytest.raises(DatabaseRefusedError, match="may not do this"):
        await Database.open(place.replace("postgres@", "ann:swordfish@"))


async def test_a_user_who_owns_the_schema_needs_no_right_to_make_one(open_database, new_place, postgres):
    place = await new_place(blank=True)
    postgres.tell("CREATE ROLE eve LOGIN")
    postgres.tell("CREATE SCHEMA homesteward AUTHORIZATION eve", database_of(place))

    database = await open_database(place=place.replace("postgres@", "eve@"))

    await database.write(put("hers"))
    assert await database.read(keys) == ["hers"]


async def test_plans_are_kept_for_good_whatever_the_server_is_set_to(open_database, new_place):
    events = Ledger("homesteward", HOMESTEWARD.revisions, HOMESTEWARD.migrations, Durability.NORMAL)
    place = await new_place()
    one, other = await open_database(place=place), await open_database(events, place)

    said = [
        await database.write(lambda c: c.execute(text("SHOW synchronous_commit")).scalar()) for database in (one, other)
    ]

    assert said == ["on", "off"]  # the server of these tests is set to off


@pytest.mark.parametrize(
    "address", ["mysql://ann:swordfish@house/x", "ann:swordfish@house", "postgresql://ann:swordfish@h:port/x"]
)
async def test_an_address_that_is_none_is_told_without_repeating_it(address):
    with pytest.raises(BadAddressError) as caught:
        await Database.open(address)

    assert told_of(caught.value) == set()


async def test_without_the_driver_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)

    with pytest.raises(DriverMissingError) as caught:
        await Database.open("postgresql://h/x")

    assert "homesteward[postgres]" in caught.value.next


def database_of(place: str) -> str:
    return place.split("/")[3].partition("?")[0]


def told_of(error: HomestewardError) -> set[str]:
    said = f"{error!r} {error} {error.message} {error.next} {error.__cause__!r}"
    return {secret for secret in ("ann", "swordfish", "house", "127.0.0.1") if secret in said}
