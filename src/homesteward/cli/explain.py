"""`policy explain`: judge a call from a file, by the running service's home or, without one, by the file alone."""

from collections.abc import Mapping
from typing import Any

from homesteward.cli.client import running
from homesteward.core.errors import HomestewardError


async def explain(document: Mapping[str, Any], role: str, preset: str, url: str, token: str) -> list[dict[str, Any]]:
    """Return one decision per verdict. `document` is the call, or `{call, attributes: {entity_id: {device_class: ...}}}`.

    Without a service nothing can be looked up: the entities named are taken to exist as `attributes` describes them.
    """
    call = as_object(document.get("call", document), "The call")
    async with running(url, token, role) as api:
        if api:
            named = {"preset": preset} if preset else {}
            return list(await api.post("/policy/explain", {"call": call, **named}))
    from homesteward.cli.offline import judge  # noqa: PLC0415 - the rules are only needed here where no service has them

    return judge(call, as_object(document.get("attributes", {}), "attributes"), role, preset)


def as_object(value: object, what: str) -> dict[str, Any]:
    """Return `value` if it is a JSON object; raise bad_usage naming `what` if not."""
    if not isinstance(value, Mapping):
        raise HomestewardError(f"{what} must be an object.", code="bad_usage", next="Write a JSON object, {...}.")
    return dict(value)
