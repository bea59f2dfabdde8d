"""A lock of a real Home Assistant that takes a PIN: said in a conversation, it opens it once, and then it is nowhere."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from homesteward.app import House, open_house
from homesteward.demo import DemoHome
from homesteward.home.users import users_of
from homesteward.people import Caller, Channel, Proof, ProofKind
from homesteward.people.pins import CHANGE_PIN
from homesteward.steward import Outcome, Request

pytestmark = pytest.mark.hass
PIN = "83519264"
SPELLED = "acht drei fünf eins neun zwei sechs vier"


@pytest.fixture
async def careful(demo_home: DemoHome, tmp_path: Path) -> AsyncIterator[House]:
    """A Homesteward on the furnished house whose owner asks for a PIN at locks."""
    address = demo_home.address
    overrides = {
        "ha": {"url": address.url, "token": address.token},
        "policy": {"dry_run": False},
        "data": tmp_path,
    }
    (tmp_path / "policy.yaml").write_text(
        "version: 1\nrules: [{name: locks, when: {domain: lock, not: {role: guest}}, then: confirm, pin: true}]"
    )
    async with open_house(None, overrides) as opened:
        yield opened


@pytest.fixture
async def ann(careful: House) -> Caller:
    """Somebody who lives here and has chosen a PIN: a user whom Home Assistant knows, for nobody else stays on record."""
    user = next(user for user in await users_of(careful.link) if user.is_admin)
    person = await careful.desk.people.signed_in_with_ha(user.user_id, user.name, is_admin=True)
    caller = careful.desk.people.caller_of(person, Channel.PAGE)
    proof = Proof(ProofKind.SIGN_IN, CHANGE_PIN, careful.clock.now() + timedelta(minutes=5))
    await careful.desk.pins.put(replace(caller, proof=proof), person.id, PIN)
    return caller


@pytest.mark.parametrize(
    ("request_text", "pin", "language"),
    [("unlock the front door", PIN, "en"), ("schließe die Haustür auf", SPELLED, "de")],
)
async def test_the_pin_opens_the_lock_once_and_is_kept_nowhere(
    careful, ann, socket, tmp_path, request_text, pin, language
):
    async def ask(text, conversation_id=""):
        return await careful.steward.ask(Request(text, ann, conversation_id, language=language))

    async def in_ha():
        states = await socket.ask("get_states")
        return next(state["state"] for state in states if state["entity_id"] == "lock.front_door")

    asked = await ask(request_text)
    assert (asked.outcome, asked.question.kind, await in_ha()) == (Outcome.CONFIRM, "pin", "locked"), asked.reply
    wrong = await ask("eins zwei drei vier" if language == "de" else "1 2 3 4", asked.conversation_id)
    assert (wrong.error.code, await in_ha()) == ("wrong_pin", "locked")
    done = await ask(pin, asked.conversation_id)
    assert (done.outcome, await in_ha()) == (Outcome.ACTED, "unlocked")
    assert done.plan.steps[0].context_id

    sent = await careful.audit.entries(kind="step.sent", subject=done.plan.id)
    assert [entry.data["context_id"] for entry in sent] == [done.plan.steps[0].context_id]
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for said in (PIN, " ".join(PIN), SPELLED):
        assert said.encode() not in kept
