"""Essays by a judge, a rubric in place of a model file: the same table, the same report, one comparison."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.errors import InputError
from assay.io.judging.rubric_toml import read_judge_rubric
from assay.workflows.essays.judged_essays import judge_essays, weights_of
from tests.io.canned_server import Canned, completion
from tests.paths import EXAMPLES
from tests.workflows.evaluation.judging import judge_server, text_in

RUBRIC = f"judge:{EXAMPLES / 'rubric.toml'}"
ESSAYS = pl.read_csv(EXAMPLES / "essays.csv").head(12)
COLUMNS: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "judge_model": "m", "yes": True}


def by_length(asked: Any) -> Canned:
    points = min(6, 1 + len(text_in(asked)) // 350)
    return completion(json.dumps({"quality": {"reason": "So.", "score": points}, "stays on topic": {"label": "yes"}}))


def test_a_judge_scores_essays_like_any_model(tmp_path: Path) -> None:
    with judge_server(by_length) as heard:
        result = assay.score_essays(ESSAYS, RUBRIC, base_url=heard.url, out=tmp_path / "scores", **COLUMNS)
    scores = pl.read_csv(tmp_path / "scores" / "scores.csv")
    assert len(heard.bodies) == 12
    assert scores.columns[:4] == ["id", "prompt", "raw", "score"]
    assert scores["score"].to_list() == [min(6, 1 + len(text) // 350) for text in ESSAYS["text"]]
    assert "judge_quality" in scores.columns
    assert result.counted()["scored"] == 12
    page = (tmp_path / "scores" / "report.html").read_text("utf-8")
    assert "nan" not in page
    assert "rated each essay by the rubric rubric.toml" in page


def test_a_judge_stands_in_one_comparison_with_our_models(tmp_path: Path) -> None:
    with judge_server(by_length) as heard:
        judged = assay.score_essays(ESSAYS, RUBRIC, base_url=heard.url, **COLUMNS)
    ours = assay.score_essays(ESSAYS, EXAMPLES / "essay_model.json", text="text", id="id", prompt="prompt")
    table = ESSAYS.select("id", human="score").join(judged.to_polars().select("id", judge="score"), on="id")
    table = table.join(ours.to_polars().select("id", erater="score"), on="id")
    result = assay.compare(table, human="human", system=["judge", "erater"], id="id", scale="1-6")
    assert {d.first for d in result.comparison.differences} | {d.second for d in result.comparison.differences} == {
        "judge",
        "erater",
    }


def test_an_essay_that_cannot_be_rated_has_an_advisory() -> None:
    with judge_server(lambda _: completion("no")) as heard:
        result = assay.score_essays(["A text."], RUBRIC, base_url=heard.url, judge_model="m", yes=True)
    assert [doubt.name for doubt in result[0].advisories] == ["no_rating"]
    assert result.counted() == {"essays": 1, "scored": 0, "advisories": {"no_rating": 1}}


def test_nothing_is_sent_unasked_and_a_judge_needs_a_model() -> None:
    with judge_server(by_length) as heard:
        with pytest.raises(InputError, match="Nothing was sent"):
            assay.score_essays(["A text."], RUBRIC, base_url=heard.url, judge_model="m")
        with pytest.raises(InputError, match="judge_model"):
            assay.score_essays(["A text."], RUBRIC, base_url=heard.url, yes=True)
        with pytest.raises(InputError, match="partitions"):
            assay.score_essays(["A text."], RUBRIC, base_url=heard.url, judge_model="m", yes=True, partitions=True)
    assert heard.bodies == []


def test_the_essay_score_is_the_overall_criterion_or_the_mean() -> None:
    rubric = read_judge_rubric(EXAMPLES / "rubric.toml")
    assert weights_of(rubric) == {"quality": 1.0}
    assert judge_essays.__doc__
