"""What is wrong with a file of cases: the first problem in one line, with the case and the key."""

from pydantic import ValidationError


def first_problem(raw: object, error: ValidationError) -> str:
    """Return the first problem that `error` found in `raw`, such as "case lamp: expect.cals: Extra inputs are not permitted"."""
    first = error.errors(include_url=False)[0]
    place, *key = first["loc"] or ("",)
    case = raw[place] if isinstance(raw, list | tuple) and isinstance(place, int) else None
    name = case.get("id", place) if isinstance(case, dict) else place
    return ": ".join(part for part in (f"case {name}".strip(), ".".join(map(str, key)), first["msg"]) if part)
