"""Names, states, areas and anybody's words are hostile text: they show as text, on every page."""

import re

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Role

HTML = {"accept": "text/html"}
PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    '<a href="javascript:alert(1)">x</a>',
    "{{ 7 * 191 }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "${7*191}",
    "#{7*191}",
    "%(request)s",
    "%s%n%d",
    "<!--<script>",
    "]]><script>alert(1)</script>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    '<div hx-get="/auth/sign-out" hx-trigger="load">',
    "<form action=https://evil.example><button>",
    "\u202egnihtyna\u2066<b>",
)
COMPUTED = "1337"  # what a template that runs a payload would make of it


@pytest.fixture
def home() -> SimulatedHome:
    """A home in which everything that has a name has one of these."""
    things = [
        thing
        for n, name in enumerate(PAYLOADS)
        for thing in (
            Thing(f"lock.evil_{n}", name, f"evil_{n}", "jammed"),
            Thing(f"light.gone_{n}", name, f"evil_{n}", "unavailable"),
            Thing(f"binary_sensor.evil_{n}", name, f"evil_{n}", "on", device_class="door"),
        )
    ]
    built = SimulatedHome.build(things, areas=[Area(f"evil_{n}", name) for n, name in enumerate(PAYLOADS)])
    for n, name in enumerate(PAYLOADS):
        built.set_state(f"sensor.evil_{n}", "9", friendly_name=name, unit_of_measurement=name, device_class="battery")
    return built


def shown():
    """Yield every page that lists or tells things, and those that take words, with such words in them."""
    yield from ((path, {}) for path in ("/actions", "/actions/past", "/chronicle", "/chronicle/then", "/house"))
    for n, payload in enumerate(PAYLOADS):
        yield f"/house/lock.evil_{n}", {}
        yield f"/house/sensor.evil_{n}", {}
        yield "/house", {"area": f"evil_{n}"}
        yield "/chronicle/why", {"entity": f"lock.evil_{n}"}
        yield "/house", {"text": payload, "area": payload, "domain": payload}
        yield "/actions/past", {"text": payload, "before": payload}
        yield "/chronicle", {"text": payload, "area": payload, "user": payload, "since": payload, "entity": payload}
        yield "/chronicle/why", {"entity": payload, "ref": payload}
        yield "/chronicle/then", {"at": payload, "area": payload}


@pytest.fixture
async def pages(household, monkeypatch) -> list[str]:
    """Every page of ours in such a home: with plans on such things, and with such requests."""
    monkeypatch.setattr("homesteward.faces.web.pages.unusual.MOST_SHOWN", 100)
    texts = []
    async with household.client(await household.person(Role.OWNER)) as client:
        for n, payload in enumerate(PAYLOADS):
            household.desk.rates._buckets.clear()
            call = {"domain": "lock", "service": "lock", "target": {"entity_id": f"lock.evil_{n}"}}
            assert (await client.post("/api/v1/tools/call_service", json={"arguments": call})).status_code == 200
            asked = (await client.post("/api/v1/ask", json={"text": payload})).json()
            texts.append((await client.get(f"/ask?conversation={asked['conversation_id']}", headers=HTML)).text)
        texts += [
            (await client.get(f"/plans/{plan['id']}", headers=HTML)).text
            for plan in (await client.get("/api/v1/plans")).json()
        ]
        await household.chronicle.flush()
        for path, params in shown():
            household.desk.rates._buckets.clear()
            texts.append((await client.get(path, params=params, headers=HTML)).text)
        texts.append((await client.get("/", headers=HTML)).text)
        texts.append((await client.get("/nowhere", params={"x": PAYLOADS[0]}, headers=HTML)).text)
    return texts


async def test_they_show_as_text_wherever_they_stand(pages):
    whole = "\n".join(pages)
    assert len(set(PAYLOADS)) == 20
    for raw in ("<script>", "onerror=alert(1)>", "<svg onload", "<iframe", "<form action=https", '<a href="javascript'):
        assert raw not in whole
    assert COMPUTED not in re.sub(r"\w{8,}", "", whole)
    assert "&lt;img src=x onerror=alert(1)&gt;" in whole
    assert "{{ 7 * 191 }}" in whole


async def test_each_tag_and_each_attribute_is_one_of_ours(pages):
    for text in pages:
        tags = re.findall(r"<([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:=(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?)*)", text)
        assert {tag for tag, _ in tags} <= TAGS
        named = {
            name for _, given in tags for name in re.findall(r"\s([^\s=>/\"']+)=", re.sub(r'"[^"]*"', '""', given))
        }
        assert {name for name in named if name.startswith("on")} == set()


TAGS = frozenset(
    ["html", "head", "meta", "title", "link", "script", "body", "svg", "symbol", "path", "use", "a", "div", "header", "img", "span", "details", "summary", "dl", "dt", "dd", "form", "input", "button", "p", "nav", "ul", "ol", "li", "main", "time", "section", "aside", "h1", "h2", "h3", "label", "textarea", "select", "option", "article", "b", "table", "thead", "tbody", "tr", "th", "td", "code", "br", "footer", "noscript", "figure", "figcaption", "defs", "marker", "g", "circle", "rect", "text", "output", "fieldset", "legend", "dialog", "template"]
)  # fmt: skip
