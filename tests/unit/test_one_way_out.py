"""Law 1: everything that reaches Home Assistant goes through `home`, and every change through `home.dispatch`.

The import contract (`make lint`) keeps others from importing the sender; this walks the source for a second way.
"""

import ast
from pathlib import Path

import homesteward
from homesteward.home.config_source import ASKED
from homesteward.home.recorder.asking import Read
from homesteward.home.write import CHANGING

SOURCE = Path(homesteward.__file__).parent
# Who may hold a socket or an HTTP client, and why. `demo` furnishes a home and `trial` resets one: test equipment, at a home of their own.
CLIENTS = {
    "home/connection.py": "the one connection to Home Assistant",
    "home/courier.py": "reads over REST, and has a refresh token renewed",
    "home/sign_in.py": "asks Home Assistant who signs in, with that person's own token, and gives it back",
    "demo/socket.py": "sets up a demo home",
    "demo/process.py": "waits for a demo home to start",
    "trial/homes.py": "resets a home under trial",
    "cli/client.py": "speaks to our own service",
}
# Which commands may be sent from where. Reading is a table in home/reading.py; what changes something is sent by dispatch alone.
SENDERS = {
    "home/connection.py", "home/config_source.py", "home/dispatch.py", "home/following.py", "home/link.py", "home/reading.py", "home/sign_in.py",
    "home/users.py", "home/recorder/asking.py",  # whose commands are a table
    "home/write.py",  # whose commands are a table too
    "home/service_reads.py",  # the services that only read, a table as well
}  # fmt: skip
READING = (
    "get_",
    "subscribe_",
    "unsubscribe_",
    "supported_features",
    "config/",
    "homeassistant/expose_entity/list",
    "ping",
    "auth/",  # who somebody is, and the end of their own sign-in's token
)
LIBRARIES = {"aiohttp", "httpx2", "httpx", "requests", "urllib", "urllib3", "websockets"}


def _files():
    for file in SOURCE.rglob("*.py"):
        name = file.relative_to(SOURCE).as_posix()
        if not name.startswith("demo/house/"):  # runs inside Home Assistant
            yield name, ast.parse(file.read_text())


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module != "urllib.parse":  # words alone
            yield node.module.partition(".")[0]


def _sent(tree):
    """Yield the first argument of every `.send(...)` and `.subscribe(...)`, None where it is computed."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"send", "subscribe"}
        ):
            first = node.args[0] if node.args else None
            yield first.value if isinstance(first, ast.Constant) else None


def test_nobody_else_holds_a_network_client():
    found = {name for name, tree in _files() if LIBRARIES & set(_imports(tree))}
    assert found == set(CLIENTS)


def test_only_home_sends_and_only_dispatch_sends_a_change():
    senders = {name: list(_sent(tree)) for name, tree in _files() if name.startswith("home/")}
    assert {name for name, sent in senders.items() if sent} == SENDERS
    changing = {
        name
        for name, sent in senders.items()
        for command in sent
        if command is not None and not command.startswith(READING)
    }
    # the second calls services as well: those of its table, which only read
    assert changing == {"home/dispatch.py", "home/service_reads.py"}


def _made(what: str) -> set[str]:
    """Return the files in which `what` is called."""
    return {
        name
        for name, tree in _files()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == what
    }


def test_a_connection_is_opened_by_the_link_and_at_sign_in_alone_and_the_link_is_built_by_the_composition_root():
    assert _made("Connection.open") == {"home/link.py", "home/sign_in.py"}  # the second with a person's own token
    assert _made("HomeLink") == {"app/opening.py"}


def test_nobody_but_the_composition_root_and_home_itself_knows_what_can_be_sent_over():
    knowing = {
        name
        for name, tree in _files()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in {"homesteward.home.link", "homesteward.home.connection"}
    }
    assert {name for name in knowing if not name.startswith("home/")} == {
        "app/configuring.py",
        "app/doctor.py",
        "app/house.py",
        "app/memory.py",
        "app/opening.py",
    }


def test_what_is_asked_about_the_past_only_reads():
    """`home.recorder` sends what its table holds, and nothing else."""
    assert {read.value for read in Read} == {
        "history/history_during_period",
        "recorder/statistics_during_period",
        "recorder/get_statistics_metadata",
        "logbook/get_events",
        "logbook/get_action_calls",
        "trace/list",
        "trace/get",
        "energy/get_prefs",
    }


def test_a_form_is_sent_for_a_token_alone():
    posting = {
        name
        for name, tree in _files()
        if name.startswith("home/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"post", "_post"}
    }
    assert posting == {"home/sign_in.py", "home/tokens.py"}


def test_configuration_is_changed_by_one_file_with_a_table_of_what_it_may_send():
    changing = {
        name
        for name, tree in _files()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "change"
        if name.startswith("home/")
    }
    assert changing == {"home/write.py"}
    assert not ASKED & CHANGING
    assert all(command.endswith(("/list", "/get", "/config", "/substitute")) for command in ASKED - {"validate_config"})
