"""An app with a workspace of every kind, scored and decided about, and what a program can name in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.web.annotated import graded, override
from tests.web.pages.test_evaluation import SCORES
from tests.web.reviews import reviewed_essays
from tests.web.visits import Visit, table


@dataclass(frozen=True, slots=True)
class Filled:
    """The app, and for each workspace the values that parameters of an address can have there."""

    visit: Visit
    known: Mapping[str, Mapping[str, Sequence[str | int]]]


def fill(url: str, cache: Path, **settings: Any) -> Filled:
    """Workspaces of all kinds: annotations with an override, an evaluation, essays with reviews, an empty one."""
    visit = Visit(url, cache, **settings)
    annotations = graded(visit)
    override(visit, annotations, "ben", "miss:2", 100)
    columns = visit.send("/evaluation", files=table(SCORES)).url.path.rpartition("/")[0]
    chosen: dict[str, Any] = {
        "human": "rater",
        "system": ["engine", "other"],
        "groups": "group",
        "id": "id",
        "scale": "1-5",
    }
    visit.send(f"{columns}/columns", **chosen)
    visit.work()
    essays = reviewed_essays(visit.site.database, items=12, reviewed=8)
    empty = visit.another().post("/api/v1/workspaces", json={"kind": "essays", "name": "Empty"}).json()["id"]
    ids = [annotations.rpartition("/")[2], columns.rpartition("/")[2], essays, empty]
    return Filled(visit, {one: known_in(visit, one) for one in ids})


ROLES = ("truth", "submissions", "images", "scores", "engine", "essays", "training", "model")


def known_in(visit: Visit, workspace: str) -> dict[str, Sequence[str | int]]:
    """Parameter of an address -> its values in a workspace."""

    def ask(what: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = visit.client.get(f"/api/v1/workspaces/{workspace}/{what}").json()[what]
        return found

    files = [file["path"].split("/") for file in ask("exports")]
    return {
        "item_id": [result["item"]["id"] for result in ask("results")],
        "decision_id": [decision["id"] for decision in ask("decisions")],
        "job_id": [job["id"] for job in ask("jobs")],
        "role": ROLES,
        "group": sorted({group for group, _ in files}),
        "name": sorted({name for _, name in files}),
    }
