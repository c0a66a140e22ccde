import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.errors import InputError
from assay.workflows.evaluation.panel import panel
from tests.evaluation.raters.panels import random_table

TABLE = random_table(1, items=80, gaps=0.2)
RATERS = ("ann", "bob", "cy", "dee", "gpt", "claude")
WIDE = pl.DataFrame({"item": [f"i{i}" for i in range(80)], **dict(zip(RATERS, TABLE.T, strict=True))}).fill_nan(None)
LONG = WIDE.unpivot(index="item", variable_name="rater", value_name="score").drop_nulls()
WHO: dict[str, Any] = {"humans": ["ann", "bob", "cy", "dee"], "judges": ["gpt", "claude"]}


def test_wide_and_long_tables_give_the_same_answers() -> None:
    wide, long = panel(WIDE, **WHO), panel(LONG, **WHO)

    for first, second in zip(wide.panel.replacement.judges, long.panel.replacement.judges, strict=True):
        assert first.name == second.name
        assert first.agreement == pytest.approx(second.agreement)
        assert first.test.winning_rate == second.test.winning_rate


def test_paths_pandas_and_dicts_are_taken_alike(tmp_path: Path) -> None:
    LONG.write_csv(tmp_path / "ratings.csv")
    expected = repr(panel(LONG, **WHO).figures)

    assert repr(panel(tmp_path / "ratings.csv", **WHO).figures) == expected
    assert repr(panel(LONG.to_pandas(), **WHO).figures) == expected
    assert repr(assay.panel(LONG.to_dict(as_series=False), **WHO).figures) == expected


def test_everything_is_written_and_read_back(tmp_path: Path) -> None:
    result = panel(WIDE, **WHO, gate="people.agreement>=0.1")
    result.write(tmp_path / "out")

    content = json.loads((tmp_path / "out" / "panel.json").read_text(encoding="utf-8"))
    assert content["schema"] == "assay.panel/1"
    assert content["figures"]["gpt.agreement"]["value"] == result.figures["gpt.agreement"].value
    assert content["gates"][0]["passed"] is True
    assert content == result.to_dict()
    names = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.csv")}
    assert {"tables/judges.csv", "tables/people.csv", "tables/exclusions.csv", "tables/report/board.csv"} <= names
    assert "ann" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_gates_are_checked() -> None:
    result = panel(WIDE, **WHO, gate=["gpt.agreement>=0.99", "people.agreement>=0"], gate_ci=True)

    assert [gate.passed for gate in result.gates] == [False, True]
    assert not result.passed


def test_the_same_seed_gives_the_same_interval_of_the_winning_rate() -> None:
    first, again = (panel(WIDE, **WHO, seed=3).figures["gpt.winning_rate"] for _ in range(2))

    assert (first.low, first.high) == (again.low, again.high)


def test_a_short_look_names_the_judges() -> None:
    result = panel(WIDE, **WHO)

    text = repr(result)
    assert "4 people and 2 judges on 80 items" in text
    assert "claude" in text
    assert len(result.to_polars()) == 2


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"epsilon": 1.0}, "epsilon"),
        ({"margin": float("nan")}, "margin"),
        ({"scoring": "f1"}, "scoring"),
        ({"min_items": 1}, "min_items"),
        ({"gate": "nonsense"}, "gate"),
        ({"gate": "gtp.agreement>=0"}, "gate"),
        ({"scale": "5-1"}, ""),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        panel(WIDE, **WHO, **options)

    assert not field or error.value.field == field


ODD: dict[str, Any] = {
    "one item": {"item": ["a"] * 3, "rater": ["ann", "bob", "gpt"], "score": ["1", "2", "1"]},
    "a rater with one score": {
        "item": [*"abcdef", "a", "b", "c", "d", "e", "f", "a"],
        "rater": [*["ann"] * 6, *["gpt"] * 6, "bob"],
        "score": [*"123412", *"123412", "1"],
    },
    "all equal": {"item": list("abcabc"), "rater": ["ann"] * 3 + ["gpt"] * 3, "score": ["2"] * 6},
    "no common item": {"item": list("abcdef"), "rater": ["ann"] * 3 + ["gpt"] * 3, "score": list("123123")},
    "only judges": {"item": list("abab"), "rater": ["gpt"] * 2 + ["claude"] * 2, "score": list("1212")},
    "only people": {"item": list("abab"), "rater": ["ann"] * 2 + ["bob"] * 2, "score": list("1212")},
    "ties only": {
        "question": list("abc"),
        "A": ["x"] * 3,
        "B": ["y"] * 3,
        "winner": ["tie"] * 3,
        "rater": ["ann", "gpt", "bob"],
    },
}


@pytest.mark.parametrize("name", ODD)
def test_odd_tables_get_answers_with_reasons_and_a_report(name: str, tmp_path: Path) -> None:
    result = panel(ODD[name])
    result.write(tmp_path / "out")

    assert all(figure.defined or figure.reason for figure in result.figures.values())
    assert json.loads(result.json())


def test_many_raters_are_no_trouble() -> None:
    rng = np.random.default_rng(5)
    raters, items = 10_000, 40
    who = np.repeat(np.arange(raters), 3)
    what = rng.integers(0, items, size=who.size)
    score = np.clip(what % 5 + rng.integers(-1, 2, size=who.size), 0, 4)
    people = pl.DataFrame({"item": what, "rater": [f"p{w}" for w in who], "score": score}).unique(["item", "rater"])
    judge = pl.DataFrame({"item": np.arange(items), "rater": "gpt", "score": np.arange(items) % 5})

    result = panel(pl.concat([people, judge.with_columns(pl.col("rater").cast(pl.String))], how="vertical_relaxed"))

    assert len(result.panel.design.people) == raters
    assert result.figures["gpt.agreement"] > 0.5
    assert "board" in result.tables() or result.tables()["judges"].rows
