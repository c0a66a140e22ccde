"""The page about the API, and the document behind it: all calls, and none of them breaks the server."""

import re
from pathlib import Path

import schemathesis

from assay.web.pages.home import kind_words, subjects
from tests.web.filled import Filled, fill
from tests.web.fuzzing import ask_everything
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

    schema.validate()  # raises where the document is not as OpenAPI wants it
    assert {"/api/v1/workspaces", "/api/v1/jobs/{job_id}"} <= set(schema.raw_schema["paths"])


def test_no_request_makes_the_server_fail_and_every_answer_is_as_the_document_says(tmp_path: Path) -> None:
    filled = fill(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", allowed_hosts=("testserver",))
    asked = ask_everything(filled, examples=15)
    # requests drawn at random seldom start a job, so one is started for certain
    program = filled.visit.another()
    started = [program.post(f"/api/v1/workspaces/{id_}/jobs", json={}) for id_ in filled.known]
    filled.visit.close()

    assert sum(asked.values()) >= 250
    assert all(asked[status] >= 3 for status in (200, 201, 204, 404, 422))
    assert 202 in [answer.status_code for answer in started]


def test_a_program_that_is_not_signed_in_gets_nothing_whatever_it_asks(tmp_path: Path) -> None:
    hosts, cache = ("testserver",), tmp_path / "cache"
    filled = fill(f"sqlite:///{tmp_path / 'assay.db'}", cache, allowed_hosts=hosts)
    guarded = Visit(f"sqlite:///{tmp_path / 'assay.db'}", cache, allowed_hosts=hosts, accounts=True)
    asked = ask_everything(Filled(guarded, filled.known), examples=4, headers={"Authorization": "Bearer guessed"})
    filled.visit.close()
    guarded.close()

    assert set(asked) <= {400, 401, 422}
    assert asked[401] > 40


def test_what_a_call_takes_and_gives_is_said_by_subject(visit: Visit) -> None:
    calls = subjects(visit.client.get("/api/v1/openapi.json").json())
    (start,) = [call for call in calls["jobs"] if call["path"].endswith("/jobs") and call["method"] == "POST"]

    assert {field["name"]: field["kind"] for field in start["fields"]} == {
        "workspace_id": "text",
        "task": "score or train or refit",
        "settings": "object",
    }
    assert start["gives"] == "job"
    assert [call["method"] for call in calls["models"]] == ["GET", "POST"]


def test_a_kind_of_many_values_is_counted() -> None:
    assert kind_words({}, {"enum": list("abcde")}) == "one of 5: a, b, c, d, e"
    assert kind_words({"a": {"type": "integer"}}, {"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}) == (
        "whole number or nothing"
    )
