"""A small home in a file, and cases said in it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

FLAT = """
language: en
areas:
  - {id: kitchen, name: Kitchen, floor: Ground floor}
  - {id: study, name: Study, floor: Upper floor}
devices:
  - {id: bridge, name: Bridge, area: study, info: {model: B1}}
entities:
  - {id: light.ceiling, name: Ceiling lamp, area: kitchen, attributes: {supported_color_modes: [rgb]}}
  - {id: light.desk, name: Desk lamp, area: study, state: true, attributes: {supported_color_modes: [brightness], brightness: 100}}
  - {id: fan.box, name: Box fan, device: bridge, attributes: {supported_features: [fan.FanEntityFeature.SET_SPEED]}}
  - {id: lock.gate, name: Garden gate, state: locked}
  - id: cover.blind
    name: Study blind
    area: study
    state: false
    attributes:
      device_class: cover.CoverDeviceClass.BLIND
      supported_features: [cover.CoverEntityFeature.OPEN, cover.CoverEntityFeature.CLOSE]
      current_position: 0
  - {id: media_player.radio, name: Radio, area: kitchen, state: playing, attributes: {volume_level: 0.6}}
  - {id: sensor.frost, name: Frost sensor, attributes: {native_value: 3, native_unit_of_measurement: °C}}
  - {id: binary_sensor.hatch, name: Hatch, state: {in: closed, out: "off"}, exposed: false}
  - {id: script.leave, name: Leave, body: [{service: lock.lock, target: {entity_id: lock.gate}}, null]}
  - {id: todo.errands, name: Errands, attributes: {todo_items: [{summary: Buy nails, status: needs_action}]}, state: 1}
"""


@pytest.fixture
def written() -> dict:
    """The flat as a document, to be bent by a test."""
    return yaml.safe_load(FLAT)


@pytest.fixture
def homes(tmp_path: Path) -> Path:
    """A folder with the flat in it."""
    folder = tmp_path / "homes"
    folder.mkdir()
    (folder / "flat.yaml").write_text(FLAT)
    return folder


@pytest.fixture
def case_file(tmp_path: Path) -> Callable[[object], Path]:
    """Write cases to a file: JSON is YAML too, so that either format can read it."""

    def write(cases: object) -> Path:
        file = tmp_path / "cases.json"
        file.write_text(json.dumps(cases))
        return file

    return write
