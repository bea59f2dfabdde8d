"""Finding the service, or being it: every command speaks to one API, over the network or in this very process."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2

from homesteward.core.errors import HomestewardError
from homesteward.core.json import loads
from homesteward.settings.folders import data_folder, demo_folder

SERVICE_FILE = "service.json"
LIMITS = httpx2.Timeout(10, read=900)  # an answer takes as long as the house does; a request has its own budgets there
KNOCK = httpx2.Timeout(5)


class ServiceSilentError(HomestewardError):
    """A service was named, but nothing of ours answers there."""

    code = "service_silent"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a service is. `named` by somebody, it is the one to talk to; found in a file, it may be long gone."""

    url: str
    token: str
    named: bool = False


class Api:
    """The service's API, with its errors as ours."""

    def __init__(self, client: httpx2.AsyncClient, token: str, role: str = "") -> None:
        """Sign every request with `token`, lowered to `role` where one is named."""
        self._client = client
        self.told: Mapping[str, str] = {}
        """The headers of the last answer: where a list goes on, and in which time zone it is read."""
        self._headers = {"authorization": f"Bearer {token}"} | ({"x-homesteward-role": role} if role else {})

    async def get(self, path: str, **params: str | int | Sequence[str]) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON document at `path`."""
        return await self._ask("GET", path, params=params)

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Send `body` to `path` and return the JSON that comes back."""
        return await self._ask("POST", path, json=dict(body))

    async def put(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Put `body` to `path` and return the JSON that comes back, None for an answer without any."""
        return await self._ask("PUT", path, json=dict(body))

    async def patch(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Change what is at `path` by `body` and return the JSON that comes back."""
        return await self._ask("PATCH", path, json=dict(body))

    async def delete(self, path: str) -> None:
        """Remove what is at `path`."""
        await self._ask("DELETE", path)

    async def save(self, path: str, file: Path, params: Mapping[str, str | Sequence[str]]) -> int:
        """Write what is at `path` to `file` as it comes, and return how many bytes that is; half a file is no file."""
        beside, size = file.with_name(f".{file.name}.part"), 0
        try:
            where = f"/api/v1{path}"
            async with self._client.stream(
                "GET", where, headers=self._headers, params=params, timeout=LIMITS
            ) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise _error(answer)
                with beside.open("wb") as out:
                    async for chunk in answer.aiter_bytes():
                        size += out.write(chunk)
            beside.replace(file)
        except httpx2.TransportError as error:
            raise silent(str(self._client.base_url), str(error) or type(error).__name__) from None
        except OSError as error:
            raise HomestewardError(
                f"{file} cannot be written: {error.strerror}.", code="bad_usage", next="Choose another place."
            ) from None
        finally:
            beside.unlink(missing_ok=True)
        return size

    async def _ask(self, method: str, path: str, **rest: Any) -> Any:  # noqa: ANN401 - JSON
        try:
            answer = await self._client.request(method, f"/api/v1{path}", headers=self._headers, timeout=LIMITS, **rest)
        except httpx2.TransportError as error:
            raise silent(str(self._client.base_url), str(error) or type(error).__name__) from None
        except UnicodeEncodeError:  # a header holds ASCII, and so does every token of ours
            raise HomestewardError(
                "This is no token of Homesteward's.", code="not_signed_in", next="Check --token."
            ) from None
        if answer.is_success:
            self.told = answer.headers
            return _json(answer) if answer.content else None
        raise _error(answer)


def find_service(url: str = "", token: str = "", environ: Mapping[str, str] = os.environ) -> Place | None:
    """Return the service to talk to: the one named, else the environment's, else the one that runs here, else none.

    A token that is named wins over the one of a service that runs here; that one's is never sent to an address that is named.
    """
    named_token = token or environ.get("HOMESTEWARD_TOKEN", "")
    if named := url or environ.get("HOMESTEWARD_URL", ""):
        return Place(named, named_token, named=True)
    for folder in (data_folder(environ), demo_folder(environ)):
        if place := _running_in(folder):
            return replace(place, token=named_token or place.token)
    return None


@asynccontextmanager
async def running(url: str, token: str, role: str) -> AsyncIterator[Api | None]:
    """Give the API of the running service, None where there is none; raise ServiceSilentError if one was named and does not answer."""
    place = find_service(url, token)
    if place is None:
        yield None
        return
    async with _client(place.url) as client:
        why = await _knock(client)
        if why and place.named:
            raise silent(place.url, why)
        yield None if why else Api(client, place.token, role)


@asynccontextmanager
async def reach(url: str, token: str, role: str, config: Path | None) -> AsyncIterator[Api]:
    """Give the API of the running service, or of a house opened in this process for as long as the command takes."""
    async with running(url, token, role) as api:
        if api:
            yield api
            return
    from homesteward.app import open_house  # noqa: PLC0415 - heavy, and only needed where no service runs

    async with open_house(config) as house:
        transport = httpx2.ASGITransport(app=house.api)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield Api(client, house.token, role)


def part(text: str) -> str:
    """Return `text` as one part of a path, whatever is in it; nothing at all is bad usage, for it would be another path."""
    if not text.strip():
        raise HomestewardError(
            "A name or an id is empty.", code="bad_usage", next="Give it, and run the command again."
        )
    return quote(text, safe="")


def silent(url: str, why: str) -> ServiceSilentError:
    """Return the error that nothing of ours answers at `url`."""
    return ServiceSilentError(
        f"No Homesteward answers at {url}: {why.rstrip('.')}.",
        retry=True,
        next="Start it with 'homesteward run' (or 'make demo'), or check --url.",
    )


async def answers(url: str, token: str) -> bool:
    """Return whether the service at `url` answers to `token`: it is the one that was given it."""
    async with _client(url) as client:
        try:
            return not await _knock(client) and bool(await Api(client, token).get("/status"))
        except HomestewardError:
            return False


def alive(pid: object) -> bool:
    """Return whether a process of this id exists."""
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError, OverflowError:
        return False
    except PermissionError:
        return True
    return True


def _client(url: str) -> httpx2.AsyncClient:
    try:
        return httpx2.AsyncClient(base_url=url, trust_env=False)
    except httpx2.InvalidURL as error:
        raise silent(url, str(error)) from None


async def _knock(client: httpx2.AsyncClient) -> str:
    """Return why nothing of ours answers, or nothing if it does. No token is sent: another program may have this port now."""
    try:
        answer = await client.get("/api/v1/health", timeout=KNOCK)
    except httpx2.TransportError as error:
        return str(error) or type(error).__name__
    try:
        told = answer.json()
    except ValueError:
        told = None
    ours = answer.is_success and isinstance(told, Mapping) and {"status", "version"} <= told.keys()
    return "" if ours else "something else does"


def _running_in(folder: Path) -> Place | None:
    """Return the service that wrote `service.json` into `folder`, unless its process is gone."""
    try:
        written = loads((folder / SERVICE_FILE).read_bytes())
    except OSError, ValueError:
        return None
    if not isinstance(written, Mapping) or not alive(written.get("pid")):
        return None
    url, token = written.get("url"), written.get("token")
    return Place(url, token) if isinstance(url, str) and isinstance(token, str) and url else None


def _json(answer: httpx2.Response) -> Any:  # noqa: ANN401 - JSON
    try:
        return answer.json()
    except ValueError:
        raise HomestewardError(
            "The service's answer is not JSON.",
            code="invalid_answer",
            next="Check that --url is Homesteward's address.",
        ) from None


def _error(answer: httpx2.Response) -> HomestewardError:
    try:
        told = answer.json()
    except ValueError:
        told = None
    told = told if isinstance(told, Mapping) else {}
    return HomestewardError(
        str(told.get("message") or f"The service answered {answer.status_code}."),
        code=str(told.get("code") or "invalid_answer"),
        retry=bool(told.get("retry")),
        next=str(told.get("next") or "Check that --url is Homesteward's address."),
    )
