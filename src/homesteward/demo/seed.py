"""What a demo home's folder holds before Home Assistant's first start, so that it needs no onboarding.

Home Assistant keeps these things in `.storage`. Writing them beforehand is the only way to have a token before the
first start, and to bind to loopback from the first moment: `http:` in YAML is on trial for five minutes, and the
onboarding call that would end it starts integrations that look around in the network.
"""

import base64
import json
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import bcrypt
import jwt

from homesteward.core.text import fold
from homesteward.demo.errors import DemoError
from homesteward.demo.inventory import inventory

type Kind = Literal["demo", "ha-demo"]
type Units = Literal["metric", "us_customary"]
type Json = Mapping[str, Any]

HERE = Path(__file__).parent
TEMPLATES: Mapping[Kind, Path] = {"demo": HERE / "house", "ha-demo": HERE / "ha_demo"}
KEYS = "homesteward_demo_keys.json"
BORN = "2026-11-01T00:00:00+00:00"
TEN_YEARS = 10 * 365 * 86400
OWNER, MEMBER = "Robin", "Sam"
CHILD = "Zoë"  # of the household, without a user


@dataclass(frozen=True, slots=True)
class Keys:
    """How to get in: as the owner, with a token or at the form, and as a member of the household."""

    kind: Kind
    token: str
    user: str
    password: str
    member_token: str
    entities: int | None = None
    """How large it was grown; none as it is."""
    units: Units = "metric"


def seed(directory: Path, kind: Kind, port: int, *, entities: int | None = None, units: Units | None = None) -> Keys:
    """Prepare `directory` for a home of `kind` on `port`, and return its keys; one seeded before keeps its own.

    It also keeps its size and its units where none are given.
    """
    keys = _known_keys(directory, kind)
    if keys is None:
        directory.mkdir(parents=True, exist_ok=True)
        keys = _new_home(directory, kind)
    keys = replace(keys, entities=entities or keys.entities, units=units or keys.units)
    _write(directory / KEYS, asdict(keys))
    _copy_template(directory, keys)
    _store(directory, "http", _http(port), version=3)
    return keys


def _known_keys(directory: Path, kind: Kind) -> Keys | None:
    file = directory / KEYS
    if not file.exists():
        if (directory / ".storage").exists():
            raise DemoError(f"{directory} holds a Home Assistant that is not a demo home.", next="Name another folder.")
        return None
    keys = Keys(**json.loads(file.read_text(encoding="utf-8")))
    if keys.kind != kind:
        raise DemoError(f"{directory} holds a home of the kind {keys.kind!r}.", next="Name another folder.")
    return keys


def _new_home(directory: Path, kind: Kind) -> Keys:
    owner, member = _User.new(OWNER, "owner"), _User.new(MEMBER, "member")
    keys = Keys(kind, owner.token(), owner.username, secrets.token_urlsafe(12), member.token())
    _store(directory, "onboarding", {"done": ["user", "core_config", "analytics", "integration"]}, version=4)
    _store(directory, "auth", _auth(owner, member))
    _store(
        directory,
        "auth_provider.homeassistant",
        {"users": [_login(owner, keys.password), _login(member, keys.password)]},
    )
    _store(directory, "person", {"items": _persons(kind, owner, member)}, version=2)
    _store(directory, "core.config_entries", {"entries": _entries(kind)}, minor=5)
    return keys


def _copy_template(directory: Path, keys: Keys) -> None:
    """Bring the folder's own files up to date; what a person may have edited since stays."""
    template = TEMPLATES[keys.kind]
    for source in (*template.glob("*.yaml"), *template.glob("blueprints/**/*.yaml")):
        target = directory / source.relative_to(template)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.name == "configuration.yaml" or not target.exists():
            shutil.copyfile(source, target)
    for source in (template / "lists").glob("*.ics"):
        target = directory / ".storage" / source.name
        if not target.exists():
            shutil.copyfile(source, target)
    if keys.kind == "demo":
        ignored = shutil.ignore_patterns("__pycache__", ".mypy_cache")
        components = "custom_components"
        shutil.copytree(template / components, directory / components, dirs_exist_ok=True, ignore=ignored)
        (directory / "homesteward_demo.json").write_text(inventory(keys.entities).document, encoding="utf-8")
        (directory / "unit_system.yaml").write_text(f"{keys.units}\n", encoding="utf-8")
    # The always-loaded `ffmpeg` integration logs an error where there is none; nothing here converts media.
    tools = directory / "bin"
    tools.mkdir(exist_ok=True)
    ffmpeg = tools / "ffmpeg"
    ffmpeg.write_text('#!/bin/sh\necho "ffmpeg version 7.1"\n', encoding="utf-8")
    ffmpeg.chmod(0o755)


def _store(directory: Path, key: str, data: Json, *, version: int = 1, minor: int = 1) -> None:
    storage = directory / ".storage"
    storage.mkdir(exist_ok=True)
    _write(storage / key, {"version": version, "minor_version": minor, "key": key, "data": data})


