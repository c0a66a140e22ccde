"""What `assay evaluate`, `compare` and `trust` say on a terminal, to a program, and when asked to be quiet."""

import json
from pathlib import Path

import pytest

from assay.cli.evaluation_output import say_comparison, say_evaluation, say_trust
from assay.evaluation.thresholds import check_gate, parse_gate
from assay.workflows.evaluation.results import ComparisonResult, EvaluationResult
from assay.workflows.evaluation.trust import trust
from tests.report.evaluation.evaluations import PROVENANCE, compared, rich
from tests.workflows.evaluation.test_trust import REVIEWS

OUT = Path("out")
Screen = pytest.CaptureFixture[str]


def evaluated(*gates: str) -> EvaluationResult:
    evaluation = rich()
    checked = tuple(check_gate(parse_gate(gate), evaluation.figures(), whole_interval=False) for gate in gates)
    return EvaluationResult(evaluation, PROVENANCE, "autumn.csv", gates=checked)


def test_the_headline_has_each_figure_with_its_verdict_and_the_next_step(capsys: Screen) -> None:
    say_evaluation(evaluated("qwk>=0.99"), OUT, as_json=False, quiet=False)

    said = capsys.readouterr().out
    assert "400 responses, 12 left out; scale 1 to 6" in said
    assert "gate qwk>=0.99: FAILED" in " ".join(said.split())
    assert "Next: assay compare out/evaluation.json OTHER/evaluation.json" in said


def test_quiet_says_only_gates_that_failed_and_json_has_the_screen_to_itself(capsys: Screen) -> None:
    say_evaluation(evaluated("qwk>=0.1", "qwk>=0.99"), OUT, as_json=False, quiet=True)
    quiet = capsys.readouterr()
    say_evaluation(evaluated(), OUT, as_json=True, quiet=False)
    printed = capsys.readouterr()

    assert quiet.out == ""
    assert quiet.err.count("gate ") == 1
    assert json.loads(printed.out)["schema"].startswith("assay.evaluation")
    assert "Wrote out" in printed.err


def test_a_comparison_has_a_row_for_each_pair_and_figure(capsys: Screen) -> None:
    say_comparison(ComparisonResult(compared(0.3, 0.9), PROVENANCE), OUT, as_json=False, quiet=False)

    said = capsys.readouterr().out
    assert "2 engines on the same 300 responses" in said
    assert said.count("alpha − beta") == 5


def test_trust_names_what_to_review_next(capsys: Screen) -> None:
    result = trust(REVIEWS, id="response", human="teacher", system="engine", scale="1-6", most=2)

    say_trust(result, None, as_json=False, quiet=False)
    said = capsys.readouterr().out
    assert "Review next:" in said
    assert all(f"  {one.name}: " in said for one in result.trust.next)
    assert "Wrote" not in said
