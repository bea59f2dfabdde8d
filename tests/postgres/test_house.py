"""A whole house that keeps everything on a PostgreSQL server."""

import httpx2

from homes import small_home
from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.settings import Settings
from homesteward.store.postgres import password_of


async def test_a_house_on_a_server_judges_records_and_remembers_over_a_restart(new_place, tmp_path):
    home, settings = small_home(), Settings(data=tmp_path, store={"url": await new_place(blank=True)})

    async with wire(settings, home, home, tmp_path, SystemClock(), Redactor()) as house:
        headers = {"authorization": f"Bearer {house.token}"}
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=house.api), base_url="http://localhost"
        ) as api:
            answer = (await api.post("/api/v1/ask", headers=headers, json={"text": "turn on the kitchen light"})).json()
    assert answer["outcome"] == "simulated", answer

    async with wire(settings, home, home, tmp_path, SystemClock(), Redactor()) as house:
        (plan,) = await house.gate.plans()
        assert (plan.id, house.audit is not None and (await house.audit.verify()).ok) == (answer["plan"]["id"], True)
    assert not (tmp_path / "homesteward.db").exists()


def test_a_password_is_found_in_any_address_and_none_in_what_is_none():
    assert password_of("postgresql://ann:sword%20fish@house/x") == "sword fish"
    assert [password_of(address) for address in ("postgresql://house/x", "", "nonsense", "postgresql://h:port/x")] == [
        ""
    ] * 4
