"""Several people and workers at once, on both databases: nobody's decision is lost, nothing is half done."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Barrier
from typing import TypeVar

from sqlalchemy import func, select

from assay.store.jobs import Leased
from assay.store.schema import blobs, items, results
from assay.web.worker.worker import Handle, Outcome, Prepare, Tools, Worker, prepare_for
from tests.web.annotated import ADA, EVERYONE, TRUTH, coco, graded, item_of, override, scores
from tests.web.visits import Visit

Made = TypeVar("Made")


def at_once(acts: Sequence[Callable[[], Made]]) -> list[Made]:
    """What each act gives, when all of them start together."""
    start = Barrier(len(acts))

    def act(one: Callable[[], Made]) -> Made:
        start.wait(30)
        return one()

    with ThreadPoolExecutor(len(acts)) as people:
        return list(people.map(act, acts))


def meanwhile(visit: Visit, act: Callable[[], object]) -> Worker:
    """A worker during whose first piece something else happens."""
    left = [act]

    def prepare(kind: str) -> Prepare:
        def prepared(job: Leased, tools: Tools) -> Handle:
            handle = prepare_for(kind)(job, tools)

            def interrupted(piece: Leased) -> Outcome:
                outcome = handle(piece)
                if left:
                    left.pop()()
                return outcome

            return interrupted

        return prepared

    return Worker(visit.site.database, visit.settings.cache, prepare=prepare)


def uploaded(visit: Visit) -> str:
    """The address of a workspace whose submissions wait to be scored."""
    client = visit.another()
    made = client.post("/api/v1/workspaces", json={"kind": "annotations", "name": "Group B"}).json()["id"]
    for role, files in (("truth", {"truth.json": coco(TRUTH)}), ("submissions", EVERYONE)):
        sent = [("files", (name, BytesIO(content))) for name, content in files.items()]
        assert client.post(f"/api/v1/workspaces/{made}/uploads/{role}", files=sent).status_code == 201
    assert client.post(f"/api/v1/workspaces/{made}/jobs", json={}).status_code == 202
    return f"/annotations/{made}"


def test_two_people_who_override_parts_of_one_submission_at_once_are_both_heard(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = graded(visit)
    targets = ("label:1:1", "attribute:1:1:colour")
    at_once([lambda target=target: override(visit, url, "cy", target, 100) for target in targets])  # type: ignore[misc]

    review = f"/api/v1/workspaces/{url.rpartition('/')[2]}/results/{item_of(visit, url, 'cy')}/decisions"
    visit.another().post(review, json={"kind": "confirm"})

    assert scores(visit, url)["cy"] == (95.3, 100.0)
    assert "system and people 4.7 points apart" in visit.page("/annotations")


def test_two_people_who_override_the_same_part_at_once_leave_one_score_and_both_reasons(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = graded(visit)
    at_once([lambda value=value: override(visit, url, "cy", "match:1:1", value, f"{value}") for value in (0, 40)])  # type: ignore[misc]
    made = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/decisions").json()["decisions"]

    assert {decision["reason"] for decision in made} == {"0", "40"}
    assert made[-1]["previous"] == made[0]["value"]
    assert scores(visit, url)["cy"][1] == round(made[-1]["human_score"], 1)


def test_one_file_that_several_upload_at_once_is_kept_once(visit_on_both: Visit) -> None:
    visit = visit_on_both
    new = {"kind": "annotations", "name": "x"}
    ids = [visit.client.post("/api/v1/workspaces", json=new).json()["id"] for _ in range(4)]

    def upload(workspace: str) -> int:
        sent = {"files": ("truth.json", BytesIO(coco(TRUTH)))}
        return visit.another().post(f"/api/v1/workspaces/{workspace}/uploads/truth", files=sent).status_code

    statuses = at_once([lambda one=one: upload(one) for one in ids])  # type: ignore[misc]
    with visit.site.database.reading() as connection:
        kept = connection.execute(select(func.count()).select_from(blobs)).scalar_one()

    assert statuses == [201] * 4
    assert kept == 1


def test_a_workspace_removed_while_it_is_scored_stops_and_goes_on_when_it_is_back(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = uploaded(visit)
    here = f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    meanwhile(visit, lambda: visit.another().delete(here)).work_until_idle()
    with visit.site.database.reading() as connection:
        kept = connection.execute(select(func.count()).select_from(results)).scalar_one()
    gone = [visit.another().post(f"{here}/jobs", json={}).status_code, visit.client.get(f"{url}/rules").status_code]
    visit.send(f"/workspaces/{url.rpartition('/')[2]}/restore")
    visit.work()

    assert kept == 0
    assert gone == [404, 404]
    assert scores(visit, url) == {"ada": (100.0, 100.0), "ben": (83.3, 83.3), "cy": (95.3, 95.3)}


def test_files_that_come_while_others_are_scored_are_scored_too_and_nothing_twice(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = uploaded(visit)

    def add() -> None:
        sent = [("files", ("dee.json", BytesIO(coco(ADA))))]
        here = f"/api/v1/workspaces/{url.rpartition('/')[2]}"
        assert visit.another().post(f"{here}/uploads/submissions", files=sent).status_code == 201
        assert visit.another().post(f"{here}/jobs", json={}).status_code == 202

    meanwhile(visit, add).work_until_idle()
    with visit.site.database.reading() as connection:
        query = select(results.c.item_id, func.count()).join(items).group_by(results.c.item_id)
        kept = [int(number) for _, number in connection.execute(query)]

    assert scores(visit, url).keys() == {"ada", "ben", "cy", "dee"}
    assert all(system is not None for system, _ in scores(visit, url).values())
    assert set(kept) == {1}


def test_several_workers_and_a_person_who_decides_share_one_database(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url, other = graded(visit), uploaded(visit)

    def work(name: str) -> None:
        Worker(visit.site.database, visit.settings.cache, name=name).work_until_idle()

    def decide() -> None:
        for value in range(10):
            override(visit, url, "cy", "match:1:1", value)

    at_once([lambda: work("one"), lambda: work("two"), decide])

    assert scores(visit, other) == {"ada": (100.0, 100.0), "ben": (83.3, 83.3), "cy": (95.3, 95.3)}
    assert len(visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/decisions").json()["decisions"]) == 10
