"""The store key: where it comes from, and that it never shows."""

import pytest

from homesteward.store import KeyRing, StoreKey, open_keys
from homesteward.store.key import BadKeyError, KeyLostError, Use


def test_a_key_shows_itself_in_no_repr():
    key = StoreKey.new()
    said = f"{key!r} {key} {KeyRing([key])!r}"

    assert key.written() not in said
    assert said == f"StoreKey({key.id}) StoreKey({key.id}) KeyRing({key.id})"


def test_each_use_has_a_key_of_its_own():
    key = StoreKey.new()

    assert len({key.derived(use) for use in Use}) == len(Use)
    assert StoreKey.parse(key.written()).derived(Use.AUDIT) == key.derived(Use.AUDIT)


@pytest.mark.parametrize("text", ["swordfish", "c3dvcmRmaXNo", "ü" * 44, "A" * 43])
def test_a_text_that_is_no_key_is_refused_and_not_repeated(text):
    with pytest.raises(BadKeyError) as caught:
        KeyRing.given(text)

    assert text not in f"{caught.value} {caught.value.next} {caught.value.__cause__}"
    assert "openssl rand -base64 32" in caught.value.next


async def test_the_first_start_makes_a_key_file_for_its_owners_account_and_the_next_takes_it(database, tmp_path):
    first = await open_keys(database, tmp_path)
    second = await open_keys(database, tmp_path)

    assert first.current.id == second.current.id
    assert (tmp_path / "store.key").stat().st_mode & 0o777 == 0o600


async def test_a_key_file_that_others_could_read_is_closed_to_them(database, tmp_path):
    await open_keys(database, tmp_path)
    (tmp_path / "store.key").chmod(0o644)

    await open_keys(database, tmp_path)

    assert (tmp_path / "store.key").stat().st_mode & 0o777 == 0o600


async def test_a_key_of_the_settings_needs_no_file(database, tmp_path):
    key, older = StoreKey.new(), StoreKey.new()

    keys = await open_keys(database, tmp_path, f"{key.written()}, {older.written()}")

    assert (keys.current.id, [one.id for one in keys.older]) == (key.id, [older.id])
    assert not (tmp_path / "store.key").exists()


@pytest.mark.parametrize("sealed", ["a secret", "an entry"])
async def test_a_lost_key_file_is_not_quietly_replaced(database, secrets, audit, tmp_path, sealed):
    await (secrets.put("door", "1234") if sealed == "a secret" else audit.append("k", "a", "s", {}))

    with pytest.raises(KeyLostError, match="is gone") as caught:
        await open_keys(database, tmp_path)

    assert (tmp_path / "store.key").exists() is False
    assert "from a backup" in caught.value.next


async def test_an_owner_who_lost_the_key_goes_on_by_an_empty_file(database, secrets, tmp_path):
    await secrets.put("door", "1234")
    (tmp_path / "store.key").touch()

    assert (await open_keys(database, tmp_path)).current.id == KeyRing.kept(
        tmp_path / "store.key", anew=False
    ).current.id


@pytest.mark.parametrize("content", [b"swordfish", b"\xff\xfe"])
async def test_a_key_file_that_holds_no_key_is_told_and_left_alone(database, tmp_path, content):
    (tmp_path / "store.key").write_bytes(content)

    with pytest.raises(BadKeyError) as caught:
        await open_keys(database, tmp_path)

    assert "swordfish" not in str(caught.value)
    assert (tmp_path / "store.key").read_bytes() == content


async def test_a_key_file_that_is_a_folder_is_told(database, tmp_path):
    (tmp_path / "store.key").mkdir()

    with pytest.raises(BadKeyError, match="cannot be used"):
        await open_keys(database, tmp_path)
