"""Every value knows where it came from, and a wrong one says so without being shown."""

import pytest

from homesteward.settings import SettingsError, load_settings


def test_a_new_installation_is_a_dry_run_with_the_family_preset():
    settings = load_settings().settings
    assert settings.policy.dry_run
    assert settings.policy.preset == "family"


def test_the_environment_wins_over_the_file_and_the_command_line_over_both(tmp_path, monkeypatch):
    file = tmp_path / "homesteward.yaml"
    file.write_text("web: {port: 1}\npolicy: {mode: plan, preset: cautious}\nlanguage: de\n")
    monkeypatch.setenv("HOMESTEWARD_POLICY__MODE", "observe")
    monkeypatch.setenv("HOMESTEWARD_WEB__PORT", "2")
    loaded = load_settings(file, {"web": {"port": 3}})
    assert (loaded.settings.web.port, loaded.settings.policy.mode, loaded.settings.policy.preset) == (
        3,
        "observe",
        "cautious",
    )
    assert loaded.sources == {
        "web.port": "the command line",
        "policy.mode": "the environment",
        "policy.preset": str(file),
        "language": str(file),
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ha: {token: [not, text]}", "ha.token"),
        ("polcy: {}", "polcy"),
        ("web: {port: 70000}", "web.port"),
        (": :", "cannot be read"),
    ],
)
def test_a_bad_file_is_an_answer_that_names_the_value(tmp_path, text, named):
    file = tmp_path / "homesteward.yaml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=named) as caught:
        load_settings(file)
    assert caught.value.next


def test_a_bad_secret_is_never_shown(tmp_path):
    file = tmp_path / "homesteward.yaml"
    file.write_text("ha: {token: {nested: hunter2hunter2}}")
    with pytest.raises(SettingsError) as caught:
        load_settings(file)
    assert "hunter2" not in str(caught.value)


def test_a_missing_file_is_said_before_anything_starts(tmp_path):
    with pytest.raises(SettingsError, match="no settings file"):
        load_settings(tmp_path / "nowhere.yaml")
