"""Gates: conditions a figure must meet."""

import pytest

from assay.errors import InputError
from assay.evaluation.gates import check_gate, parse_gate
from assay.metrics.intervals import Estimate

FIGURES = {
    "qwk": Estimate(0.72, 0.68, 0.76),
    "smd": Estimate(-0.1, -0.2, 0.05),
    "dsm[first language=Other, new]": Estimate(0.02, -0.1, 0.14),
    "r": Estimate(reason="all human scores are equal"),
    "n": Estimate(412.0),
}


@pytest.mark.parametrize(
    ("gate", "by_value", "by_interval"),
    [
        ("qwk>=0.7", True, False),
        ("qwk >= .65", True, True),
        ("qwk<0.7", False, False),
        ("abs(smd)<=0.15", True, False),
        ("abs( smd ) <= 0.2", True, True),
        ("abs(smd)>=0.04", True, False),  # 0 lies in the interval
        ("smd>-0.3", True, True),
        ("dsm[first language=Other, new]<=0.1", True, False),
    ],
)
def test_a_gate_holds_for_the_value_or_for_the_whole_interval(gate: str, by_value: bool, by_interval: bool) -> None:
    parsed = parse_gate(gate)

    assert check_gate(parsed, FIGURES).passed is by_value
    assert check_gate(parsed, FIGURES, whole_interval=True).passed is by_interval


def test_an_undefined_figure_does_not_pass_and_says_why() -> None:
    result = check_gate(parse_gate("r>=0"), FIGURES)

    assert not result.passed
    assert result.why == "r is n/a: all human scores are equal"


def test_a_figure_without_an_interval_cannot_pass_by_its_interval() -> None:
    assert check_gate(parse_gate("n>=400"), FIGURES).passed
    assert not check_gate(parse_gate("n>=400"), FIGURES, whole_interval=True).passed


@pytest.mark.parametrize("text", ["qwk", "qwk>=", ">=0.7", "abs(smd<=0.1", "smd)<=0.1", "qwk>=high", ""])
def test_what_is_no_gate_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"qwk>=0\.7"):
        parse_gate(text)


def test_an_unknown_figure_names_the_near_ones() -> None:
    with pytest.raises(InputError, match="Did you mean qwk"):
        check_gate(parse_gate("qkw>0.5"), FIGURES)
