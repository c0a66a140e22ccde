"""The worker scores essays as the command does, programs among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import Cancelled
from assay.essays.data_files import has_non_commercial
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import KIND_FEATURES
from assay.essays.models.scoring_model import score_each
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import bundled_discourse_model, model_bytes
from assay.store.items import put_result
from assay.store.jobs import Leased
from assay.web.site import utc_now
from assay.web.worker.essays import prepare, scored_essay
from assay.web.worker.worker import Handle, Tools
from tests.paths import EXAMPLES
from tests.web.essayed import document, table_file
from tests.web.visits import Visit
from tests.web.worker.stopping import StoppingObserver, leased_pieces
from tests.workflows.essays.test_score_essays import by_program

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")

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


MEASURED = pl.DataFrame(
    {"id": range(120), "text": ["A text."] * 120, "score": [1, 2, 3, 4] * 30, "program": ["one", "two"] * 60}
)


def last_piece(visit: Visit, observer: StoppingObserver, **settings: Any) -> tuple[Handle, Leased]:
    """The piece in which a model is fitted, of essays that count as measured, and what does it."""
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "essays", "name": "Class 9"}).json()["id"]
    table = {"files": ("scored.csv", MEASURED.write_csv().encode())}
    api.post(f"/api/v1/workspaces/{made}/uploads/training", files=table)
    columns = {"text": "text", "id": "id", "score": "score"}
    answer = api.post(f"/api/v1/workspaces/{made}/jobs", json={"task": "train", "settings": columns | settings})
    assert answer.status_code == 202, answer.text
    *measuring, fitting = leased_pieces(visit)
    with visit.site.database.writing() as connection:
        for piece in measuring:
            rows = [invented(row) for row in range(piece.task["first"], piece.task["stop"])]
            kept: dict[str, Any] = {"payload": {"values": rows}, "score": None, "files": {}, "now": utc_now()}
            put_result(connection, piece.item_id or 0, piece.engine, **kept)
    return prepare(fitting, Tools(visit.site.database, visit.settings.cache, observer)), fitting


def invented(row: int) -> dict[str, float | None]:
    """Features that go with the score, each a little differently."""
    names = KIND_FEATURES["generic10"]
    return {name: row % 4 + row * (7 + n) % 11 / 9 if name in names else None for n, name in enumerate(FEATURES)}


def test_training_stops_between_its_equations(visit: Visit) -> None:
    settings = {"program": "program", "kind": "generic10"}
    whole = StoppingObserver()
    handle, piece = last_piece(visit, whole, **settings)
    outcome = handle(piece)

    assert list(outcome.payload["agreement"]) == ["one", "two"]
    for at in (whole.asked - 1, whole.asked):  # before the first equation, and before the second
        stopping = StoppingObserver(at)
        handle, piece = last_piece(visit, stopping, **settings)
        with pytest.raises(Cancelled):
            handle(piece)
        assert stopping.asked == at


def test_a_hybrid_is_trained_in_one_piece_that_stops_inside(visit: Visit) -> None:
    stopping = StoppingObserver(2)
    handle, piece = last_piece(visit, stopping, kind="hybrid")

    assert (piece.settings["blocks"], piece.task) == ([], {"is": "fit"})
    with pytest.raises(Cancelled):
        handle(piece)
    assert stopping.asked == 2
