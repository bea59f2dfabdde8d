"""What the API is sent, validated before anything else looks at it."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, SecretStr

from homesteward.people import Role, Scope
from homesteward.settings.settings import PresetName
from homesteward.steward.request import MAX_TEXT

MAX_RULES_TEXT = 1024 * 1024
type Name = Annotated[str, Field(min_length=1, max_length=80)]
type Id = Annotated[str, Field(min_length=1, max_length=255)]
# What somebody writes on one line: a line feed, or a character that no database takes, is in no id.
ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
type Ids = Annotated[list[Id], Field(max_length=500)]
type Pin = Annotated[SecretStr, Field(min_length=1, max_length=48)]  # how long one may be, `people.pins` says in words


class Form(BaseModel):
    """A request body: unknown keys are errors, so that a misspelled guard is never silently none."""

    model_config = ConfigDict(extra="forbid")


class AskForm(Form):
    """One sentence for the house."""

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    conversation_id: str = Field("", max_length=100)
    mode: Literal["observe", "plan", "auto"] | None = None
    profile: Literal["rapid", "balanced", "deep"] | None = None
    language: str = Field("", max_length=20)
    area: str = Field("", max_length=200)


class ApproveForm(Form):
    """Which steps of a plan are approved; none named means all."""

    steps: list[int] | None = Field(None, max_length=100)


class EditForm(Form):
    """What is wanted instead of a plan that waits: its calls, all of them."""

    calls: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=50)]


class ExplainForm(Form):
    """A call to be judged, not made: by the preset named, else by the one that is set."""

    call: dict[str, Any]
    preset: PresetName | None = None


class ConfigForm(Form):
    """An object of Home Assistant's configuration to be written: an object, or YAML."""

    kind: str = Field(min_length=1, max_length=40, pattern=ONE_LINE)
    id: str = Field("", max_length=200, pattern=ONE_LINE)
    config: dict[str, Any] | Annotated[str, Field(max_length=MAX_RULES_TEXT)]
    edit: bool = False
    request: str = Field("", max_length=MAX_TEXT)


class ConfigDeleteForm(Form):
    """An object of Home Assistant's configuration to be deleted."""

    kind: str = Field(min_length=1, max_length=40, pattern=ONE_LINE)
    id: str = Field(min_length=1, max_length=200, pattern=ONE_LINE)
    request: str = Field("", max_length=MAX_TEXT)


class ConfigRestoreForm(Form):
    """A version of an object to be brought back."""

    kind: str = Field(min_length=1, max_length=40, pattern=ONE_LINE)
    id: str = Field(min_length=1, max_length=200, pattern=ONE_LINE)
    n: int = Field(ge=1, le=2**31 - 1)


class ScheduleForm(Form):
    """A call to be made later (`at` or `in`), for a while (`until` or `for`), or both, where the conditions hold then."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    call: dict[str, Any]
    at: str = Field("", max_length=40)
    after: Any = Field(None, alias="in")
    until: str = Field("", max_length=40)
    lasting: Any = Field(None, alias="for")
    given: Annotated[list[dict[str, Any]], Field(max_length=5)] = Field(default_factory=list, alias="if")
    request: str = Field("", max_length=MAX_TEXT)

    @property
    def when(self) -> dict[str, Any]:
        """Return when it is to be done, as it is read anew behind the door."""
        return self.model_dump(by_alias=True, exclude_defaults=True, exclude={"call", "request"})


class RulesForm(Form):
    """A rule file, as it is to lie on the disk."""

    rules: str = Field(max_length=MAX_RULES_TEXT)


class RestoreForm(Form):
    """Which version is put back."""

    n: int = Field(ge=1, le=2**31 - 1)


class TestForm(Form):
    """A file of tests, and the rules to judge by where they do not stand in it."""

    tests: str = Field(max_length=MAX_RULES_TEXT)
    rules: str | None = Field(None, max_length=MAX_RULES_TEXT)


class SimulateForm(Form):
    """How far back, and by which rules; by those that hold where none are given."""

    since: str = Field("30d", max_length=100)
    rules: str | None = Field(None, max_length=MAX_RULES_TEXT)


class ToolForm(Form):
    """A tool's arguments."""

    arguments: dict[str, Any] = Field(default_factory=dict)


class PersonForm(Form):
    """Somebody to be added: a guest until `ends`, or a member who has a user in Home Assistant."""

    name: Name
    role: Literal[Role.GUEST, Role.MEMBER] = Role.GUEST
    ha_user_id: Id | None = None
    ends: AwareDatetime | None = None


class PersonChangeForm(Form):
    """What is to be changed of a person; what is left out stays."""

    name: Name | None = None
    role: Literal[Role.OWNER, Role.MEMBER, Role.GUEST] | None = None
    ends: AwareDatetime | None = None
    disabled: bool | None = None


class PinForm(Form):
    """A PIN to be set."""

    pin: Pin


class SecretForm(Form):
    """A secret to be kept, such as the code of a lock."""

    value: Annotated[SecretStr, Field(min_length=1, max_length=65_536)]


class OfferForm(Form):
    """How an offer is to be used: what it is called, who may say it, and in which areas; as usual where nothing is said.

    With the `fingerprint` that was looked at, only that form of it is enabled.
    """

    phrases: Annotated[list[Name], Field(max_length=10)] = Field(default_factory=list)
    roles: Annotated[list[Role], Field(max_length=10)] = Field(default_factory=list)
    areas: Ids = Field(default_factory=list)
    fingerprint: str | None = Field(None, max_length=64)


class DeviceForm(Form):
    """A satellite or kiosk that may ask by itself, by Home Assistant's id of it."""

    device_id: Id
    role: Literal[Role.MEMBER, Role.GUEST] = Role.GUEST
    name: Annotated[str, Field(max_length=80)] = ""


class ReachForm(Form):
    """An entity set: everything in one of the areas, with one of the labels, or named."""

    areas: Ids = Field(default_factory=list)
    labels: Ids = Field(default_factory=list)
    entities: Ids = Field(default_factory=list)


class TokenForm(Form):
    """A token to be made; without a `reach` it is for the whole home, without `ends` for good."""

    name: Name
    scopes: Annotated[set[Scope], Field(min_length=1)]
    reach: ReachForm | None = None
    role: Literal[Role.OWNER, Role.MEMBER, Role.GUEST, Role.TOKEN] = Role.TOKEN
    person_id: Id | None = None
    ends: AwareDatetime | None = None


class StepUpForm(Form):
    """What is to be proven for, a plan's id or a purpose; without a PIN it takes a sign-in that is fresh."""

    purpose: str = Field(min_length=1, max_length=100, pattern=r"^[a-z0-9_]+$")
    pin: Pin | None = None


class PurgeForm(Form):
    """What is forgotten: everything before a moment, which is written as people write one, in the home's time."""

    before: str = Field(min_length=1, max_length=100)
