"""A home is kept on disk as it was known, for this account alone, and shown with its age before it is there again."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from homesteward.core import SystemClock
from homesteward.home import snapshot
from homesteward.home.access import Access
from homesteward.home.errors import NotConnectedError
from homesteward.home.life import Life, Limits, Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror, Remembered
from homesteward.home.model import Area, Device, Entity, State
from homesteward.home.outage import NOT_RUNNING
from homesteward.home.reading import House
from homesteward.home.snapshot import FILE, Keeper, load, save
from unit.home.far_home import FarHome, reached

AT = datetime(2026, 3, 1, 18, 2, tzinfo=UTC)
HOME = Remembered(
    AT,
    {"light.a": State("light.a", "on", {"friendly_name": "Lamp", "brightness": 40}, AT, AT, "C1", "P1", "U1")},
    House(
        areas={"hall": Area("hall", "Hall", aliases=("Entrance",))},
        devices={"d": Device("d", "Box", labels=frozenset({"x"}))},
        entities={"light.a": Entity("light.a", area_id="hall", aliases=("Sun",))},
        exposed=frozenset({"light.a"}),
    ),
)


def test_what_was_kept_is_what_was_known(tmp_path: Path):
    assert save(tmp_path, "home_1", HOME) > 0
    assert load(tmp_path, "home_1") == HOME


def test_only_this_account_can_read_it_and_nothing_is_left_beside_it(tmp_path: Path):
    save(tmp_path, "home_1", HOME)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_another_home_is_not_shown(tmp_path: Path):
    save(tmp_path, "home_1", HOME)
    assert load(tmp_path, "home_2") is None


@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda _data: b"not one", lambda data: data[::-1]])
def test_a_damaged_one_is_none_and_said(tmp_path: Path, damage, caplog: pytest.LogCaptureFixture):
    save(tmp_path, "home_1", HOME)
    file = tmp_path / FILE
    file.write_bytes(damage(file.read_bytes()))
    assert load(tmp_path, "home_1") is None
    assert "cannot be read" in caplog.text


def test_keys_to_a_camera_are_not_kept(tmp_path: Path):
    camera = State("camera.door", "idle", {"access_token": "s3cret", "entity_picture": "/x?token=s3cret", "brand": "b"})
    save(tmp_path, "home_1", Remembered(AT, {"camera.door": camera}, House()))
    known = load(tmp_path, "home_1")
    assert known
    assert known.states["camera.door"].attributes == {"brand": "b"}


def test_a_home_that_is_too_large_is_kept_without_its_long_attributes_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    large = State("sensor.a", "1", {"unit_of_measurement": "W", "forecast": ["x" * 5000], "text": "y" * 5000})
    known = Remembered(AT, {"sensor.a": large}, House())
    monkeypatch.setattr(snapshot, "MAX_BYTES", 5000)
    assert save(tmp_path, "home_1", known) > 0
    kept = load(tmp_path, "home_1")
    assert kept
    assert kept.states["sensor.a"].attributes == {"unit_of_measurement": "W"}
    monkeypatch.setattr(snapshot, "MAX_BYTES", 10)
    assert save(tmp_path, "home_1", known) == 0


async def test_what_was_kept_is_shown_with_its_age_and_the_first_sight_of_the_home_is_no_change(tmp_path: Path):
    far_home = FarHome("light.a")
    far_home.refuses = NotConnectedError("nobody there")
    mirror = Mirror("home_1")
    mirror.restore(HOME)
    changes: list[object] = []
    mirror.watch(lambda _old, new: changes.append(new))
    link = HomeLink(Access("http://home.test"), mirror, limits=Limits(first_s=0, longest_s=0), opener=far_home.open)
    await link.start()
    with pytest.raises(NotConnectedError):
        await link.settled()
    assert (mirror.states["light.a"].state, mirror.as_of, mirror.connected) == ("on", AT, False)
    far_home.refuses = None
    await reached(link.life, Phase.LIVE)
    assert (mirror.states["light.a"].state, changes) == ("off", [])
    (gap,) = mirror.gaps
    assert (gap.start, gap.reason, gap.changed) == (AT, NOT_RUNNING, 1)
    await link.close()


async def test_a_home_is_kept_when_its_connection_ends_and_at_the_end(tmp_path: Path):
    far_home, mirror = FarHome("light.a"), Mirror("home_1")
    link = HomeLink(Access("http://home.test"), mirror, limits=Limits(), opener=far_home.open)
    keeper = Keeper(mirror, link.life, tmp_path)
    await link.start()
    keeper.start()
    await link.settled()
    assert load(tmp_path, "home_1") is None
    await link.close()
    await keeper.close()
    kept = load(tmp_path, "home_1")
    assert kept
    assert kept.states["light.a"].state == "off"
    assert datetime.now(UTC) - kept.as_of < timedelta(minutes=1)


async def test_a_home_that_was_never_there_is_not_kept_anew(tmp_path: Path):
    mirror = Mirror("home_1")
    mirror.restore(HOME)
    keeper = Keeper(mirror, Life(SystemClock()), tmp_path)
    await keeper.keep()
    assert (keeper.size, load(tmp_path, "home_1")) == (0, None)
