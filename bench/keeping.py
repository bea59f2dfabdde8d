"""How much room a state change takes in the chronicle and in Home Assistant's own recorder: the same changes, of the same real home."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bench.real import Site
from bench.sample import Effort, Row, Sample
from homesteward.app import open_house
from homesteward.demo import DemoHome, inventory
from homesteward.demo.socket import setup_socket

JUDGED = ("chronicle_size",)
SENSORS = 60
ROUNDS = 1500  # changes of each sensor
RECORDER = "home-assistant_v2.db"
OURS = ("state_changes", "entities", "attributes", "contexts")
THEIRS = ("states", "states_meta", "state_attributes")


async def measure(effort: Effort, site: Site) -> list[Row]:
    """Return the bytes of a change with all indexes, in the chronicle and in the recorder, and ours in percent of theirs."""
    folder = site.folder / "keeping"
    sensors = [
        name for name, thing in inventory().entities.items() if name.startswith("sensor.") and _is_number(thing.state)
    ][:SENSORS]
    home = await DemoHome.start(folder / "ha")
    settings = {
        "ha": {"url": home.address.url, "token": home.address.token},
        "chronicle": {"keep": ["sensor.*"]},  # the recorder filters nothing either
        "data": folder / "data",
    }
    try:
        async with open_house(None, settings) as house, setup_socket(home.address.url, home.address.token) as socket:
            for n in range(effort.times(ROUNDS)):
                data = {"entity_id": sensors, "state": f"{n % 997 / 10 + 1}"}
                await socket.ask("call_service", domain="homesteward_demo", service="set_state", service_data=data)
            if chronicle := house.memory.chronicle:
                await chronicle.flush()
    finally:
        await home.stop()
    ours = _per_row(folder / "data" / "chronicle.db", OURS, "state_changes")
    theirs = _per_row(folder / "ha" / RECORDER, THEIRS, "states")
    note = f"{ours:.0f} and {theirs:.0f} bytes, indexes included; {SENSORS} sensors of the demo home, every change kept"
    share = Sample.of([ours * 100 / theirs])
    return [
        Row(
            "a stored state change, in percent of the recorder's",
            share,
            "Home Assistant's recorder",
            Sample.of([100.0]),
            "chronicle_size",
            "%",
            note,
        )
    ]


def _is_number(state: str) -> bool:
    return state.replace(".", "", 1).isdecimal()


def _per_row(path: Path, tables: tuple[str, ...], rows: str) -> float:
    """Return the bytes per row of the pages of some tables and their indexes."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        places = ",".join("?" * len(tables))
        # Names of tables are the literals of this module.
        pages = f"SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN ({places}))"
        size = database.execute(pages, tables).fetchone()[0]
        count = database.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
    return float(size) / int(count)
