"""A reverse proxy of a few lines: it serves what is behind it under a path, and says so, as Home Assistant's ingress does."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import aiohttp
from aiohttp import web

HOP = {"connection", "content-length", "transfer-encoding", "keep-alive"}


@asynccontextmanager
async def under_prefix(target: str, prefix: str, *, source: str, **said: str) -> AsyncIterator[str]:
    """Serve `target` under `prefix` and give the address. It asks from the address `source`; `said` are headers that it adds."""

    async def passed_on(request: web.Request) -> web.StreamResponse:
        path = request.raw_path.removeprefix(prefix)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
        headers |= _added(request, said)
        body = await request.read()
        async with session.request(
            request.method, f"{target}{path}", headers=headers, data=body or None, allow_redirects=False
        ) as answer:
            response = web.StreamResponse(status=answer.status, reason=answer.reason)
            for name, value in answer.headers.items():
                if name.lower() not in HOP:
                    response.headers.add(name, value)
            await response.prepare(request)
            with suppress(ConnectionResetError):  # whoever read a stream has left
                async for part in answer.content.iter_any():
                    await response.write(part)
                await response.write_eof()
        return response

    app = web.Application()
    app.router.add_route("*", prefix + "/{rest:.*}", passed_on)
    runner = web.AppRunner(app)
    connector = aiohttp.TCPConnector(local_addr=(source, 0))
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
    ) as session:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}{prefix}/"
        finally:
            await runner.cleanup()


def _added(request: web.Request, said: Mapping[str, str]) -> dict[str, str]:
    return {
        "X-Forwarded-Host": request.host,
        "X-Forwarded-Proto": request.scheme,
        "X-Forwarded-For": request.remote or "",
        **{name.replace("_", "-"): value for name, value in said.items()},
    }
