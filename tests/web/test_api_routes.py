"""The REST API from creating a workspace to its exports, as a program uses it."""

import re
from io import BytesIO

from fastapi.routing import APIRoute

from assay.web.api_routes import router
from tests.web.pages.test_evaluation import SCORES
from tests.web.visits import Visit


def test_a_program_creates_uploads_starts_polls_and_exports(visit_on_both: Visit) -> None:
    visit, api = visit_on_both, visit_on_both.another()
    made = api.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Pilot"}).json()
    here = f"/api/v1/workspaces/{made['id']}"
    uploaded = api.post(f"{here}/uploads/scores", files={"files": ("scores.csv", BytesIO(SCORES.encode()))}).json()
    settings = {"human": ["rater"], "system": ["engine", "other"], "groups": ["group"], "id": "id", "scale": "1-5"}
    job = api.post(f"{here}/jobs", json={"settings": settings}).json()["job"]
    visit.work()
    polled = api.get(f"/api/v1/jobs/{job['id']}").json()
    results = api.get(f"{here}/results").json()
    exports = api.get(f"{here}/exports").json()["exports"]
    content = {file["path"]: api.get(f"{here}/exports/{file['path']}").content for file in exports}

    assert uploaded["uploads"][0]["name"] == "scores.csv"
    assert (job["total"], polled["job"]["state"], polled["failures"]) == (3, "done", [])
    assert [result["item"]["name"] for result in results["results"]] == ["engine", "other", "Comparison"]
    assert 0.5 < results["results"][0]["payload"]["figures"]["qwk"]["value"] < 1
    assert results["total"] == 3
    assert all(len(file) > 100 for file in content.values())
    assert api.get(here).json()["summary"]["trust"].startswith("QWK 0.")


def test_settings_that_will_not_do_are_named_by_field(visit: Visit) -> None:
    made = visit.another().post("/api/v1/workspaces", json={"kind": "evaluation", "name": "x"}).json()
    here, api = f"/api/v1/workspaces/{made['id']}", visit.another()
    none = api.post(f"{here}/jobs", json={})
    api.post(f"{here}/uploads/scores", files={"files": ("s.csv", BytesIO(SCORES.encode()))})
    wrong = api.post(f"{here}/jobs", json={"settings": {"human": ["nobody"], "scale": "x"}}).json()
    odd = api.post(f"{here}/jobs", json={"settings": {"humans": ["rater"]}}).json()
    role = api.post(f"{here}/uploads/truth", files={"files": ("s.csv", BytesIO(b"x"))}).json()

    assert none.status_code == 422
    assert "holds no table" in none.json()["detail"]
    assert set(wrong["errors"]) == {"human", "scale"}
    assert "There is no setting 'humans'" in odd["detail"]
    assert "There are: scores" in role["detail"]


def test_a_job_can_be_stopped_and_taken_up_again(visit: Visit) -> None:
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "x"}).json()
    here = f"/api/v1/workspaces/{made['id']}"
    api.post(f"{here}/uploads/scores", files={"files": ("s.csv", BytesIO(SCORES.encode()))})
    job = api.post(f"{here}/jobs", json={"settings": {"scale": "1-5"}}).json()["job"]["id"]
    stopped = api.post(f"/api/v1/jobs/{job}/cancel").json()
    visit.work()
    nothing = api.get(f"{here}/results").json()["results"][0]["score"]
    resumed = api.post(f"/api/v1/jobs/{job}/resume").json()
    visit.work()

    assert (stopped["state"], nothing, resumed["state"]) == ("cancelled", None, "queued")
    assert api.get(f"{here}/results").json()["results"][0]["score"] is not None


def test_progress_is_told_as_events_until_the_end(visit: Visit) -> None:
    visit.send("/example")
    job = visit.page("/").partition("/jobs/")[2].partition("/")[0]
    visit.work()

    answer = visit.client.get(f"/jobs/{job}/events")

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.startswith("event: end\ndata: ")
    assert re.search(r'"count": "(\d+) of \1"', answer.text)


def test_what_is_not_there_is_a_404_with_words(visit: Visit) -> None:
    for path in ("/workspaces/none", "/jobs/none", "/workspaces/none/results", "/nothing"):
        answer = visit.client.get(f"/api/v1{path}")
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]


def test_an_upload_of_the_wrong_kind_is_a_problem_with_its_source_and_remedy(visit: Visit) -> None:
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "essays", "name": "x"}).json()

    answer = api.post(f"/api/v1/workspaces/{made['id']}/uploads/training", files={"files": ("a.txt", BytesIO(b"x"))})

    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert {name: answer.json()[name] for name in ("field", "source", "remedy")} == {
        "field": "training",
        "source": "a.txt",
        "remedy": "A model is trained on a table with a row for each scored essay.",
    }


def test_every_call_is_below_one_address_and_says_what_it_does() -> None:
    routes = [route for route in router.routes if isinstance(route, APIRoute)]

    assert len(routes) > 20
    assert all(route.path.startswith("/api/v1/") and route.description.endswith(".") for route in routes)


def test_a_task_that_a_kind_of_workspace_has_not_is_named(visit: Visit) -> None:
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Pilot"}).json()["id"]

    answer = api.post(f"/api/v1/workspaces/{made}/jobs", json={"task": "train"})

    assert answer.status_code == 422
    assert answer.json()["errors"] == {"task": "There is no task 'train' here. Choose one of: score."}
    assert api.get(f"/api/v1/workspaces/{made}/models/training").status_code == 404
    assert api.post(f"/api/v1/workspaces/{made}/models/training/accept").status_code == 404
