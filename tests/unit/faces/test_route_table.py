"""What the documentation says of the routes is what the service goes by."""

from pathlib import Path

from homesteward.faces.web.authority import ROUTES
from homesteward.faces.web.route_table import route_table

PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def test_the_table_in_the_documentation_is_the_one_that_is_checked():
    assert route_table() in PAGE.read_text(), "docs/api.md is stale: run scripts/api-table"


def test_it_has_a_line_for_every_route():
    assert len(route_table().splitlines()) == len(ROUTES) + 2
