"""All pages, put together."""

from fastapi import APIRouter

from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.pages.actions import actions_page
from homesteward.faces.web.pages.ask import ask_page
from homesteward.faces.web.pages.cascades import cascades_page
from homesteward.faces.web.pages.chronicle import chronicle_page
from homesteward.faces.web.pages.config_versions import config_versions
from homesteward.faces.web.pages.entity import entity_page
from homesteward.faces.web.pages.front import front
from homesteward.faces.web.pages.home import home_page
from homesteward.faces.web.pages.house import house_page
from homesteward.faces.web.pages.live import live
from homesteward.faces.web.pages.offers import offers_page
from homesteward.faces.web.pages.policy import policy_page
from homesteward.faces.web.pages.policy_trying import policy_trying
from homesteward.faces.web.pages.schedules import schedules_page
from homesteward.faces.web.pages.settings_home import settings_home
from homesteward.faces.web.pages.settings_own import settings_own
from homesteward.faces.web.pages.settings_people import settings_people
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.then_page import then_page
from homesteward.faces.web.pages.verdicts import verdicts
from homesteward.faces.web.pages.why_page import why_page
from homesteward.faces.web.rooms import Rooms

PAGES = (
    front,
    live,
    home_page,
    ask_page,
    actions_page,
    schedules_page,
    offers_page,
    chronicle_page,
    why_page,
    cascades_page,
    then_page,
    house_page,
    entity_page,
    config_versions,
    policy_page,
    policy_trying,
    settings_own,
    settings_people,
    settings_home,
    verdicts,
)


def showing(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes of every page. None of them is part of the API's document: they are for browsers."""
    router = APIRouter(include_in_schema=False)
    stage = Stage(rooms, entrance)
    for page in PAGES:
        router.include_router(page(stage))
    return router
