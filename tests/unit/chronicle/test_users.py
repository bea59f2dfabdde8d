"""Users have names: all at the start, and later whoever turns up."""

import asyncio

from homesteward.chronicle.users import UserNames
from homesteward.core.json import JsonValue
from homesteward.home.errors import HaError, NotConnectedError
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome

ANNA = Thing("person.anna", "Anna", state="home", attributes={"user_id": "u1"})


class Register:
    """The list of users that Home Assistant has, and how often it was asked for."""

    def __init__(self, **names: str) -> None:
        self.names = names
        self.refuses: Exception | None = None
        self.asked = 0
        self.answered = asyncio.Event()

    async def send(self, kind: str, /, **_fields: object) -> JsonValue:
        assert kind == "config/auth/list"
        self.asked += 1
        self.answered.set()
        if self.refuses:
            raise self.refuses
        return [
            {"id": user_id, "name": name, "username": None, "is_owner": False} for user_id, name in self.names.items()
        ]


async def until(told: dict[str, str], names: dict[str, str]) -> None:
    async with asyncio.timeout(20):
        while told != names:  # noqa: ASYNC110 - names have no event
            await asyncio.sleep(0)


async def test_all_are_named_at_the_start_and_a_new_one_when_he_turns_up():
    told: dict[str, str] = {}
    register = Register(u1="Robin", u2="Sam")
    users = UserNames(SimulatedHome.build(), register, told.__setitem__, pace_s=0)
    undo = users.start()
    await until(told, {"u1": "Robin", "u2": "Sam"})
    users.saw("u1")
    register.names["u3"] = "Kim"
    asked = register.asked
    users.saw("u3")
    await until(told, {"u1": "Robin", "u2": "Sam", "u3": "Kim"})
    assert register.asked == asked + 1
    undo()


async def test_one_whom_nobody_knows_is_asked_for_once():
    register = Register(u1="Robin")
    users = UserNames(SimulatedHome.build(), register, lambda _user, _name: None, pace_s=0)
    undo = users.start()
    await register.answered.wait()
    for _ in range(20):
        users.saw("deleted")
        await asyncio.sleep(0)
    assert register.asked <= 2
    undo()


async def test_persons_stand_in_where_the_list_is_refused():
    told: dict[str, str] = {}
    register = Register()
    register.refuses = HaError("unauthorized", "Unauthorized")
    undo = UserNames(SimulatedHome.build([ANNA]), register, told.__setitem__, pace_s=0).start()
    await until(told, {"u1": "Anna"})
    undo()


async def test_it_is_asked_again_when_the_home_is_there_again():
    told: dict[str, str] = {}
    register, home = Register(u1="Robin"), SimulatedHome.build()
    register.refuses = NotConnectedError()
    undo = UserNames(home, register, told.__setitem__, pace_s=0).start()
    await register.answered.wait()
    register.refuses = None
    home.reconnect()
    await until(told, {"u1": "Robin"})
    undo()
