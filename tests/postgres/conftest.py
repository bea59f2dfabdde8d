"""What only PostgreSQL can show. Everything here carries the marker `postgres`."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/postgres/" in item.path.as_posix():
            item.add_marker(pytest.mark.postgres)


@pytest.fixture
def engine() -> str:
    return "postgresql"
