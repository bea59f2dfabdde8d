"""The page on safety says what the judgement says: its tables are made by it."""

from pathlib import Path

from safety import routes_table, services_table

PAGE = Path(__file__).parents[3] / "docs" / "safety.md"


def test_the_page_on_safety_is_the_judgement_of_every_route():
    assert routes_table() in PAGE.read_text(), "docs/safety.md is stale: run scripts/safety-table"


def test_the_page_on_safety_lists_the_services_as_they_are_judged():
    assert services_table() in PAGE.read_text(), "docs/safety.md is stale: run scripts/safety-table"
