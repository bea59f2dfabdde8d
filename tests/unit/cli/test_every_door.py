"""The command line is one more door: every way to what guards the house waits there as well."""

from random import Random

import pytest

from homesteward.core.json import dumps
from routes import GUARDS, ROUTES, routed_home

NAMED = [route for route in ROUTES if not route.configures and "schedule" not in route.name and not route.refusable]
CALLS = [
    (route.name, raw)
    for route in Random(3).sample(NAMED, 5)
    for end in Random(route.name).sample(GUARDS, 1)
    if (raw := route.call(end)) is not None
]


@pytest.fixture
def home():
    return routed_home()


@pytest.mark.parametrize(("words", "code"), [((), 4), (("--as", "guest"), 3)], ids=["owner", "guest"])
@pytest.mark.usefixtures("service")
async def test_the_command_line_gets_nothing_out_by_any_route(homesteward, home, words, code):
    for name, raw in CALLS:
        ended = await homesteward("tools", "call", "call_service", dumps(raw), "--json", *words)
        assert (ended.code, home.calls) == (code, []), f"{name}: {ended.out}{ended.err}"
