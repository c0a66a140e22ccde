"""The results of `evaluate` and `compare`: attributes, tables, files."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.workflows.evaluation.results import HEADLINES, ComparisonResult, EvaluationResult, title_of
from tests.report.evaluation.evaluations import PROVENANCE, compared, rich


def evaluated() -> EvaluationResult:
    return EvaluationResult(rich(), PROVENANCE, "autumn.csv")


def test_every_headline_figure_is_an_attribute_and_nothing_else_is() -> None:
    result = evaluated()

    assert result.qwk == result.figures["qwk"]
    assert set(dir(result)) >= {"qwk", "smd", "prmse"}
    with pytest.raises(AttributeError, match="no attribute 'qwqk'"):
        _ = result.qwqk
    assert HEADLINES.keys() <= result.figures.keys()


def test_a_row_per_figure_with_its_verdict() -> None:
    frame = evaluated().to_polars()
    rows = {row["name"]: row for row in frame.to_dicts()}

    assert rows["qwk"]["value"] == pytest.approx(float(evaluated().qwk))
    assert rows["exact_agreement"]["verdict"] == "not met"
    assert rows["rmse"]["verdict"] is None


def test_the_folder_holds_figures_report_and_tables_and_is_replaced_only_if_it_is_ours(tmp_path: Path) -> None:
    folder = evaluated().write(tmp_path / "out")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")

    assert json.loads((folder / "evaluation.json").read_text(encoding="utf-8")) == evaluated().to_dict()
    assert {path.name for path in folder.iterdir()} == {"evaluation.json", "report.html", "tables"}
    assert {path.stem for path in (folder / "tables").glob("*.csv")} == set(evaluated().tables())
    evaluated().write(folder)
    with pytest.raises(InputError):
        evaluated().write(tmp_path / "mine")


def test_the_short_look_names_engine_responses_and_figures() -> None:
    heading, *facts = evaluated().summary()

    assert heading == ("“engine”", "on 400 responses, 12 left out")
    assert dict(facts)["QWK"].endswith(", met")
    assert evaluated().passed


def test_a_comparison_has_a_row_per_difference() -> None:
    result = ComparisonResult(compared(0.3, 0.9), PROVENANCE)

    assert result.to_polars().height == len(result.comparison.differences)
    assert result.summary()[0] == ("2 engines", "on the same responses")
    assert result.document().title == "Comparison of 2 engines"
    assert ComparisonResult(compared(0.3, 0.9, same=False), PROVENANCE).summary()[0][1] == "on different responses"


def test_a_figure_without_a_title_keeps_its_name() -> None:
    assert title_of("raw.qwk") == "raw.qwk"
    assert title_of("qwk") == "Quadratic weighted kappa (QWK)"
