"""The settings as a page shows them: all of them, each with where it was set, and no secret."""

from pydantic import SecretStr

from homesteward.app.told_settings import told_settings
from homesteward.settings import Settings
from homesteward.settings.settings import ChronicleSettings, HomeAssistantSettings, ModelSettings, StoreSettings


def told(**settings):
    return {each.path: each.value for each in told_settings(Settings(**settings), {})}


def test_a_secret_is_only_said_to_be_there_or_not():
    found = told(
        ha=HomeAssistantSettings(url="http://ha:8123", token=SecretStr("very-secret-token")),
        store=StoreSettings(url=SecretStr("postgresql://u:very-secret@db/h")),
    )
    assert "very-secret" not in str(found)
    assert (found["ha.token"], found["store.url"], found["model.api_key"]) == ("***", "***", "")


def test_a_password_in_an_address_is_not_shown():
    found = told(model=ModelSettings(base_url="https://user:very-secret@models.example/v1"))
    assert found["model.base_url"] == "https://models.example/v1"


def test_what_is_no_address_at_all_shows_nothing_of_itself():
    assert told(ha=HomeAssistantSettings(url="http://[very-secret"))["ha.url"] == ""


def test_values_are_written_as_a_settings_file_writes_them():
    found = told(chronicle=ChronicleSettings(drop=("a.*", "b.*"), deadbands={"sensor.a": 1.0}))
    assert found["chronicle.drop"] == "a.*, b.*"
    assert found["chronicle.deadbands"] == "sensor.a: 1.0"
    assert (found["policy.dry_run"], found["model.timeout_s"], found["ha.ca_file"]) == ("true", "120", "")


def test_every_setting_says_where_it_was_set():
    sources = {"policy.preset": "the environment", "chronicle.deadbands.sensor.a": "settings.yaml"}
    found = {each.path: each.source for each in told_settings(Settings(), sources)}
    assert found["policy.preset"] == "the environment"
    assert found["chronicle.deadbands"] == "settings.yaml"
    assert found["policy.mode"] == ""
