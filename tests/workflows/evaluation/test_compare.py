"""Engines compared in one table, from files of evaluations, or from evaluations at hand."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.workflows.evaluation.compare import compare
from assay.workflows.evaluation.evaluate import evaluate
from tests.workflows.evaluation.test_evaluate import FRAME

BOTH = FRAME.with_columns(other=FRAME["engine"] * 0.8 + 0.5)


def test_columns_of_one_table_give_what_their_evaluations_give(tmp_path: Path) -> None:
    columns = compare(BOTH, human="rater", system=["engine", "other"], scale="1-6")
    results = [evaluate(BOTH, human="rater", system=name, scale="1-6") for name in ("engine", "other")]
    at_hand = compare(results)
    files = compare([result.write(tmp_path / f"e{i}") / "evaluation.json" for i, result in enumerate(results)])
    frames = [result.to_polars() for result in (columns, at_hand, files)]
    assert frames[0].equals(frames[1])
    assert frames[0].equals(frames[2])
    assert columns.comparison.paired
    assert columns.comparison.metrics["engine"]["qwk"] == results[0].qwk


def test_engines_of_one_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    result = evaluate(BOTH, human="rater", system="engine", scale="1-6")
    paths = [result.write(tmp_path / name) / "evaluation.json" for name in ("monday", "friday")]
    assert compare(paths).comparison.engines == ("engine (monday)", "engine (friday)")
    assert set(compare(paths).provenance.inputs) == {str(path) for path in paths}


def test_the_files_are_written_whole(tmp_path: Path) -> None:
    result = compare([BOTH][0], human="rater", system=("engine", "other"))
    folder = result.write(tmp_path / "comparison")
    assert {path.name for path in folder.iterdir()} == {"comparison.json", "report.html", "tables"}
    assert "engine" in repr(result)
    assert result.to_dict()["schema"] == "assay.comparison/1"


@pytest.mark.parametrize(
    ("tables", "options", "field"),
    [
        (["one.json"], {}, "system"),
        (BOTH, {"system": ["engine", "other"]}, "human"),
        ([BOTH, BOTH], {"system": ["engine", "other"], "human": "rater"}, "tables"),
        ([BOTH, 7], {}, "tables"),
    ],
)
def test_what_cannot_be_compared_is_answered_with_what_to_pass(
    tables: object, options: dict[str, object], field: str
) -> None:
    with pytest.raises(InputError, match="two or more") as refused:
        compare(tables, **options)  # type: ignore[arg-type]
    assert refused.value.field == field


JUDGES = {
    "human_1": [1, 0, 1, 0, None, 0, 1, 1, 0, None, 1, 0] * 10,
    "human_2": [1, 0, 0, 0, 1, None, 1, None, 0, 0, 0, 1] * 10,
    "human_3": [1, 1, 1, 0, 1, 0, None, 1, 0, 0, None, 0] * 10,
    "gpt": [1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, None] * 10,
    "claude": [1, 1, 1, 0, 1, 0, 1, 0, 0, None, 1, 0] * 10,
    "language": ["de", "fr", "en"] * 40,
    "words": list(range(120)),
}


def test_zeros_and_ones_are_scores_and_what_is_left_out_is_counted() -> None:
    engines = {"human": "human_1", "system": ["gpt", "claude"]}
    result = compare(JUDGES, **engines)  # type: ignore[arg-type]
    declared = compare(JUDGES, **engines, scale="0-1")  # type: ignore[arg-type]

    assert result.to_polars().equals(declared.to_polars())
    found = result.comparison
    for exclusions in found.exclusions.values():
        assert dict(exclusions.left_out) == {"no human score": 20, "no system score": 10}
    assert (found.n["gpt"], found.unscored) == (90, {"gpt": 10, "claude": 10})
    content = result.to_dict()
    assert content["exclusions"]["gpt"] == {"read": 120, "left_out": {"no human score": 20, "no system score": 10}}
    assert result.summary()[1][1] == "30 of 120 responses left out: no human score 20 and no system score 10."


def test_every_option_of_evaluate_serves_a_comparison_too() -> None:
    humans = {"human": "human_1", "second_human": ["human_2", "human_3"], "reference": "majority"}
    result = compare(
        JUDGES,
        system=["gpt", "claude"],
        groups="language",
        length="words",
        gate=["qwk>=-1", "exact_agreement>=99"],
        min_group=5,
        cuts=1,
        **humans,  # type: ignore[arg-type]
    )

    alone = evaluate(JUDGES, system="gpt", scale="0-1", **humans)  # type: ignore[arg-type]
    assert result.comparison.n["gpt"] < alone.exclusions.used  # one more engine, fewer responses that all scored
    assert alone.exclusions.left_out["no majority of human scores"] > 0
    figures = result.comparison.figures["claude"]
    assert {"partial_r", "prmse", "degradation_qwk", "largest_dsm", "dsm[language=fr]"} <= set(figures)
    assert [[gate.passed for gate in gates] for gates in result.gates.values()] == [[True, False]] * 2
    assert not result.passed
    names = [section.title for section in result.document().sections]
    assert {"Data and exclusions", "Subgroups", "Gates"} <= set(names)


def test_gates_serve_evaluations_on_disk_and_a_figure_nobody_knows_is_refused(tmp_path: Path) -> None:
    results = [evaluate(BOTH, human="rater", system=name, scale="1-6") for name in ("engine", "other")]
    files = [result.write(tmp_path / f"e{i}") / "evaluation.json" for i, result in enumerate(results)]
    checked = compare(files, gate="qwk>=0.99")
    assert not checked.passed
    assert checked.comparison.exclusions["engine"] == results[0].exclusions
    for tables, options in ((files, {}), (BOTH, {"human": "rater", "system": ["engine", "other"]})):
        with pytest.raises(InputError, match="names a figure this evaluation does not have"):
            compare(tables, gate="foo>=1", **options)  # type: ignore[arg-type]


def test_options_for_a_table_are_refused_with_evaluations(tmp_path: Path) -> None:
    results = [evaluate(BOTH, human="rater", system=name, scale="1-6") for name in ("engine", "other")]
    with pytest.raises(InputError, match="is for a table of scores") as refused:
        compare(results, groups="country")
    assert refused.value.field == "groups"
