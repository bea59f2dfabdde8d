"""The page about rules says what rules do: each row of its tables is tried, and an owner's rule, limit and preset are tested as an owner would."""

import re
from pathlib import Path

import pytest

from homesteward.policy import Policy, Preset, RuleBook, parse_rules
from homesteward.policy.examples import judge_examples, parse_examples
from homesteward.policy.rule import Limit, When

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text()
CONDITIONS = re.search(r"\| condition \| holds when \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE)

HOME = """
home:
  light.kitchen_ceiling: {area: Kitchen, floor: Ground floor, labels: [Evening], state: "off", attributes: {supported_color_modes: [brightness]}}
  light.study: {area: Study, attributes: {supported_color_modes: [brightness]}}
  cover.garage: {device_class: garage}
  lock.front: {}
  alarm_control_panel.house: {state: armed_away}
  script.good_night: {does: {service: lock.lock, target: {entity_id: lock.front}}}
  sun.sun: {state: below_horizon}
  person.ada: {state: not_home}
"""
LAMP = "{service: light.turn_on, target: {entity_id: light.kitchen_ceiling}}"
OTHER = "{service: light.turn_on, target: {entity_id: light.study}}"
BRIGHT = "{service: light.turn_on, target: {entity_id: light.kitchen_ceiling}, data: {brightness_pct: 90}}"
DIM = "{service: light.turn_on, target: {entity_id: light.kitchen_ceiling}, data: {brightness_pct: 70}}"
# condition -> as the page writes it, a case that it fits, one that it does not
ROWS = {
    "domain": ("domain: light", LAMP, "{service: lock.lock, target: {entity_id: lock.front}}"),
    "service": (
        "service: [lock.unlock, '*.turn_off']",
        "{service: lock.unlock, target: {entity_id: lock.front}}",
        LAMP,
    ),
    "entity": ('entity: "light.kitchen_*"', LAMP, OTHER),
    "area": ("area: kitchen", LAMP, OTHER),
    "floor": ("floor: Ground floor", LAMP, OTHER),
    "label": ("label: evening", LAMP, OTHER),
    "device_class": ("device_class: garage", "{service: cover.open_cover, target: {entity_id: cover.garage}}", LAMP),
    "kind": ("kind: sensitive", "{service: lock.unlock, target: {entity_id: lock.front}}", LAMP),
    "data": ("data: {brightness_pct: {above: 80}}", BRIGHT, DIM),
    "through": (
        "through: script.good_night",
        "{service: script.good_night}",
        "{service: lock.lock, target: {entity_id: lock.front}}",
    ),
    "role": ("role: guest", f"{LAMP}\n  role: guest", LAMP),
    "person": ("person: Ada", f"{LAMP}\n  person: Ada", f"{LAMP}\n  person: Ben"),
    "channel": ("channel: cli", LAMP, None),
    "token": ("token: token_1", None, LAMP),
    "time": ('time: "22:00-06:00"', f"{LAMP}\n  at: 2026-11-30 23:00:00", LAMP),
    "weekday": ("weekday: [sat, sun]", f"{LAMP}\n  at: 2026-11-28 12:00:00", LAMP),
    "sun": ("sun: down", LAMP, f"{LAMP}\n  states: {{sun.sun: above_horizon}}"),
    "presence": ("presence: nobody", LAMP, f"{LAMP}\n  states: {{person.ada: home}}"),
    "state": (
        "state: {alarm_control_panel.house: armed_away}",
        LAMP,
        f"{LAMP}\n  states: {{alarm_control_panel.house: disarmed}}",
    ),
    "mode": ("mode: plan", f"{LAMP}\n  mode: plan", LAMP),
    "outside": ("outside: true", f"{LAMP}\n  outside: true", LAMP),
    "more_than": ("more_than: 5 per hour", None, LAMP),
    "not": ("not: {role: owner}", LAMP, f"{LAMP}\n  role: owner"),
}


def cells():
    assert CONDITIONS
    return [row.split("|")[1] for row in CONDITIONS[1].splitlines()]


def test_the_page_has_a_row_for_every_condition_and_no_other():
    named = {name for cell in cells() for name in re.findall(r"`(\w+):", cell)}
    assert named == {"not" if name == "none_of" else name for name in When.model_fields}
    assert set(ROWS) == named


def test_the_page_names_every_limit():
    measures = set(Limit.model_fields) - {"name", "when", "then", "enabled"}
    assert {name for name in measures if f"`{name}`" not in PAGE} == set()


@pytest.mark.parametrize("name", ROWS)
def test_a_condition_holds_where_the_page_says_and_nowhere_else(name):
    written, fitting, other = ROWS[name]
    policy = f"policy: {{version: 1, rules: [{{name: It, when: {{{written}}}, then: deny}}]}}"
    cases = [("fits", fitting, "rule It"), ("does not", other, None)]
    listed = [f"- name: {title}\n  call: {call}\n  expect: {{action: deny}}\n" for title, call, _ in cases if call]
    examples = parse_examples(f"{policy}\n{HOME}\ncases:\n{''.join(listed)}")
    decided = {
        each.name: each.decision.rule for each in judge_examples(examples, Policy(book=RuleBook(examples.policy)))
    }
    assert decided.get("fits", "rule It") == "rule It"
    assert decided.get("does not") != "rule It"


@pytest.mark.parametrize("cell", cells())
def test_a_row_can_be_written_as_it_stands(cell):
    for written in re.findall(r"`([^`]+)`", cell):
        example = written if ":" in written and not written.endswith(":") else None
        if example:
            parse_rules(f"version: 1\nrules:\n- name: It\n  then: deny\n  when: {{{example}}}\n")


OWNERS_RULE = """
policy:
  version: 1
  rules:
  - {name: Nobody lets in at night, when: {kind: sensitive, time: "23:00-05:00"}, then: deny, notify: true}
home:
  lock.front: {}
  script.party: {does: [{service: lock.unlock, target: {entity_id: lock.front}}]}
cases:
- {name: at night, call: {service: lock.unlock, target: {entity_id: lock.front}}, role: owner, at: 2026-11-30 23:30:00, expect: deny}
- {name: by a script, call: {service: script.party}, role: owner, at: 2026-11-30 23:30:00, expect: {action: deny, rule: rule Nobody lets in at night}}
- {name: by day, call: {service: lock.unlock, target: {entity_id: lock.front}}, role: owner, expect: approve}
"""
OWNERS_LIMIT = """
policy:
  version: 1
  rules:
  - {name: Everybody may heat, when: {domain: climate}, then: allow}
  limits:
  - {name: Nursery, when: {area: Nursery, domain: climate}, temperature: {min: 17, max: 22, step: 2}}
home:
  climate.nursery: {area: Nursery, attributes: {temperature: 20}}
  climate.study: {area: Study, attributes: {temperature: 20}}
cases:
- {name: within, call: {service: climate.set_temperature, target: {entity_id: climate.nursery}, data: {temperature: 21}}, expect: allow}
- {name: too warm, call: {service: climate.set_temperature, target: {entity_id: climate.nursery}, data: {temperature: 23}}, expect: {action: deny, rule: limit Nursery}}
- {name: too far, call: {service: climate.set_temperature, target: {entity_id: climate.nursery}, data: {temperature: 17.5}}, expect: deny}
- {name: elsewhere, call: {service: climate.set_temperature, target: {entity_id: climate.study}, data: {temperature: 23}}, expect: allow}
"""
OWNERS_PRESET = """
policy: {version: 1, preset: cautious}
home:
  light.a: {}
  lock.front: {}
cases:
- {name: a lamp is asked back, call: {service: light.turn_on, target: {entity_id: light.a}}, role: owner, expect: {action: confirm, rule: "preset cautious: routine"}}
- {name: a lock is an owner's to allow, call: {service: lock.unlock, target: {entity_id: lock.front}}, expect: {action: approve, by: owner}}
- {name: a guest gets no lock, call: {service: lock.unlock, target: {entity_id: lock.front}}, role: guest, expect: deny}
- {name: looking is free, call: {service: homeassistant.update_entity, target: {entity_id: light.a}}, role: guest, expect: allow}
- {name: the deny list holds, call: {service: shell_command.wipe}, role: owner, expect: {action: deny, rule: deny list}}
"""


@pytest.mark.parametrize("text", [OWNERS_RULE, OWNERS_LIMIT, OWNERS_PRESET], ids=["rule", "limit", "preset"])
def test_an_owner_tests_a_rule_a_limit_and_a_preset(text):
    examples = parse_examples(text)
    assert examples.policy is not None
    rules = examples.policy
    policy = Policy(Preset(rules.preset or "family"), RuleBook(rules))
    assert [each.wrong for each in judge_examples(examples, policy)] == [""] * len(examples.cases)


@pytest.mark.parametrize("preset", [preset for preset in Preset if preset is not Preset.OPEN])
def test_every_preset_can_be_named_in_a_file(preset):
    assert parse_rules(f"version: 1\npreset: {preset}").preset == preset
