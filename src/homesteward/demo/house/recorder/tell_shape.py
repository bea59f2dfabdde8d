"""Print, as JSON, the tables of this Home Assistant's recorder and the classes of its units. Runs in its environment."""

import json
import sys

from homeassistant.components.recorder.db_schema import SCHEMA_VERSION, Base
from homeassistant.components.recorder.statistics import STATISTIC_UNIT_TO_UNIT_CONVERTER
from homeassistant.components.sensor.const import UNIT_CONVERTERS
from sqlalchemy import create_engine, text


def tell() -> dict[str, object]:
    """Return the shape of the recorder's database."""
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with engine.connect() as connection:
        made = connection.execute(text("SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL")).all()
    return {
        "version": SCHEMA_VERSION,
        "tables": [row.sql for row in made if row.type == "table"],
        "indexes": [row.sql for row in made if row.type == "index"],
        "unit_classes": {unit: kind.UNIT_CLASS for unit, kind in STATISTIC_UNIT_TO_UNIT_CONVERTER.items() if unit},
        "device_classes": {
            str(device_class): {str(unit): kind.UNIT_CLASS for unit in kind.VALID_UNITS if unit}
            for device_class, kind in UNIT_CONVERTERS.items()
        },
    }


if __name__ == "__main__":
    json.dump(tell(), sys.stdout)
