"""The table of routes as a page shows it: `docs/api.md` holds what this returns, and a test holds the two together."""

from collections.abc import Iterator

from homesteward.faces.web.authority import GRANTED, OPENED_BY, ROUTES, Access, Authority

HEAD = "| route | needs | roles | a token's scope | within its reach | fresh proof |\n|---|---|---|---|---|---|"


def route_table() -> str:
    """Return the routes as a Markdown table, in the order of the table itself."""
    return "\n".join([HEAD, *(_line(f"{method} {path}", access) for (method, path), access in ROUTES.items())])


def _line(route: str, access: Access) -> str:
    return "| " + " | ".join((f"`{route}`", *_cells(access))) + " |"


def _cells(access: Access) -> Iterator[str]:
    authority = access.authority
    yield authority.value
    if authority is Authority.NONE:
        yield from ("anybody", "", "", "")
        return
    yield ", ".join(role.value for role, granted in GRANTED.items() if authority in granted)
    yield " or ".join(sorted({scope.value for scope in OPENED_BY[authority]} | {"admin"}))
    yield "yes" if access.bound else ""
    yield f"`{access.proof.value}`" if access.proof else ""
