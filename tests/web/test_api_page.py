"""The page about the API, and the document behind it: all calls, and none of them breaks the server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error

from tests.web.reviews import reviewed_essays
from tests.web.visits import Visit


def test_every_call_is_on_the_page_with_its_words(visit: Visit) -> None:
    page, document = visit.page("/api"), visit.client.get("/api/v1/openapi.json").json()
    calls = [(m.upper(), path) for path, found in document["paths"].items() for m in found]

    assert len(calls) > 20
    for method, path in calls:
        assert f'<span class="method">{method}</span> <code>{path}</code>' in page
    assert not re.search(r'<span class="about"></span>', page)


def test_the_programs_on_the_page_are_python(visit: Visit) -> None:
    page = visit.page("/api")
    programs = re.findall(r'<code id="p-[a-z]+">(.*?)</code>', page, re.S)

    assert len(programs) == 5
    for program in programs:
        plain = program.replace("&#34;", '"').replace("&#39;", "'").replace("&lt;", "<").replace("&amp;", "&")
        compile(plain, "page", "exec")


def test_the_document_is_valid_openapi(visit: Visit) -> None:
    schema = schemathesis.openapi.from_dict(visit.client.get("/api/v1/openapi.json").json())
    schema.validate()


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    folder = tmp_path_factory.mktemp("fuzzed")
    made = Visit(f"sqlite:///{folder / 'assay.db'}", Path(folder) / "cache")
    made.workspace = reviewed_essays(made.site.database, items=12, reviewed=8)  # type: ignore[attr-defined]
    yield made
    made.close()


@pytest.fixture(scope="module")
def api_schema(fuzzed: Visit) -> Any:
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", fuzzed.app, base_url="http://127.0.0.1:8765")


schema = schemathesis.pytest.from_fixture("api_schema")


@schema.parametrize()
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
def test_no_request_makes_the_server_fail(case: Any, fuzzed: Visit) -> None:
    # a workspace that is there, or every request would end at "no such workspace"
    if "workspace_id" in (case.path_parameters or {}) and case.method != "DELETE":
        case.path_parameters["workspace_id"] = fuzzed.workspace  # type: ignore[attr-defined]
    case.call_and_validate(checks=(not_a_server_error,))
