"""The page about the API, and the document behind it: all calls, and none of them breaks the server."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok

from tests.web.reviews import reviewed_essays
from tests.web.visits import Visit


def test_every_call_is_on_the_page_with_its_words(visit: Visit) -> None:
    page, document = visit.page("/api"), visit.client.get("/api/v1/openapi.json").json()
    calls = [(m.upper(), path) for path, found in document["paths"].items() for m in found]

    assert len(calls) >= 20
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


def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    visit = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", allowed_hosts=("testserver",))
    workspace = reviewed_essays(visit.site.database, items=12, reviewed=8)
    document = schemathesis.openapi.from_asgi("/api/v1/openapi.json", visit.app)
    asked: Counter[int] = Counter()
    for found in document.get_all_operations():
        assert isinstance(found, Ok)
        _ask(found.ok(), workspace, asked)
    visit.close()

    assert sum(asked.values()) > 100
    assert asked[200] > 10
    assert asked[422] > 10


def _ask(operation: Any, workspace: str, asked: Counter[int]) -> None:
    @settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        # a workspace that is there, or every request would end at "no such workspace"
        if "workspace_id" in (case.path_parameters or {}) and case.method != "DELETE":
            case.path_parameters["workspace_id"] = workspace
        if "item_id" in (case.path_parameters or {}):
            case.path_parameters["item_id"] = 1 + len(str(case.body)) % 12
        answer = case.call()
        case.validate_response(answer, checks=(not_a_server_error,))
        asked[answer.status_code] += 1

    ask()
