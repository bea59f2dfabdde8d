"""How much the property tests try: a sample by default, the full size under `make soak`."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ["databases", "pasts"]  # fixtures: a new database on either engine, and a past to ask about

# What a developer has set up for a service of his own is not what is tested; where things are cached is.
for name in [name for name in os.environ if name.startswith("HOMESTEWARD_")]:
    if name not in {"HOMESTEWARD_CACHE", "HOMESTEWARD_SOAK"}:
        del os.environ[name]

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))

settings.register_profile(
    "sample", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("soak", parent=settings.get_profile("sample"), max_examples=2000)
settings.load_profile("soak" if SOAKING else "sample")
