"""What Home Assistant tells is kept whatever characters it holds, on every database alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from chronicles import act, after, change
from homes import small_home
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.history import History
from homesteward.chronicle.intake import Intake
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.memory import Memory
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Call, Context, Kind, Outage, Run
from homesteward.chronicle.storable import INSTEAD, is_storable, storable, storable_text
from homesteward.chronicle.stored import Stored
from homesteward.chronicle.tables import users
from homesteward.chronicle.writer import Writer
from homesteward.core import FrozenClock

LAMP = "light.hall"
BAD = ["a\0b", "a\ud800b", "\udfff", "\0"]


@pytest.mark.parametrize("text", BAD)
async def test_a_text_that_a_database_cannot_take_loses_a_character_and_not_its_record(open_database, text):
    home, database = small_home(), await open_database(CHRONICLE)
    writer = await Writer.start(database, home.home_id)
    context = Context("A", None, text)
    writer.put(change(0, LAMP, text, text, attributes={"effect": text, text: [text, {"x": text}]}, context=context))
    writer.put(Run(after(1), Kind.AUTOMATION, "automation.x", text, text, run_id=text, item_id=text))
    writer.put(Call(after(2), "light", "turn_on", {"message": text}, (LAMP,), context))
    writer.put(act(3, LAMP, person=text, request=text, data={"x": text}))
    writer.name_user(text, text)
    writer.keep_outage(Outage(after(4), after(5), text))
    await writer.flush()
    assert writer.health()["rejected"] == 0
    clean = storable_text(text)
    rows = (await History(database, home, FrozenClock(after(60))).rows(Query())).rows
    assert len(rows) == 4
    [state] = [row.as_json() for row in rows if row.as_json()["kind"] == "state"]
    assert (state["new"], state["attributes"]["effect"]) == (clean, clean)
    assert await database.read(lambda c: c.scalar(select(users.c.name))) == clean
    assert (await writer.outages())[0].reason == clean
    await writer.close()


async def test_such_a_state_is_not_found_anew_at_every_start(open_database):
    database, clock = await open_database(CHRONICLE), FrozenClock(after(0))
    home = small_home(clock)
    home.set_state(LAMP, "a\0b")
    for _ in range(2):
        writer = await Writer.start(database, home.home_id)
        stored = Stored(database, home.home_id)
        undo = await Intake(home, writer.put, Filter(None, Memory(await stored.last())), clock).start()
        undo()
        await writer.close()
    found = await stored.states([LAMP], after(-10), after(10))
    assert [logged.state for logged in found[LAMP]] == [f"a{INSTEAD}b"]


def test_what_is_storable_is_left_alone():
    for record in (
        change(0, LAMP, "on", attributes={"a": [1]}, context=Context("A")),
        change(0, LAMP, "é"),
        act(0, LAMP),
    ):
        assert storable(record) is record


@given(st.text(st.characters() | st.sampled_from("\0\ud800\udfff"), max_size=20))
def test_what_is_made_storable_can_be_encoded_and_stays_so(text):
    clean = storable_text(text)
    assert is_storable(clean)
    assert "\0" not in clean
    assert len(clean) == len(text)
    clean.encode()
