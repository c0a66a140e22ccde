"""The worker scores essays as the command does, programs among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.essays.models.scoring_model import score_each
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model, model_bytes
from assay.web.worker.essays import scored_essay
from tests.paths import EXAMPLES
from tests.web.essayed import document, table_file
from tests.web.visits import Visit
from tests.workflows.essays.test_score_essays import by_program

pytestmark = pytest.mark.skipif(bundled_essay_model() is None, reason="this copy comes without a score model")

TABLE = pl.read_csv(EXAMPLES / "essays.csv").select("id", "program", "text").head(3)


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    visit = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache")
    yield visit
    visit.close()


def results(visit: Visit, program: str) -> list[dict[str, Any]]:
    url = visit.send("/essays", files=[table_file(TABLE)]).url.path.rsplit("/", 1)[0]
    visit.send(f"{url}/columns", text="text", id="id", program=program)
    visit.send(f"{url}/model/upload", files=[document("grades.json", model_bytes(by_program()), "model")])
    visit.work()
    answer = visit.client.get(f"/api/v1/workspaces/{url.rsplit('/', 1)[1]}/results")
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def test_a_model_by_program_scores_in_the_app_as_anywhere_else(visit: Visit) -> None:
    essays = [Essay(*row) for row in TABLE.select("id", "text").iter_rows()]
    programs = TABLE["program"].to_list()
    expected = {
        s.essay_id: s.raw for s in score_each(essays, by_program(), bundled_discourse_model(), programs=programs)
    }

    given = {result["item"]["name"]: result["payload"]["raw"] for result in results(visit, "program")}

    assert given == expected


def test_without_a_program_column_every_essay_says_what_is_missing(visit: Visit) -> None:
    for result in results(visit, ""):
        (doubt,) = [d for d in result["payload"]["advisories"] if d["name"] == "unknown_program"]
        assert "names no program" in doubt["evidence"]
        assert "grade 8" in doubt["evidence"]


def test_an_outcome_holds_the_score_and_what_would_raise_it() -> None:
    text = TABLE["text"][0]
    model = by_program()
    outcome = scored_essay(Essay("1", text), model, "grade 8")
    own = next(score_each([Essay("1", text)], model, bundled_discourse_model(), programs=["grade 8"]))

    assert outcome.score == own.score
    assert outcome.payload["raw"] == own.raw
    assert outcome.payload["program"] == "grade 8"
    assert outcome.payload["raising"]["advice"]
