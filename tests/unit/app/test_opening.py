"""What keeps a house from opening is said with its code and the way on, and with no secret in it."""

import pytest

from homesteward.app import open_house
from homesteward.core.errors import HomestewardError

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJmYWtlIn0.c2lnbmF0dXJl"


async def refused(**settings):
    with pytest.raises(HomestewardError) as caught:
        async with open_house(None, settings):
            pass
    return caught.value


async def test_without_a_home_it_says_how_to_get_one(tmp_path):
    error = await refused(data=tmp_path)
    assert error.code == "not_connected"
    assert "demo up" in error.next


async def test_a_data_folder_that_cannot_be_had_is_named(tmp_path):
    (tmp_path / "file").touch()
    error = await refused(data=tmp_path / "file" / "data")
    assert error.code == "data_folder_unusable"
    assert str(tmp_path) in error.message
    assert error.next


@pytest.mark.parametrize(
    "ha", [{"url": TOKEN, "token": TOKEN}, {"url": "my-plain-secret-1", "token": "my-plain-secret-1"}]
)
async def test_a_token_pasted_for_the_address_is_not_repeated(tmp_path, ha):
    error = await refused(data=tmp_path, ha=ha)
    assert error.code == "not_connected"
    assert ha["token"][:8] not in f"{error.message} {error.next} {error}"


async def test_the_folder_is_free_again_after_a_failure(tmp_path):
    for _ in range(2):
        assert (await refused(data=tmp_path)).code == "not_connected"
