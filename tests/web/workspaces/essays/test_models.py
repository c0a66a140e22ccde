"""The model of an essay workspace: uploaded, trained, refitted from reviews; it goes live only when accepted."""

import json
import re
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from assay.essays.data_files import has_non_commercial
from assay.essays.models.cutoffs import CUTOFFS
from assay.web.workspaces.essays.models import CUTOFF_WORDS, MODEL_KINDS
from assay.workflows.essays.train import KINDS
from tests.paths import EXAMPLES
from tests.web.essayed import Essays, document

EXAMPLE_MODEL = EXAMPLES / "essay_model.json"

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")


@pytest.fixture(scope="module")
def essays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Essays]:
    made = Essays(tmp_path_factory.mktemp("models"))
    yield made
    made.visit.close()


def finals(essays: Essays) -> dict[str, Any]:
    return {r["item"]["name"]: r["final_score"] for r in essays.results()}


def test_a_model_without_reviews_cannot_be_refitted(essays: Essays) -> None:
    assert "0 of at least 13 essays are reviewed" in essays.page("/model")
    answer = essays.visit.send(f"{essays.url}/model/refit", status=422)
    assert "confirm or override 13 more" in answer.text


def test_reviews_refit_the_model_and_it_goes_live_only_when_accepted(essays: Essays) -> None:
    essays.visit.send(f"{essays.url}/reviews")
    reviewed, before = finals(essays), {r["item"]["name"]: r["score"] for r in essays.results()}
    essays.visit.send(f"{essays.url}/model/refit")
    essays.visit.work()
    page = essays.page("/model")
    unchanged = {r["item"]["name"]: r["score"] for r in essays.results()}
    essays.visit.send(f"{essays.url}/model/refit/accept")
    essays.visit.work()
    after = {r["item"]["name"]: r["score"] for r in essays.results()}

    assert set(reviewed.values()) <= {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}
    assert "A new version waits for your decision" in page
    assert re.search(r"Agreement \(QWK\)</th><td class=\"n\">[\d.−-]+", page)
    assert unchanged == before
    assert after != before
    assert finals(essays) == reviewed  # what people gave stays
    assert "revision 2" in essays.page("/model")


def test_the_reviews_that_came_along_are_judged_by_what_the_model_says_unseen(essays: Essays) -> None:
    made = essays.api("/decisions")["decisions"]
    carried = [d for d in made if d["reason"].startswith("Kept from the model before")]
    own = {r["item"]["id"]: r["score"] for r in essays.results()}

    assert len(carried) == 14
    assert all(d["system_score"] is not None for d in carried)
    # refitted without the essay a model may say something else than the one that saw it
    assert sum(abs(d["system_score"] - own[d["item_id"]]) for d in carried) >= 0
    assert {d["author"] for d in carried} == {d["author"] for d in made}


def test_going_back_to_the_old_model_finds_what_was_there(essays: Essays) -> None:
    before = finals(essays)
    essays.visit.send(f"{essays.url}/model/choose", digest="")
    essays.visit.work()
    assert "Generic10 for argumentative essays" in essays.page("/model")
    assert finals(essays) == before


def test_a_model_file_can_be_uploaded_and_scores(essays: Essays) -> None:
    files = [document("Example model.json", EXAMPLE_MODEL.read_bytes(), "model")]
    essays.visit.send(f"{essays.url}/model/upload", files=files)
    essays.visit.work()
    page = essays.page("/model")
    assert "The model that scores: Example model" in page
    assert "trained on 144 essays" in page
    assert essays.visit.client.get(f"{essays.url}/model/model.json").content == EXAMPLE_MODEL.read_bytes()


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"{}", "no essay model"), (b"x", "not JSON"), (b'{"schema": "assay.essay-model/1"}', "damaged")],
)
def test_a_file_that_is_no_model_is_refused(essays: Essays, content: bytes, why: str) -> None:
    answer = essays.visit.send(f"{essays.url}/model/upload", files=[document("m.json", content, "model")], status=422)
    assert "m.json" in answer.text
    assert why in answer.text


def test_a_model_that_knows_none_of_the_prompts_is_refused_beforehand(essays: Essays) -> None:
    model = json.loads(EXAMPLE_MODEL.read_bytes())
    model["grouping"], model["equations"] = "prompt", {"snow": model["equations"][""], "rain": model["equations"][""]}
    files = [document("snow.json", json.dumps(model).encode(), "model")]
    answer = essays.visit.send(f"{essays.url}/model/upload", files=files, status=422)
    assert "was trained on prompt" in answer.text
    assert "rain" in answer.text


def test_a_model_is_trained_on_a_table_and_waits_to_be_accepted(essays: Essays) -> None:
    table = pl.read_csv(EXAMPLES / "essays.csv").head(64).select("id", "prompt", "rating_1", "rating_2", "text")
    files = [document("scored.csv", table.write_csv().encode(), "table")]
    columns = essays.visit.send(f"{essays.url}/model/table", files=files).text
    start: dict[str, Any] = {
        "text": "text",
        "score": "rating_1",
        "second_score": "rating_2",
        "kind": "generic10",
        "scale": "1-6",
    }
    essays.visit.send(f"{essays.url}/training", **start)
    essays.visit.work()
    page = essays.page("/model")
    essays.visit.send(f"{essays.url}/model/training/accept")
    essays.visit.work()

    assert re.search(r'name="score".*?<option selected>rating_1</option>', columns, re.DOTALL)
    assert re.search(r"A trained model waits.*?trained on \d+ essays of <b>scored.csv</b>", page, re.DOTALL)
    assert "The model that scores: scored.csv (generic10)" in essays.page("/model")
    assert all(r["score"] in (1, 2, 3, 4, 5, 6) for r in essays.results())


def test_training_on_too_few_essays_says_how_many_are_needed(essays: Essays) -> None:
    table = pl.read_csv(EXAMPLES / "essays.csv").head(8).select("text", "score")
    essays.visit.send(f"{essays.url}/model/table", files=[document("few.csv", table.write_csv().encode(), "table")])
    essays.visit.send(f"{essays.url}/training", text="text", score="score", kind="generic10")
    essays.visit.work()
    assert "8 scored essays are too few" in essays.page("/model")


def test_training_without_a_score_column_is_said_beside_it(essays: Essays) -> None:
    table = pl.read_csv(EXAMPLES / "essays.csv").head(64).select("id", "prompt", "rating_1", "rating_2", "text")
    essays.visit.send(f"{essays.url}/model/table", files=[document("scored.csv", table.write_csv().encode(), "table")])
    answer = essays.visit.send(f"{essays.url}/training", text="text", kind="specific", scale="6-1", status=422)
    for field in ("score", "prompt", "scale"):
        assert f'id="{field}-wrong"' in answer.text


def test_every_cutoff_rule_and_kind_of_model_has_its_words() -> None:
    assert set(CUTOFF_WORDS) == set(CUTOFFS)
    assert set(MODEL_KINDS) == set(KINDS)