def _write(path: Path, document: Json) -> None:
    path.touch(mode=0o600)
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")


def _http(port: int) -> Json:
    stable = {
        "server_port": port,
        "server_host": ["127.0.0.1"],
        "cors_allowed_origins": ["https://cast.home-assistant.io"],
        "login_attempts_threshold": -1,
        "ip_ban_enabled": True,
        "ssl_profile": "intermediate_v6",
        "use_x_frame_options": True,
        "created_at": BORN,
        "error": None,
        "error_message": None,
    }
    return {"stable": stable, "pending": None, "yaml_migration_done": True}


@dataclass(frozen=True, slots=True)
class _User:
    """A user with one long-lived token; ids are 32 hex digits because the recorder keeps them as 16 bytes."""

    name: str
    username: str
    user_id: str
    token_id: str
    jwt_key: str

    @classmethod
    def new(cls, name: str, username: str) -> _User:
        return cls(name, username, secrets.token_hex(16), secrets.token_hex(16), secrets.token_hex(64))

    def token(self) -> str:
        now = int(time.time())
        return jwt.encode({"iss": self.token_id, "iat": now, "exp": now + TEN_YEARS}, self.jwt_key, algorithm="HS256")


def _auth(owner: _User, member: _User) -> Json:
    groups = {"system-admin": "Administrators", "system-users": "Users", "system-read-only": "Read Only"}
    return {
        "users": [_user(owner, "system-admin", is_owner=True), _user(member, "system-users", is_owner=False)],
        "groups": [{"id": group, "name": name} for group, name in groups.items()],
        "credentials": [_credentials(owner), _credentials(member)],
        "refresh_tokens": [_refresh_token(owner), _refresh_token(member)],
    }


def _user(user: _User, group: str, *, is_owner: bool) -> Json:
    return {
        "id": user.user_id,
        "group_ids": [group],
        "is_owner": is_owner,
        "is_active": True,
        "name": user.name,
        "system_generated": False,
        "local_only": False,
    }


def _credentials(user: _User) -> Json:
    return {
        "id": secrets.token_hex(16),
        "user_id": user.user_id,
        "auth_provider_type": "homeassistant",
        "auth_provider_id": None,
        "data": {"username": user.username},
    }


def _refresh_token(user: _User) -> Json:
    return {
        "id": user.token_id,
        "user_id": user.user_id,
        "client_id": None,
        "client_name": "Homesteward demo",
        "client_icon": None,
        "token_type": "long_lived_access_token",
        "created_at": BORN,
        "access_token_expiration": float(TEN_YEARS),
        "token": secrets.token_hex(64),
        "jwt_key": user.jwt_key,
        "last_used_at": None,
        "last_used_ip": None,
        "expire_at": None,
        "credential_id": None,
        "version": None,
    }


def _login(user: _User, password: str) -> Json:
    # Few rounds: a demo password guards nothing, and it is hashed at every start of a test.
    hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds=4))
    return {"username": user.username, "password": base64.b64encode(hashed).decode()}


def _persons(kind: Kind, owner: _User, member: _User) -> Sequence[Json]:
    if kind == "ha-demo":
        return [_person(owner.name, owner), _person(member.name, member)]
    return [
        _person(owner.name, owner, "device_tracker.robins_phone"),
        _person(member.name, member, "device_tracker.sams_phone"),
        _person(CHILD, None, "device_tracker.zoes_tablet"),
    ]


def _person(name: str, user: _User | None, *trackers: str) -> Json:
    user_id = user.user_id if user else None
    return {
        "id": fold(name),
        "name": name,
        "user_id": user_id,
        "device_trackers": list(trackers),
        "picture": None,
    }


def _entries(kind: Kind) -> Sequence[Json]:
    shared = [
        _entry("sun", "Sun", source="import"),
        _entry("backup", "Backup", source="system"),
        # These two would ask the outside world at every start.
        _entry("analytics", "Analytics", source="system", disabled=True),
        _entry("marketplace", "", source="system", disabled=True),
    ]
    if kind == "ha-demo":
        return shared
    return [
        *shared,
        _entry("homesteward_demo", "Demo home"),
        _entry("local_todo", "Shopping", data={"todo_list_name": "Shopping", "storage_key": "shopping"}),
        _entry("local_calendar", "Family", data={"calendar_name": "Family", "storage_key": "family"}),
    ]


def _entry(domain: str, title: str, *, source: str = "user", disabled: bool = False, data: Json | None = None) -> Json:
    return {
        "created_at": BORN,
        "modified_at": BORN,
        "data": data or {},
        "disabled_by": "user" if disabled else None,
        "discovery_keys": {},
        "domain": domain,
        "entry_id": f"01{domain.upper().replace('_', '')}".ljust(26, "0")[:26],
        "minor_version": 1,
        "options": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "source": source,
        "subentries": [],
        "title": title,
        "unique_id": None,
        "version": 1,
    }
