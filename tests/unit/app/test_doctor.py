"""The doctor on a connection: what is wrong, since when, what to do; and it has the link try again at once."""

import asyncio
from types import SimpleNamespace

from sqlalchemy import text

from homesteward.app.doctor import examine_house
from homesteward.core import SystemClock
from homesteward.home.access import Access
from homesteward.home.errors import AuthFailedError
from homesteward.home.life import Limits, Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror
from homesteward.settings import Settings
from unit.home.far_home import FarHome, reached


async def checked(link, tmp_path):
    checks = await examine_house(Settings(data=tmp_path), link.mirror, SystemClock(), link)
    return {check.check: check for check in checks}


async def test_a_refused_token_is_said_with_what_to_do_and_tried_again_at_once(tmp_path):
    far_home = FarHome("light.a")
    far_home.refuses = AuthFailedError("Invalid access token")
    link = HomeLink(Access("http://home.test"), Mirror("home_1"), limits=Limits(), opener=far_home.open)
    await link.start()
    await reached(link.life, Phase.COOLING_DOWN)

    far_home.refuses = None  # a person has mended it; the next attempt would be in a minute
    told = await checked(link, tmp_path)
    assert (told["home assistant"].status, "cooling_down" in told["home assistant"].message) == ("fail", True)
    assert "long-lived access token" in told["home assistant"].next
    assert "not known" in told["exposure"].message

    await reached(link.life, Phase.LIVE)
    assert (await checked(link, tmp_path))["home assistant"].status == "ok"
    await link.close()


async def test_that_home_assistant_dropped_us_is_a_warning(tmp_path):
    far_home = FarHome("light.a")
    limits = Limits(first_s=0, stable_s=0)
    link = HomeLink(Access("http://home.test"), Mirror("home_1"), limits=limits, opener=far_home.open)
    await link.start()
    await link.settled()
    far_home.ends[-1].end(1000)
    await reached(link.life, Phase.COOLING_DOWN)
    await reached(link.life, Phase.LIVE)
    told = (await checked(link, tmp_path))["home assistant"]
    assert (told.status, "dropped us 1 time" in told.message) == ("warn", True)
    await link.close()


async def test_the_audit_and_its_key_are_looked_at(house):
    async with asyncio.timeout(30):
        while (told := await _audit_told(house)).status != "ok":  # what the start writes may be under way
            continue
    checks = {"audit": told}
    assert checks["audit"].status == "ok"
    assert "key" in checks["audit"].message
    await house.audit.append("plan.decided", "person:ann", "plan_1", {})
    await house.audit.append("plan.decided", "person:ann", "plan_2", {})
    database = house.audit._database
    await database.write(lambda c: c.execute(text("UPDATE audit SET actor = 'person:bob' WHERE n = 1")))
    checks = {
        check.check: check for check in await examine_house(house.settings, house.home, house.clock, audit=house.audit)
    }
    assert (checks["audit"].status, "entry 1" in checks["audit"].message) == ("fail", True)


async def test_an_outage_that_cannot_be_read_is_said(tmp_path):
    health = {
        "failure": None,
        "dropped": 0,
        "stored": 5,
        "backfill": {"waiting": 1, "rows": 0, "trouble": "AttributeError"},
    }
    memory = SimpleNamespace(problem=None, chronicle=SimpleNamespace(health=lambda: health))
    checks = await examine_house(Settings(data=tmp_path), Mirror("home_1"), SystemClock(), memory=memory)
    (told,) = [check for check in checks if check.check == "chronicle"]
    assert (told.status, "cannot be read" in told.message, "AttributeError" in told.message) == ("warn", True, True)


async def _audit_told(house):
    checks = await examine_house(house.settings, house.home, house.clock, audit=house.audit)
    return next(check for check in checks if check.check == "audit")
