"""A way to a home that can be cut: a TCP proxy, with TLS in front of it where a certificate is given."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

CERTIFICATE = Path(__file__).parent / "tls" / "localhost.pem"


class Proxy:
    """Pass bytes on to a port of this machine until the way is cut."""

    def __init__(self, port: int) -> None:
        self.url = ""
        self.connected = 0
        """How many connections it ever passed on."""
        self.port = port
        """Where it leads to: another port is where nobody listens."""
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.transport.abort()
            return
        self.connected += 1
        ways = {self._begin(reader, far_writer), self._begin(far_reader, writer)}
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, far_writer):
            end.transport.abort()

    def cut(self) -> None:
        """Cut every connection, without a word to either side."""
        for writer in self._open:
            writer.transport.abort()

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> asyncio.Task[None]:
        self._open.add(writer)
        task = asyncio.create_task(self._pass(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ssl.SSLError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        self._open.discard(writer)


@asynccontextmanager
async def proxy_to(url: str, *, secure: bool = False) -> AsyncIterator[Proxy]:
    """Give a proxy to the home at `url`; a `secure` one proves itself with a certificate that nobody signed."""
    made, tls = Proxy(int(url.rpartition(":")[2])), None
    if secure:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(CERTIFICATE, CERTIFICATE.with_suffix(".key"))
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0, ssl=tls)
    made.url = f"{'https' if secure else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()
        made.cut()
        await asyncio.gather(*made._tasks, return_exceptions=True)
