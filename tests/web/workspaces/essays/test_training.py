"""Models trained by a program: what it may say, what is refused, and a model that waits for its essays."""

from io import BytesIO
from typing import Any

import pytest

from assay.errors import InputError
from assay.store.items import put_result
from assay.store.jobs import workspace_jobs
from assay.store.schema import Json
from assay.web.problems import FieldErrors, NotFound
from assay.web.workspaces.essays.training import (
    LEAST_REVIEWS,
    discard,
    go_live,
    made_of,
    refit_with,
    train_with,
    waiting_model,
)
from assay.web.workspaces.stored_settings import EssaySettings, TrainingJob
from tests.paths import EXAMPLES
from tests.web.pages.test_essay_model import ROWS
from tests.web.visits import Visit
from tests.web.worker.stopping import leased_pieces

CHOSEN: Json = {"text": "text", "id": "id", "score": "score", "kind": "generic10"}


@pytest.fixture
def url(visit: Visit) -> str:
    """A workspace of essays with a table to train on, and no essays to score."""
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "essays", "name": "Class 9"}).json()["id"]
    table = {"files": ("scored.csv", BytesIO(f"id,text,score,grade\n{ROWS}\n".encode()))}
    assert api.post(f"/api/v1/workspaces/{made}/uploads/training", files=table).status_code == 201
    return f"/essays/{made}"


def test_everything_a_program_chooses_reaches_the_job(visit: Visit, url: str) -> None:
    further: Json = {"program": "grade", "second_score": "grade", "fix": {"style": 0.1}, "cutoffs": "qwk"}
    train_with(visit.context(url), {**CHOSEN, **further, "length_weight": None, "curves": False, "scale": "1-6"})
    job = TrainingJob.from_json(leased_pieces(visit)[0].settings)

    assert (job.columns.program, job.columns.second_score, job.columns.text) == ("grade", "grade", "text")
    assert (job.fix, job.cutoffs, job.length_weight, job.scale) == ({"style": 0.1}, "qwk", None, "1-6")
    assert [stop - first for _, first, stop in job.blocks] == [8, 8, 4]


def test_columns_that_a_program_does_not_name_are_the_guessed_ones(visit: Visit, url: str) -> None:
    train_with(visit.context(url), {})
    settings = EssaySettings.of(visit.context(url).workspace)

    assert (settings.training_columns.text, settings.training_columns.score) == ("text", "score")
    assert settings.training is not None
    assert settings.training.name == "scored.csv (generic12)"


@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    [
        ({"length_weight": "0.2"}, "length_weight", "takes a number from 0 to 1, or null"),
        ({"fix": ["style"]}, "fix", "takes an object with the share of each feature"),
        ({"fix": {"spelling": 0.1}}, "fix", "no feature is called 'spelling'"),
        ({"curves": "yes"}, "curves", "takes true or false"),
        ({"score": ""}, "score", "Choose the column that holds the human score."),
        ({"score": "id"}, "score", "not a number"),
        ({"second_score": "nothing"}, "second_score", "nothing"),
        ({"kind": "specific"}, "prompt", "needs the column that names the prompt"),
        ({"scale": "1-2"}, "scale", "scale"),
        ({"third_score": "grade"}, "second_score", "no second is named"),
        ({"features": "a.csv"}, "features", "There is no setting 'features'."),
    ],
)
def test_what_cannot_be_is_named_before_anything_is_enqueued(
    visit: Visit, url: str, wrong: Json, field: str, words: str
) -> None:
    with pytest.raises(FieldErrors) as problem:
        train_with(visit.context(url), {**CHOSEN, **wrong})

    assert words in problem.value.errors[field]
    assert visit.site.database.read(workspace_jobs, url.split("/")[2], now=visit.site.now()) == []


def test_a_model_waits_on_where_there_are_no_essays_to_score(visit: Visit, url: str) -> None:
    train_with(visit.context(url), CHOSEN)
    *_, fitting = leased_pieces(visit)
    kept: dict[str, Any] = {"payload": {}, "files": {"model.json": (EXAMPLES / "essay_model.json").read_bytes()}}
    with visit.site.database.writing() as connection:
        put_result(connection, fitting.item_id or 0, fitting.engine, **kept, score=None, now=visit.site.now())

    with pytest.raises(FieldErrors, match="Give the essays first"):
        go_live(visit.context(url), "training")

    assert waiting_model(visit.context(url), "training")
    discard(visit.context(url), "training")
    assert made_of(visit.context(url), "training") is None
    with pytest.raises(NotFound):
        waiting_model(visit.context(url), "training")


def test_a_refit_has_no_settings_and_waits_for_reviews(visit: Visit, url: str) -> None:
    with pytest.raises(FieldErrors, match="There are none"):
        refit_with(visit.context(url), {"model": "new"})
    with pytest.raises(InputError, match=f"0 of at least {LEAST_REVIEWS} essays are reviewed"):
        refit_with(visit.context(url), {})
