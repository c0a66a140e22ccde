"""What a judge returns: the long table, the same in every form, with everything counted."""

import csv
from io import StringIO
from typing import Any

import polars as pl

import assay
from assay.evaluation.judging.rubric import JudgeRubric
from assay.workflows.evaluation.judge import judge
from assay.workflows.evaluation.judge_result import JudgeResult
from tests.io.canned_server import Canned
from tests.workflows.evaluation.judging import ITEMS, QUALITY, RUBRIC, TONE, judge_server, says


def judged(rubric: JudgeRubric = RUBRIC, **options: Any) -> JudgeResult:
    with judge_server() as heard:
        return judge(ITEMS, rubric=rubric, model="m", base_url=heard.url, text="text", id="id", yes=True, **options)


def test_the_table_has_a_row_per_item_criterion_and_run() -> None:
    result = judged(runs=2)
    rows = list(csv.DictReader(StringIO(result.files()["ratings.csv"].decode())))
    assert list(rows[0]) == [
        "item",
        "rater",
        "rater_kind",
        "criterion",
        *("score", "label", "run", "reason", "tokens_used", "problem"),
    ]
    assert len(rows) == len(ITEMS["id"]) * 2 * 2
    assert rows[0] == {
        "item": "a",
        "rater": "m",
        "rater_kind": "judge",
        "criterion": "quality",
        "score": "1.0",
        "label": "",
        "run": "1",
    } | {
        "reason": "It is so.",
        "tokens_used": "60",
        "problem": "",
    }
    frame = result.to_polars()
    assert frame.schema["score"] == pl.Float64
    assert frame["score"].drop_nulls().to_list() == [float(row["score"]) for row in rows if row["score"]]
    assert sum(int(row["tokens_used"]) for row in rows) == result.usage.tokens_in + result.usage.tokens_out


def test_a_rubric_of_scores_only_has_no_column_of_labels() -> None:
    assert "label" not in judged(JudgeRubric((QUALITY,))).table().columns
    assert "score" not in judged(JudgeRubric((TONE,))).table().columns


def test_json_and_summary_count_everything() -> None:
    result = judged(rater="my judge", runs=2)
    content = result.to_dict()
    assert content["schema"] == "assay.judge/1"
    assert (content["items"], content["ratings"], content["left_out"]) == (5, 20, {"empty text": 4})
    given = {one["value"]: one["count"] for one in content["criteria"][0]["values"]}
    assert sum(given.values()) + 2 == 10
    assert content["criteria"][0]["same_in_all_runs"]["value"] == 1.0
    heading, *facts = result.summary()
    assert heading == ("“my judge”", "on 5 items")
    assert dict(facts)["Ratings"] == "16 of 20"
    assert "my judge" in repr(result)


def test_text_of_a_stranger_is_only_text_everywhere() -> None:
    reason = '=HYPERLINK("http://x") <script>alert(1)</script>'

    def hostile(_: Any) -> Canned:
        return says(3, reason=reason)

    with judge_server(hostile) as heard:
        result = judge({"text": ["x"]}, rubric=RUBRIC, model="<b>m</b>", base_url=heard.url, text="text", yes=True)
    from assay.report.render.html import to_html

    assert "'=HYPERLINK" in result.files()["ratings.csv"].decode()
    page = to_html(result.document())
    assert "<script>alert" not in page
    assert "<b>m</b>" not in page


def test_a_panel_reads_the_table_with_human_ratings_below_it() -> None:
    table = judged(JudgeRubric((QUALITY,)), runs=2).to_polars()
    rated = table.filter(pl.col("run") == 1, pl.col("score").is_not_null()).select("item", "criterion", "score")
    people = [rated.with_columns(rater=pl.lit(name)) for name in ("ann", "bob", "cy")]
    result = assay.panel(pl.concat([table, *people], how="diagonal"), scale="1-6")
    design = result.to_dict()["design"]
    assert (design["people"], design["judges"], design["criteria"]) == (["ann", "bob", "cy"], ["m"], ["quality"])
