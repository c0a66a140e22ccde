"""Figures against published rules of thumb."""

from math import inf, nan

import pytest

from assay.errors import InputError
from assay.evaluation.thresholds import (
    DISTRIBUTION_LIMIT,
    THRESHOLDS,
    Threshold,
    Verdict,
    check_gate,
    judged,
    parse_gate,
)
from assay.metrics.intervals import Estimate

AT_LEAST = Threshold(0.7, inf, "a paper")
WITHIN = Threshold(-0.15, 0.15, "a paper")


@pytest.mark.parametrize(
    ("threshold", "estimate", "verdict"),
    [
        (AT_LEAST, Estimate(0.8, 0.75, 0.85), "met"),
        (AT_LEAST, Estimate(0.7, 0.7, 0.85), "met"),
        (AT_LEAST, Estimate(0.8, 0.65, 0.9), "met, uncertain"),
        (AT_LEAST, Estimate(0.8), "met, uncertain"),
        (AT_LEAST, Estimate(0.6, 0.5, 0.75), "not met, uncertain"),
        (AT_LEAST, Estimate(0.6), "not met, uncertain"),
        (AT_LEAST, Estimate(0.6, 0.5, 0.65), "not met"),
        (AT_LEAST, Estimate(nan, reason="no responses"), None),
        (WITHIN, Estimate(-0.1, -0.14, 0.0), "met"),
        (WITHIN, Estimate(-0.1, -0.2, 0.0), "met, uncertain"),
        (WITHIN, Estimate(0.3, 0.2, 0.4), "not met"),
        (WITHIN, Estimate(-0.3, -0.4, -0.2), "not met"),
        (WITHIN, Estimate(-0.3, -0.5, -0.1), "not met, uncertain"),
    ],
)
def test_a_verdict_is_certain_only_if_the_whole_interval_agrees(
    threshold: Threshold, estimate: Estimate, verdict: Verdict | None
) -> None:
    assert threshold.verdict(estimate) == verdict


def test_thresholds_read_well() -> None:
    assert [AT_LEAST.describe(), WITHIN.describe(), Threshold(-inf, 3, "").describe()] == [
        "at least 0.7",
        "within ±0.15",
        "at most 3",
    ]


def test_every_threshold_names_its_source() -> None:
    assert all("(2012)" in t.source or "RSMTool" in t.source for t in THRESHOLDS.values())


def test_only_figures_with_a_threshold_are_judged_in_the_order_of_the_table() -> None:
    found = judged({"rmse": Estimate(1.0), "smd": Estimate(0.2, 0.16, 0.3), "qwk": Estimate(0.8, 0.75, 0.9)})
    assert [(j.name, j.verdict) for j in found] == [("qwk", "met"), ("smd", "not met")]


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


@pytest.mark.parametrize(
    ("threshold", "estimate", "verdict"),
    [
        (WITHIN, Estimate(0.15, 0.1, 0.15), "met"),
        (WITHIN, Estimate(-0.15, -0.15, 0.1), "met"),
        (WITHIN, Estimate(0.15, 0.1, 0.16), "met, uncertain"),
        (AT_LEAST, Estimate(0.6, 0.5, 0.7), "not met, uncertain"),
        (WITHIN, Estimate(0.2, 0.15, 0.3), "not met, uncertain"),
        (WITHIN, Estimate(-0.2, -0.3, -0.15), "not met, uncertain"),
        (AT_LEAST, Estimate(0.8, 0.75), "met, uncertain"),
        (AT_LEAST, Estimate(0.8, high=0.9), "met, uncertain"),
        (AT_LEAST, Estimate(0.6, high=0.65), "not met, uncertain"),
        (AT_LEAST, Estimate(0.8, 0.75, inf), "met, uncertain"),
    ],
)
def test_an_end_on_the_threshold_meets_it(threshold: Threshold, estimate: Estimate, verdict: Verdict) -> None:
    assert threshold.verdict(estimate) == verdict


