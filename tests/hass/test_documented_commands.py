"""The documentation is true: every command in it is run as it stands, page by page, and ends as its page says."""

import asyncio
import re
from pathlib import Path

import pytest

from hass.processes import clean_environ

pytestmark = pytest.mark.hass

ROOT = Path(__file__).parent.parent.parent
# The pages with commands, in the order of reading. A page that is not named here may have none.
PAGES = (
    "README.md",
    "docs/asking.md",
    "docs/speaking.md",
    "docs/chronicle.md",
    "docs/people.md",
    "docs/policy.md",
    "docs/safety.md",
    "docs/notices.md",
    "docs/scheduling.md",
    "docs/configuring.md",
    "docs/offers.md",
    "docs/evals.md",
    "docs/backup.md",
)
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENDS = re.compile(r"\s+# exit (\d)\b.*$")
ELSEWHERE = "/path/to/"  # a block that names it needs something that is not part of this repository


def blocks_of(page: str) -> list[list[tuple[str, int]]]:
    """Return the commands of each console block of a page, with the exit code that the page tells."""
    blocks = [
        [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
        for block in BLOCK.findall((ROOT / page).read_text())
        if ELSEWHERE not in block
    ]
    return [[_command(line) for line in block] for block in blocks if block]


def _command(line: str) -> tuple[str, int]:
    told = ENDS.search(line)
    return ENDS.sub("", line), int(told[1]) if told else 0


def test_every_page_with_commands_is_known():
    pages = {page.relative_to(ROOT).as_posix() for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}
    assert {page for page in pages if blocks_of(page)} == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
async def test_the_commands_of_a_page_end_as_it_says(detached_demo, tmp_path, page):
    for name in (".venv", "evals"):
        (tmp_path / name).symlink_to(ROOT / name)
    for block in blocks_of(page):
        script = "".join(
            f"{command}\nended=$?; [ $ended -eq {code} ] || {{ echo 'line {n} ended with '$ended >&2; exit 1; }}\n"
            for n, (command, code) in enumerate(block, 1)
        )
        child = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            script,
            cwd=tmp_path,
            env={**clean_environ(), "HOMESTEWARD_DATA": str(detached_demo.line.data)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await child.communicate()
        assert child.returncode == 0, "\n".join([*(command for command, _ in block), said.decode()])
