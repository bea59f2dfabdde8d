"""Offers from the command line."""


async def test_an_offer_is_listed_enabled_disabled_and_forgotten(homesteward, service, house, home):
    home.expose("script.let_in", exposed=False)
    listed = (await homesteward("tools", "offers", "list")).out
    assert "Let in" in listed
    assert "not exposed" in listed
    asked = await homesteward(
        "tools", "offers", "enable", "welcome", "--phrase", "Party time", "--allow", "owner", "--area", "hall", "--json"
    )
    assert (asked.code, asked.json["state"]) == (4, "waiting")
    assert (await homesteward("plans", "approve", asked.json["id"])).code == 0
    (kept,) = (await homesteward("tools", "offers", "list", "--state", "enabled", "--json")).json
    assert (kept["tool"], kept["phrases"], kept["roles"], kept["areas"]) == (
        "welcome",
        ["Party time"],
        ["owner"],
        ["hall"],
    )
    assert (await homesteward("tools", "offers", "disable", "Party time")).code == 0
    forgotten = await homesteward("tools", "offers", "forget", kept["id"], "--json")
    assert (forgotten.code, forgotten.json["needs"]) == (4, "approve")
    unknown = await homesteward("tools", "offers", "disable", "nothing", "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (1, "unknown_offer")