def test_the_thresholds_are_the_published_ones() -> None:
    """Williamson, Xi & Breyer (2012), and the values that the report of RSMTool 12 highlights."""
    assert {name: (t.least, t.most) for name, t in THRESHOLDS.items()} == {
        "qwk": (0.7, inf),
        "r": (0.7, inf),
        "smd": (-0.15, 0.15),
        "degradation_qwk": (-0.1, inf),
        "degradation_r": (-0.1, inf),
        "largest_dsm": (-0.1, 0.1),
        "exact_agreement": (50, inf),
        "adjacent_agreement": (95, inf),
        "disattenuated_r": (0.9, inf),
    }
    assert DISTRIBUTION_LIMIT == 5


@pytest.mark.parametrize(
    ("operator", "below", "equal", "above"),
    [
        (">=", False, True, True),
        (">", False, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
        ("=", False, True, False),
        ("==", False, True, False),
    ],
)
def test_every_comparison_holds_on_its_side_of_the_limit(operator: str, below: bool, equal: bool, above: bool) -> None:
    gate = parse_gate(f"x{operator}0.5")
    found = [check_gate(gate, {"x": Estimate(value)}).passed for value in (0.4, 0.5, 0.6)]
    assert found == [below, equal, above]
    assert (gate.figure, gate.operator, gate.limit, gate.absolute) == ("x", operator, 0.5, False)


@pytest.mark.parametrize(
    ("text", "limit"), [("x>1e-1", 0.1), ("x>+.5", 0.5), ("x>5.", 5), ("x>-2", -2), (" x > 2E+2 ", 200)]
)
def test_limits_are_written_as_numbers_are(text: str, limit: float) -> None:
    assert parse_gate(text).limit == limit


@pytest.mark.parametrize(
    ("low", "high", "least", "most"),
    [(-0.3, 0.1, 0.0, 0.3), (-0.3, -0.1, 0.1, 0.3), (0.1, 0.3, 0.1, 0.3), (0, 0.3, 0, 0.3)],
)
def test_the_size_of_an_interval_reaches_from_its_nearest_to_its_farthest_point(
    low: float, high: float, least: float, most: float
) -> None:
    figures = {"x": Estimate((low + high) / 2, low, high)}

    def passes(gate: str) -> bool:
        return check_gate(parse_gate(gate), figures, whole_interval=True).passed

    assert passes(f"abs(x)>={least}")
    assert not passes(f"abs(x)>{least}")
    assert passes(f"abs(x)<={most}")
    assert not passes(f"abs(x)<{most}")


def test_a_gate_says_what_it_was_decided_by() -> None:
    result = check_gate(parse_gate("qwk>=0.7"), FIGURES)
    assert (result.gate, result.estimate, result.why) == ("qwk>=0.7", FIGURES["qwk"], "qwk is 0.72 (0.68 to 0.76)")
    without = check_gate(parse_gate("x>0"), {"x": Estimate(1.0, 0.5, reason="why not")}, whole_interval=True)
    assert (without.passed, without.why) == (False, "x has no interval: why not")


def test_a_figure_nothing_like_any_other_is_answered_with_all_there_are() -> None:
    with pytest.raises(InputError, match=r"Figures are: dsm.*, n, qwk, r, smd") as refused:
        check_gate(parse_gate("zzzzzz>0"), FIGURES)
    assert refused.value.field == "gate"
    near = {name: Estimate(0.5) for name in ("kappa_1", "kappa_2", "kappa_3", "kappa_4")}
    with pytest.raises(InputError, match=r"Did you mean kappa_\d or kappa_\d or kappa_\d\?$"):
        check_gate(parse_gate("kappa_0>0"), near)


def test_a_gate_longer_than_any_figure_s_name_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="cannot read the gate") as refused:
        parse_gate("=" + " " * 100_000 + "x")
    assert len(str(refused.value)) < 400
