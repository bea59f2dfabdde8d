"""A key that is not the one things were sealed with opens nothing in silence: going on with it would spoil the audit for good."""

import pytest

from homesteward.store import Audit, StoreKey, open_keys, renew_key, settle_keys
from homesteward.store.key import KeyLostError
from homesteward.store.renewal import note_replaced

HOME = "home_1"


@pytest.fixture
def chained(database, clock, tmp_path):
    """The audit as it is with some keys."""
    from homesteward.core.redaction import Redactor  # noqa: PLC0415 - here alone

    return lambda keys: Audit(database, HOME, keys, clock, redactor=Redactor(), anchor=tmp_path / "audit.anchor")


@pytest.fixture
async def keys(database, chained, tmp_path):
    opened = await open_keys(database, tmp_path, "", HOME)
    await chained(opened).append("plan.decided", "person:ann", "plan_1", {})
    return opened


async def test_another_key_in_the_file_is_refused_with_what_to_do(database, keys, tmp_path):
    (tmp_path / "store.key").write_text(StoreKey.new().written())
    with pytest.raises(KeyLostError) as refused:
        await open_keys(database, tmp_path, "", HOME)
    assert keys.current.id in refused.value.message
    assert "backup" in refused.value.next


async def test_another_key_in_the_settings_is_refused_too(database, keys, tmp_path):
    (tmp_path / "store.key").unlink()
    with pytest.raises(KeyLostError):
        await open_keys(database, tmp_path, StoreKey.new().written(), HOME)


async def test_a_wrong_key_is_refused_where_there_are_only_secrets(database, secrets, tmp_path):
    await secrets.put("lock.front", "1234")
    with pytest.raises(KeyLostError):
        await open_keys(database, tmp_path, StoreKey.new().written(), HOME)


async def test_a_key_that_was_renewed_on_purpose_is_the_one(database, keys, chained, clock, tmp_path):
    await renew_key(database, keys, chained(keys), clock, actor="person:ann")
    assert (await open_keys(database, tmp_path, "", HOME)).current.id == keys.current.id


async def test_a_new_key_before_the_old_one_in_the_settings_is_taken(database, keys, chained, clock, tmp_path):
    both = f"{StoreKey.new().written()},{(tmp_path / 'store.key').read_text().strip()}"
    opened = await open_keys(database, tmp_path, both, HOME)
    await settle_keys(database, opened, chained(opened), clock, actor="system")
    assert (await open_keys(database, tmp_path, both.partition(",")[0], HOME)).current.id == opened.current.id


@pytest.mark.parametrize("given", [False, True])
async def test_an_empty_file_is_the_word_to_go_on_without_the_old_key_once(database, keys, chained, tmp_path, given):
    (tmp_path / "store.key").write_text("")
    text = StoreKey.new().written() if given else ""
    opened = await open_keys(database, tmp_path, text, HOME)
    audit = chained(opened)
    await note_replaced(database, opened, audit, tmp_path, HOME)

    [entry] = await audit.entries(kind="store_key.replaced")
    assert (entry.subject, entry.data) == (opened.current.id, {"lost": keys.current.id})
    assert (await open_keys(database, tmp_path, text, HOME)).current.id == opened.current.id
    with pytest.raises(KeyLostError):
        await open_keys(database, tmp_path, StoreKey.new().written(), HOME)
