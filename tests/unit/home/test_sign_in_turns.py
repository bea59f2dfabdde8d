"""Two sign-ins at once: neither takes the other's token for one that was left behind."""

import asyncio

from homesteward.home.access import Access
from homesteward.home.sign_in import HaSignIn
from homesteward.home.users import HaUser


async def test_one_sign_in_waits_for_the_other(monkeypatch):
    signing_in = HaSignIn(Access("http://home.test"))
    under_way = most = 0

    async def user(_self, _session, code, _client_id, _verifier):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return HaUser(code, code, is_admin=False)

    monkeypatch.setattr(HaSignIn, "_user", user)
    found = await asyncio.gather(*(signing_in.user_of(code, "http://here", "v") for code in ("ann", "bob")))
    assert ([one.user_id for one in found], most) == (["ann", "bob"], 1)
