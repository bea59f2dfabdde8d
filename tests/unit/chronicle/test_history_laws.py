"""Laws of the past: whatever happened, pages hold all of it once, moments are what the rows add up to, and every chain ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from homesteward.chronicle.chains import Direction, Start, graph_of
from homesteward.chronicle.moments import difference, house_at
from homesteward.chronicle.names import Names
from homesteward.chronicle.paging import page_of
from homesteward.chronicle.query import Page, Query, UnknownUserError, cursor_of
from homesteward.chronicle.reading import Reader
from homesteward.chronicle.record import Act, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight
from homesteward.chronicle.storing import Batch, Storing
from homesteward.chronicle.tables import metadata
from homesteward.chronicle.telling import Teller
from homesteward.chronicle.walking import walk_chain
from homesteward.chronicle.why import told
from homesteward.chronicle.wording import LANGUAGES
from homesteward.core.text import fold
from pasts import acted, after, called, context, evening_home, ulid

HOME = evening_home()
EVERYTHING = Sight()
ENTITIES = ("light.hall", "light.kitchen", "cover.blinds", "binary_sensor.hall", "sensor.power")
STATES = ("on", "off", "open", "opening", "closed", "unavailable", "21")

moments = st.integers(0, 40).map(lambda n: after(n / 4))
entities = st.sampled_from(ENTITIES)
contexts = st.integers(0, 7)
bare = st.builds(context, moments, st.text("abc", max_size=2))


@st.composite
def tied(draw: st.DrawFn) -> Context:
    """A context of a few, each of which may name any of them as its parent, itself included."""
    mine, parent = draw(contexts), draw(st.none() | contexts)
    return Context(
        ulid(after(mine), f"c{mine}"),
        None if parent is None else ulid(after(parent), f"c{parent}"),
        draw(st.none() | st.just("u")),
    )


changes = st.builds(
    StateChange, moments, entities, st.none() | st.sampled_from(STATES), st.none() | st.sampled_from(STATES),
    st.dictionaries(st.sampled_from(["brightness", "current_position"]), st.integers(0, 100), max_size=1),
    st.none() | bare | tied(), st.sampled_from(Source),
)  # fmt: skip
runs = st.builds(
    Run, moments, st.sampled_from([Kind.AUTOMATION, Kind.SCRIPT]), st.sampled_from(["automation.echo", "script.evening"]),
    st.just("Echo"), st.sampled_from(["", "sunset", "state of light.hall"]), st.none() | entities, context=st.none() | tied(),
)  # fmt: skip
calls = st.builds(
    lambda at, service, of, ids: called(at, service, of, *ids),
    moments, st.sampled_from(["light.turn_on", "cover.open_cover", "homeassistant.toggle"]), tied(), st.sets(entities, max_size=3),
)  # fmt: skip
acts = st.builds(
    lambda at, of, ids: acted(at, "light.turn_on", of, *ids), moments, st.none() | tied(), st.sets(entities, max_size=2)
)
pasts = st.lists(changes | runs | calls | acts, max_size=25)


ENGINE = create_engine("sqlite://", poolclass=StaticPool)
metadata.create_all(ENGINE)


@contextmanager
def remembered(records: list[Record]) -> Iterator[Reader]:
    """A reader over what was written down, in the order given; all of it is gone afterwards."""
    with ENGINE.connect() as connection:
        Storing(HOME.home_id).store(connection, Batch(records))
        yield Reader(connection, Names(HOME.home_id))
        connection.rollback()


def _page(reader: Reader, query: Query) -> Page:
    return page_of(query, reader, HOME, EVERYTHING)


QUERIES = st.sampled_from(
    [
        Query(), Query(entities=("light.*",)), Query(kinds=frozenset({Kind.STATE})), Query(states=("on", "open")), Query(text="light"),
        Query(since=after(2), until=after(7)), Query(domains=("light", "automation")), Query(("light.hall",)),
    ]
)  # fmt: skip


@given(pasts, QUERIES, st.integers(1, 5))
def test_pages_of_any_length_hold_every_row_once_and_in_order(records, query, limit):
    with remembered(records) as reader:
        whole = [row.ref for row in _page(reader, query).rows]
        older, cursor = [], ""
        while True:
            page = _page(reader, replace(query, limit=limit, cursor=cursor))
            older += [row.ref for row in page.rows]
            if not page.cursor:
                break
            cursor = page.cursor

        assert older == whole
        assert len(set(whole)) == len(whole)


@given(pasts, st.integers(1, 5))
def test_going_on_to_what_is_newer_comes_to_the_newest(records, limit):
    with remembered(records) as reader:
        rows = _page(reader, Query()).rows
        whole = [row.ref for row in rows]
        found = whole[-1:]
        cursor = cursor_of(rows[-1].position, newer=True) if rows else ""
        while cursor:
            page = _page(reader, Query(limit=limit, cursor=cursor))
            found = [row.ref for row in page.rows] + found
            if not page.truncated:
                break
            cursor = page.newer or ""

        assert found == whole


@given(pasts)
def test_the_state_before_is_the_one_that_was_heard_or_that_of_the_row_before(records):
    with remembered(records) as reader:
        rows = [row.record for row in _page(reader, Query(kinds=frozenset({Kind.STATE}))).rows]

    heard = {number: record for number, record in enumerate(records, 1) if isinstance(record, StateChange)}
    before: dict[str, str | None] = {}  # a row that comes in late stands before one that is stored already
    for row in reversed(rows):
        assert row.old in {heard[row.id].old, before.get(row.entity_id)}
        before[row.entity_id] = row.new


@given(pasts, moments)
def test_a_moment_is_what_the_rows_up_to_it_add_up_to(records, at):
    with remembered(records) as reader:
        house = house_at(at, reader, HOME, EVERYTHING)
        same = difference(house, house)

    last: dict[str, str | None] = {}
    for record in sorted((each for each in records if isinstance(each, StateChange)), key=lambda each: each.at):
        if record.at <= at:
            last[record.entity_id] = record.new
    assert {entity_id: known.state for entity_id, known in house.states.items()} == {
        entity_id: state for entity_id, state in last.items() if state is not None
    }
    assert same.changed == ()


@given(pasts, st.sampled_from(Direction), st.integers(1, 4))
def test_every_chain_ends_and_links_only_what_it_holds(records, direction, depth):
    with remembered(records) as reader:
        for row in _page(reader, Query()).rows:
            graph = graph_of(walk_chain(Start(row.ref, direction, depth), reader, HOME), HOME, EVERYTHING)
            refs = [each.ref for each in graph.rows]

            assert row.ref in refs
            assert len(set(refs)) == len(refs)
            assert all(link.cause in refs and link.effect in refs and link.cause != link.effect for link in graph.links)
            assert graph.path(row.ref)[-1].ref == row.ref


@given(pasts, st.sampled_from(sorted(LANGUAGES)))
def test_every_row_has_its_sentence(records, language):
    teller = Teller(LANGUAGES[language], HOME, after(0).tzinfo, after(60), EVERYTHING)
    with remembered(records) as reader:
        for row in _page(reader, Query(kinds=frozenset({Kind.STATE, Kind.AUTOMATION, Kind.SCRIPT}))).rows:
            graph = graph_of(walk_chain(Start(row.ref, Direction.BACKWARD), reader, HOME), HOME, EVERYTHING)
            why = told(graph, row.ref, teller, {})

            assert why.text.endswith(".")
            assert "{" not in why.text
            assert "  " not in why.text
            assert why.chain[-1].ref == row.ref


def test_both_languages_say_the_same_things():
    english, german = LANGUAGES["en"], LANGUAGES["de"]

    assert english.texts.keys() == german.texts.keys()
    assert english.attributes.keys() == german.attributes.keys()
    assert english.triggers.keys() == german.triggers.keys()
    assert {kind: set(words) for kind, words in english.phrases.items()} == {
        kind: set(words) for kind, words in german.phrases.items()
    }


PIECES = (
    "kitchen",
    "light.",
    "Kitchen light",
    "state of",
    "sunset",
    "turn_",
    "on",
    "some",
    "Anna",
    "routine",
    "evening",
    "é",
    "%",
    "_",
)
texts = st.sampled_from(PIECES) | st.text("abcdefghiklmnoprstuvy_. ", min_size=1, max_size=4)


def _says(row: Row, text: str) -> bool:
    """Whether a text is in what somebody who looks at this row sees."""
    shown = row.as_json()
    words = [shown.get(name) for name in ("new", "name", "trigger", "service", "request", "person", "rule")]
    names = [name for each in row.entity_ids for name in (each, HOME.states[each].name if each in HOME.states else "")]
    return any(text.casefold() in str(word or "").casefold() for word in words) or any(
        fold(text) in fold(name) for name in names
    )


@given(pasts, st.sets(entities), texts, st.integers(1, 4))
def test_a_text_finds_for_somebody_bound_exactly_what_they_would_find_by_looking(records, seen, text, limit):
    """A request or a trigger that is hidden is not read out letter by letter."""
    sight = Sight(seen.__contains__)
    with remembered(records) as reader:
        whole = [row for row in page_of(Query(), reader, HOME, sight).rows if _says(row, text)]
        found, cursor = [], ""
        while True:
            page = page_of(Query(text=text, limit=limit, cursor=cursor), reader, HOME, sight)
            found += page.rows
            if not page.cursor:
                break
            cursor = page.cursor

    assert found == whole


@given(pasts, st.none() | st.sets(entities), st.sampled_from(["Anna", "anna", "u", "owner", "Éva", "ÉVA", "nobody"]))
def test_a_user_finds_exactly_the_rows_that_show_them(records, seen, user):
    named = [replace(each, person="Éva") if isinstance(each, Act) and each.entity_ids else each for each in records]
    sight = Sight(seen.__contains__ if seen is not None else None)
    with remembered(named) as reader:
        whole = [row for row in page_of(Query(), reader, HOME, sight).rows if fold(row.user or "") == fold(user)]
        try:
            found = list(page_of(Query(users=(user,)), reader, HOME, sight).rows)
        except UnknownUserError:
            found = []
            assert seen is None

    assert found == whole
