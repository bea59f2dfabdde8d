"""The API's document is true: whatever is sent, no answer is one that it does not name, and nothing breaks."""

import asyncio
import os
from functools import partial

import pytest
import schemathesis
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from homesteward.faces.web.authority import ROUTES, Authority
from homesteward.people import Reach, Role, Scope

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))
EXAMPLES = 400 if SOAKING else 3  # of each operation and kind: fit and unfit


@pytest.fixture
def document(household):
    return household.api.openapi()


def test_each_operation_says_what_it_needs_and_how_that_is_proven(document):
    for (method, path), access in ROUTES.items():
        operation = document["paths"].get(path, {}).get(method.lower())
        if operation is not None:
            assert operation["x-authority"] == access.authority
            assert bool(operation.get("security")) == (access.authority is not Authority.NONE), path


def test_each_operation_has_a_sentence_and_its_failures_are_problems(document):
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert operation["description"].endswith("."), path
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"], (path, status)


@pytest.mark.timeout(3600 if SOAKING else 120)
@pytest.mark.parametrize("who", ["owner", "kitchen"])
async def test_whatever_is_sent_is_answered_as_the_document_says(household, document, who):
    if who == "owner":
        somebody = household.service()
    else:
        scopes = (Scope.READ, Scope.PROPOSE, Scope.ACT)
        somebody = await household.token(*scopes, role=Role.TOKEN, reach=Reach.of(areas=["kitchen"]))
    schema = schemathesis.openapi.from_dict(document)
    loop = asyncio.get_running_loop()
    async with household.client(somebody) as client:

        async def answered(case):
            household.desk.rates._buckets.clear()
            sent = case.as_transport_kwargs(base_url="http://localhost")
            given_headers = {
                name: value
                for name, value in sent["headers"].items()
                if name.lower() not in {"authorization", "cookie"}
            }
            body = {key: sent[key] for key in ("json", "data", "content") if sent.get(key) is not None}
            if isinstance(body.get("data"), bytes | str):
                body["content"] = body.pop("data")
            return await client.request(
                sent["method"], sent["url"], headers=given_headers, params=sent.get("params"), **body
            )

        def check(case):
            try:
                answer = asyncio.run_coroutine_threadsafe(answered(case), loop).result(60)
            except ValueError:
                reject()  # no client can send it
            case.validate_response(Response.from_any(answer), checks=CHECKS)

        for operation in schema.get_all_operations():
            if operation.ok().path == "/api/v1/notices/events":
                continue  # it has no end; what it is asked is tried in test_notices
            await asyncio.to_thread(partial(tried, operation.ok(), check))


def tried(operation, check) -> None:
    """Send what fits the operation and what does not, a seeded sample of each."""
    kinds = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    cases = st.one_of(*(operation.as_strategy(generation_mode=kind) for kind in kinds))

    @settings(
        max_examples=2 * EXAMPLES,
        deadline=None,
        derandomize=not SOAKING,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def run(case):
        check(case)

    run()
