"""Reading a rule file: YAML with the line of every mistake. What cannot be read is never half a policy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml
from pydantic import ValidationError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from homesteward.core.errors import HomestewardError
from homesteward.policy.rule import RuleFile

MAX_BYTES = 1024 * 1024
MAX_MISTAKES = 20
MAX_ALIASES = 100  # a few anchors are a convenience; thousands are a bomb


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
    """Return the rules in `text`; raise BadRuleFileError with the line of every mistake."""
    if len(text.encode()) > MAX_BYTES:
        raise BadRuleFileError([Mistake(1, "", f"it is longer than {MAX_BYTES // 1024} KiB")])
    root = _composed(text)
    try:
        return RuleFile.model_validate(yaml.safe_load(text))
    except ValidationError as wrong:
        found = wrong.errors(include_url=False, include_context=False, include_input=False)
        raise BadRuleFileError([_mistake(root, error["loc"], error["msg"]) for error in found[:MAX_MISTAKES]]) from None


def _composed(text: str) -> Node:
    """Return the nodes of the text; raise for what is no YAML, for keys given twice, and for too many aliases."""
    try:
        if sum(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)) > MAX_ALIASES:
            raise BadRuleFileError([Mistake(1, "", f"it has more than {MAX_ALIASES} aliases")])
        root = yaml.compose(text, yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or "it is no YAML"
        raise BadRuleFileError([Mistake(mark.line + 1 if mark else 1, "", str(said))]) from None
    if root is None:
        raise BadRuleFileError([Mistake(1, "", "it is empty; write at least 'version: 1'")])
    if twice := list(_given_twice(root)):
        raise BadRuleFileError(twice[:MAX_MISTAKES])
    return root


def _given_twice(node: Node) -> Iterator[Mistake]:
    """Yield each key that a mapping has twice: YAML would silently take the last, and drop a condition."""
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
                name = key.value if isinstance(key, ScalarNode) else ""
                if name in keys:
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
        path.append(str(step))
    where = ".".join(
        [*path, *(str(step) for step in place[len(path) :] if isinstance(step, str) and step.isidentifier())][:8]
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
