"""Every setting there is, typed, with its default. `docs/settings.md` lists them; a test holds the two together."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from homesteward.settings.folders import data_folder

type Mode = Literal["observe", "plan", "auto"]
type PresetName = Literal["family", "cautious", "read_only", "guest_weekend", "open"]
type ProfileName = Literal["rapid", "balanced", "deep"]
type LogLevel = Literal["debug", "info", "warning", "error"]


class ModelKind(StrEnum):
    """Which kind of model, if any, is asked."""

    NONE = "none"
    OPENAI_COMPATIBLE = "openai_compatible"


class HomeAssistantKind(StrEnum):
    """How Home Assistant is reached: at its address, or through the Supervisor that this runs under."""

    AUTO = "auto"
    DIRECT = "direct"
    SUPERVISOR = "supervisor"


class ToolMode(StrEnum):
    """How a model proposes: by its own tool calls, or by choosing from a list made for it."""

    NATIVE = "native"
    CHOICE = "choice"


class Section(BaseModel):
    """A part of the settings: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class HomeAssistantSettings(Section):
    """How Home Assistant is reached."""

    kind: HomeAssistantKind = HomeAssistantKind.AUTO
    url: str = ""
    token: SecretStr = SecretStr("")
    refresh_token: SecretStr = SecretStr("")
    """In place of a long-lived `token`: fetches an access token of half an hour whenever one is needed."""
    client_id: str = ""
    """The address that `refresh_token` was given to, exactly as at that sign-in."""
    verify_tls: bool = True
    """Whether a secure address must prove whose it is, for the socket and REST alike."""
    ca_file: Path | None = None


class WebSettings(Section):
    """Where the service listens. Port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8126
    hosts: tuple[str, ...] = ()
    """Further names that browsers reach the service by; a request for any other is not served."""
    ha_url: str = ""
    """Home Assistant's address as a browser reaches it, for signing in. Empty takes `ha.url`."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies. Only they are believed about scheme, host, path and address of whoever asks."""
    ingress: bool = False
    """Whether it stands behind Home Assistant's ingress, as an add-on does."""
    ingress_from: tuple[str, ...] = ("172.30.32.2",)
    """Where ingress comes from: the Supervisor's own address. Its headers mean nothing from anywhere else."""


class PolicySettings(Section):
    """What may happen without being asked twice. A new installation changes nothing until dry run is switched off."""

    preset: PresetName = "family"
    mode: Mode = "auto"
    dry_run: bool = True
    file: Path = Path("policy.yaml")
    """The owner's rules; a path that is not absolute lies in the data folder."""
    verify_factor: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Scales how long an entity is watched after a command."""


class NoticeSettings(Section):
    """How the owner is told of something beside the pages."""

    target: str = ""
    """A notify service or entity of Home Assistant's, such as `notify.mobile_app_phone`; empty tells nobody."""
    link: str = ""
    """The service's own address as the owner's phone reaches it, so that a notice leads to what it is about."""
    per_hour: Annotated[int, Field(ge=1, le=1000)] = 20
    """The most that go out in an hour; the rest are on the pages alone."""


class StoreSettings(Section):
    """Where things are kept: files in the data folder, or one PostgreSQL for many homes."""

    url: SecretStr = SecretStr("")
    """`postgresql://user:password@host/database`; empty keeps SQLite files in the data folder."""
    key: SecretStr = SecretStr("")
    """The key that secrets and the audit are sealed with, 32 bytes in base64; empty keeps one in the data folder."""


class ChronicleSettings(Section):
    """What is remembered of the house, and for how long. Patterns are entity ids with `*` for any part."""

    keep_days: Annotated[int, Field(ge=1, le=3650)] = 90
    drop: tuple[str, ...] = ()
    """Never kept, whatever the filter says."""
    keep: tuple[str, ...] = ()
    """Every change kept, whatever the filter says."""
    deadbands: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Pattern -> how far a number must move, in the entity's own unit, to be worth a row."""
    redact: tuple[str, ...] = ()
    """Fields of service data whose values are never kept, beside codes, PINs, passwords and tokens: such as `message`."""


class ModelSettings(Section):
    """The language model that proposes, where one is set up."""

    kind: ModelKind = ModelKind.NONE
    base_url: str = ""
    model: str = ""
    api_key: SecretStr = SecretStr("")
    tool_mode: ToolMode = ToolMode.NATIVE
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 120.0
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_tokens: Annotated[int, Field(ge=16, le=65536)] = 1024


class Settings(BaseSettings):
    """All settings. An environment variable names one by its path: `HOMESTEWARD_POLICY__DRY_RUN=false`."""

    model_config = SettingsConfigDict(env_prefix="HOMESTEWARD_", env_nested_delimiter="__", extra="forbid", frozen=True)

    ha: HomeAssistantSettings = HomeAssistantSettings()
    web: WebSettings = WebSettings()
    policy: PolicySettings = PolicySettings()
    model: ModelSettings = ModelSettings()
    store: StoreSettings = StoreSettings()
    chronicle: ChronicleSettings = ChronicleSettings()
    notices: NoticeSettings = NoticeSettings()
    data: Path = Field(default_factory=data_folder)
    language: str = ""
    """The language of answers where a request names none; empty takes Home Assistant's."""
    profile: ProfileName = "balanced"
    log_level: LogLevel = "info"
    """What is worth a line on stderr. `debug` adds what the libraries say."""
