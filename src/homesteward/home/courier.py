"""One HTTP request to Home Assistant: bounded in time and size, never led elsewhere, its failures typed and without a secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from ssl import SSLContext
from typing import Protocol, Self

import aiohttp
from yarl import URL

from homesteward.core.json import JsonValue, dumps, loads
from homesteward.home.connection import TRUST
from homesteward.home.errors import HaTimeoutError, NotConnectedError, TooLargeError

MAX_BODY = 64 * 2**20
CHUNK = 2**16
TIMEOUT_S = 30.0
CONNECT_S = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes = b""
    content_type: str = ""

    @property
    def ok(self) -> bool:
        """Return whether it is what was asked for."""
        return 200 <= self.status < 300

    @property
    def json(self) -> JsonValue:
        """Return the body as JSON, None where it is none."""
        try:
            return loads(self.body)
        except ValueError:
            return None


class Carries(Protocol):
    """Whatever carries a read to Home Assistant."""

    async def get(self, url: str, *, token: str, query: Mapping[str, str] | None = None) -> Answer:
        """Read `url` with an access token."""
        ...


class Courier:
    """Carry requests over one session, which is opened with the first of them. `tls` is as for the socket."""

    def __init__(self, *, tls: SSLContext | bool, timeout_s: float = TIMEOUT_S, max_body: int = MAX_BODY) -> None:
        """Carry nothing yet."""
        self._tls = tls
        self._timeout_s = timeout_s
        self._max_body = max_body
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        """Return the courier."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def get(self, url: str, *, token: str, query: Mapping[str, str] | None = None) -> Answer:
        """Read `url`.

        Raises NotConnectedError, HaTimeoutError, or TooLargeError for an answer that is larger than is taken.
        """
        return await self._carry("GET", url, headers={"Authorization": f"Bearer {token}"}, params=query)

    async def post(self, url: str, form: Mapping[str, str]) -> Answer:
        """Send `form` to `url`; raises as `get` does."""
        return await self._carry("POST", url, data=form)

    async def change(self, method: str, url: str, *, token: str, body: JsonValue = None) -> Answer:
        """Send `body` as JSON to `url` with an access token, by POST or DELETE; raises as `get` does."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return await self._carry(method, url, headers=headers, data=None if body is None else dumps(body))

    async def close(self) -> None:
        """End the session; the next request would open another."""
        if self._session:
            session, self._session = self._session, None
            await session.close()

    async def _carry(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        data: Mapping[str, str] | str | None = None,
    ) -> Answer:
        place = _place(url)
        try:
            async with self._opened().request(
                method,
                url,
                headers=headers,
                params=params,
                data=data,
                ssl=self._tls,
                allow_redirects=False,  # a token goes where it was meant to go, and nowhere else
            ) as answer:
                return Answer(answer.status, await self._body(answer, place), answer.content_type)
        except TimeoutError as error:
            raise HaTimeoutError(
                f"{place} did not answer within {self._timeout_s:g} s.",
                retry=method == "GET",
                next="Look at Home Assistant's log; it may be busy or hang.",
            ) from error
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError) as error:
            raise NotConnectedError(f"{place} does not prove who it is ({type(error).__name__})", next=TRUST) from None
        except (OSError, aiohttp.ClientError, ValueError) as error:
            raise NotConnectedError(f"{place} cannot be reached ({type(error).__name__})") from None

    async def _body(self, answer: aiohttp.ClientResponse, place: str) -> bytes:
        body = bytearray()
        async for chunk in answer.content.iter_chunked(CHUNK):
            body += chunk
            if len(body) > self._max_body:
                raise TooLargeError(
                    f"{place} answered with more than {self._max_body >> 20} MiB.", next="Ask for less at a time."
                )
        return bytes(body)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=self._timeout_s, sock_connect=CONNECT_S)
            self._session = aiohttp.ClientSession(timeout=timeout)
        return self._session


def _place(url: str) -> str:
    """Return where `url` leads, without what may be a secret: user, query and fragment."""
    try:
        whole = URL(url)
        return str(whole.with_user(None).with_query(None).with_fragment(None))
    except ValueError:
        return "That address"
