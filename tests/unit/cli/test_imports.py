"""What a command or a service loads: heavy libraries only where they are used, so that asking is quick and a small machine suffices."""

import asyncio
import sys

from homesteward.chronicle.ledger import CHRONICLE
from homesteward.store import HOMESTEWARD, Database

ASKING = """
import sys
from homesteward.cli import main
sys.argv = ["homesteward", "ask", "hello", "--url", "http://127.0.0.1:1", "--json"]
try:
    main()
except SystemExit as end:
    assert end.code == 5, end.code
print(*sorted(sys.modules), file=sys.stderr)
"""
SERVING = """
import asyncio, sys
from pathlib import Path
import httpx2
import homesteward.app.serve
from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.settings import Settings

async def main(folder):
    home = SimulatedHome.build([Thing("light.kitchen", "Kitchen light")])
    async with wire(Settings(data=folder), home, home, folder, SystemClock(), Redactor()) as house:
        headers = {"authorization": f"Bearer {house.token}"}
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=house.api), base_url="http://localhost") as api:
            answer = await api.post("/api/v1/ask", headers=headers, json={"text": "turn on the kitchen light"})
            assert answer.json()["outcome"] == "simulated", answer.text

asyncio.run(main(Path(sys.argv[1])))
print(*sorted(sys.modules), file=sys.stderr)
"""


async def loaded_by(program: str, *arguments: str) -> set[str]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await child.communicate()
    assert child.returncode == 0, said.decode()
    return set(said.decode().splitlines()[-1].split())


async def test_asking_a_running_service_loads_none_of_the_house():
    loaded = await loaded_by(ASKING)
    assert "httpx2" in loaded
    heavy = {
        "pydantic_ai",
        "openai",
        "mcp",
        "hassil",
        "sqlalchemy",
        "alembic",
        "uvicorn",
        "fastapi",
        "aiohttp",
        "jinja2",
    }
    assert loaded & heavy == set()


async def test_a_service_without_a_model_loads_no_model_library_no_migrations_and_no_command_line(tmp_path):
    for name, ledger in (("homesteward.db", HOMESTEWARD), ("chronicle.db", CHRONICLE)):
        database = await Database.open(tmp_path / name, ledger)  # the schema is current from here on
        await database.close()
    loaded = await loaded_by(SERVING, str(tmp_path))
    assert {"fastapi", "uvicorn", "sqlalchemy", "hassil"} <= loaded
    heavy = {"pydantic_ai", "openai", "mcp", "alembic", "typer", "rich", "opentelemetry.sdk"}
    assert loaded & heavy == set()
