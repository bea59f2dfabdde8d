"""How much the property tests try: a sample by default, the full size under `make soak`."""

import os

from hypothesis import HealthCheck, settings

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))

settings.register_profile(
    "sample", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("soak", parent=settings.get_profile("sample"), max_examples=2000)
settings.load_profile("soak" if SOAKING else "sample")
