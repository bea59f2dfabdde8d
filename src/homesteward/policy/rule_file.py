"""Reading a rule file: YAML with the line of every mistake. What cannot be read is never half a policy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml
from pydantic import ValidationError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from homesteward.core.errors import HomestewardError
from homesteward.core.yaml_size import TooMuchYamlError, require_bounded
from homesteward.policy.rule import RuleFile

MAX_BYTES = 256 * 1024  # a thousand rules; read on the way to a decision, so that it must not take long
MAX_MISTAKES = 20
MAX_ALIASES = 100  # a few anchors are a convenience; thousands are a bomb
MAX_DEPTH = 40  # rules go some ten levels down
MAX_NODES = 60_000  # its aliases written out
MAX_SAID = 200  # characters of what somebody wrote, in a message
TOO_LONG = f"it is longer than {MAX_BYTES // 1024} KiB"
MAX_NAME = 60  # of a key
MERGE = "tag:yaml.org,2002:merge"
# What YAML's own types raise for a text that is none of theirs, beside its own errors: `2026-13-45`, `!!bool maybe`, `!!int ""`.
UNBUILDABLE = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml is ten times as fast, where PyYAML was built with it


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a rule file: where, as line (from 1) and path, and what."""

    line: int
    path: str
    message: str


class BadRuleFileError(HomestewardError):
    """The rule file cannot be read; `mistakes` say where. Nothing of it holds."""

    code = "bad_policy"

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        """Tell of all `mistakes`, at least one."""
        self.mistakes = tuple(mistakes)
        told = "; ".join(f"line {mistake.line}: {mistake.message}" for mistake in self.mistakes[:3])
        more = f" (and {len(self.mistakes) - 3} more)" if len(self.mistakes) > 3 else ""
        super().__init__(
            f"The rule file cannot be used: {told}{more}.",
            next="Mend it; until then nothing is changed without an owner.",
        )


def parse_rules(text: str) -> RuleFile:
    """Return the rules in `text`; raise BadRuleFileError, and nothing else, with the line of every mistake."""
    root, written = built(text)
    try:
        return RuleFile.model_validate(written)
    except ValidationError as wrong:
        found = wrong.errors(include_url=False, include_context=False, include_input=False)
        raise BadRuleFileError([_mistake(root, error["loc"], error["msg"]) for error in found[:MAX_MISTAKES]]) from None
    except UNBUILDABLE as error:
        raise BadRuleFileError([Mistake(1, "", f"it holds what is no rule ({_brief(error)})")]) from None


def built(text: str) -> tuple[Node, object]:
    """Return the nodes of the text and what they stand for; raise BadRuleFileError for what is no YAML, and for what no such file needs."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadRuleFileError([Mistake(1, "", "it holds characters that are no text")]) from None
    if size > MAX_BYTES:
        raise BadRuleFileError([Mistake(1, "", TOO_LONG)])
    try:
        _require_harmless(text)
        loader = LOADER(text)
        try:
            root = loader.get_single_node()
            if root is None:
                raise BadRuleFileError([Mistake(1, "", "it is empty; write at least 'version: 1'")])
            if wrong := list(_ambiguous(root)):
                raise BadRuleFileError(wrong[:MAX_MISTAKES])
            return root, loader.construct_document(root)
        finally:
            loader.dispose()
    except (yaml.YAMLError, *UNBUILDABLE) as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or f"it is no YAML ({_brief(error)})"
        line = (
            min(mark.line + 1, text.count("\n") + 1) if mark else 1
        )  # the end of the text is told as the line after it
        raise BadRuleFileError([Mistake(line, "", str(said)[:MAX_SAID])]) from None


def _require_harmless(text: str) -> None:
    """Raise for too many aliases, and for a nesting deeper than any rule: what goes down into it would run out of stack."""
    aliases = depth = 0
    for event in yaml.parse(text, LOADER):
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.ScalarEvent):
            event.value.encode()  # half a pair of surrogates cannot be stored, nor shown
        if aliases > MAX_ALIASES:
            raise BadRuleFileError([Mistake(1, "", f"it has more than {MAX_ALIASES} aliases")])
        if depth > MAX_DEPTH:
            mark = event.start_mark
            raise BadRuleFileError(
                [Mistake(mark.line + 1 if mark else 1, "", f"it is nested deeper than {MAX_DEPTH} levels")]
            )
    try:
        require_bounded(text, MAX_BYTES, MAX_NODES)
    except TooMuchYamlError as much:
        raise BadRuleFileError([Mistake(1, "", str(much))]) from None


def _brief(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:MAX_SAID]


def _ambiguous(node: Node) -> Iterator[Mistake]:
    """Yield each key that a mapping has twice, and each merge: YAML would silently take one of them, and drop a condition."""
    pending, seen_nodes = [node], set[int]()
    while pending:
        each = pending.pop()
        if id(each) in seen_nodes:
            continue
        seen_nodes.add(id(each))
        if isinstance(each, SequenceNode):
            pending += each.value
        elif isinstance(each, MappingNode):
            keys: set[str] = set()
            for key, value in each.value:
                name = key.value[:MAX_SAID] if isinstance(key, ScalarNode) else ""
                if key.tag == MERGE:  # some dozen of them, each of two before, make more than a machine holds
                    yield Mistake(key.start_mark.line + 1, "<<", "'<<' is not taken; write out what it stands for")
                elif name in keys:
                    yield Mistake(key.start_mark.line + 1, name, f"{name!r} is given twice")
                keys.add(name)
                pending.append(value)


def _mistake(root: Node, place: tuple[int | str, ...], said: str) -> Mistake:
    node, path = root, list[str]()
    for step in place:
        onward = _child(node, step)
        if onward is None:
            break  # a key that is missing, or a name of pydantic's own for one of several forms
        node = onward
        path.append(str(step)[:MAX_NAME])
    where = ".".join(
        [
            *path,
            *(str(step)[:MAX_NAME] for step in place[len(path) :] if isinstance(step, str) and step.isidentifier()),
        ][:8]
    )
    message = said.removeprefix("Value error, ")
    return Mistake(node.start_mark.line + 1, where, f"{where}: {message}" if where else message)


def _child(node: Node, step: int | str) -> Node | None:
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        child: Node = node.value[step]
        return child
    if isinstance(node, MappingNode):
        return next(
            (value for key, value in node.value if isinstance(key, ScalarNode) and key.value == str(step)), None
        )
    return None
