"""Fairness analyses and bias by score level.

References: RSMTool 12.0.0 (get_fairness_analyses) and statsmodels 0.15.0 (OLS, WLS, anova_lm), both run by
hand on the scores printed here; neither is needed to run the tests.
"""

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics.error_tally import ErrorTally
from assay.metrics.fairness import Fairness, FairnessModel, fairness
from assay.metrics.pairs import Scores

# fmt: off
HUMAN = [
    1, 4, 2, 1, 4, 4, 4, 4, 2, 4, 2, 3, 1, 4, 3, 1, 1, 1, 3, 2, 3, 4, 4, 3, 1, 2, 2, 2, 2, 1,
    2, 1, 4, 1, 4, 2, 3, 4, 4, 1, 3, 4, 1, 2, 4, 2, 4, 4, 3, 4, 1, 2, 2, 2, 4, 1, 4, 3, 1, 4,
]
GROUP = "CCACAAABBCAABABCCABBBBCCCACBABCAACAAAAAACACBBBABBBABCABCACAB"
SYSTEM = [
    1.513, 4.128, 2.163, 1.167, 3.578, 3.418, 3.594, 4.021, 3.58, 3.501, 2.365, 2.182, 1.914, 4.16,
    3.188, 1.29, 2.0, 1.716, 2.975, 1.851, 2.685, 4.097, 3.101, 2.716, 2.369, 2.497, 1.929, 1.74,
    1.911, 2.613, 2.338, 1.895, 3.761, 1.85, 3.794, 2.179, 3.048, 3.387, 4.464, 1.066, 2.49, 3.05,
    1.543, 2.828, 4.216, 3.636, 3.331, 3.311, 3.054, 5.164, 2.402, 2.475, 1.79, 1.453, 4.262, 1.673,
    3.962, 1.88, 0.96, 3.653,
]
# fmt: on

Table = dict[str, tuple[float, float, float, float]]


def tally_of(
    human: Sequence[float],
    system: Sequence[float],
    group: Sequence[str],
    weights: Sequence[float] | None = None,
) -> tuple[ErrorTally, list[str]]:
    names = sorted(set(group))
    codes = np.array([names.index(g) for g in group], dtype=np.int64)
    return ErrorTally.of(human, system, codes, len(names), weights=weights), names


def analyses(
    human: Sequence[float],
    system: Sequence[float],
    group: Sequence[str],
    weights: Sequence[float] | None = None,
) -> Fairness:
    return fairness(*tally_of(human, system, group, weights))


def models_of(result: Fairness) -> tuple[FairnessModel, FairnessModel, FairnessModel]:
    return result.overall_accuracy, result.overall_difference, result.conditional_difference


def figures(result: Fairness) -> list[float]:
    """Every number of the analyses, in order."""
    coefficients = [(c.estimate, c.p, c.low, c.high) for m in models_of(result) for c in m.coefficients]
    return [x for m in models_of(result) for x in (m.r2, m.p)] + [x for c in coefficients for x in c]


def assert_coefficients(model: FairnessModel, expected: Table) -> None:
    assert [c.name for c in model.coefficients] == list(expected)
    for c in model.coefficients:
        assert (c.estimate, c.p, c.low, c.high) == pytest.approx(expected[c.name], rel=1e-9)


class TestReferences:
    def test_r2_and_p_agree_with_rsmtool(self) -> None:
        result = analyses(HUMAN, SYSTEM, GROUP)

        assert result.base_group == "A"
        assert [m.r2 for m in models_of(result)] == pytest.approx(
            [0.005916634647585406, 0.037393404299916666, 0.12524216150673295], rel=1e-9
        )
        assert [m.p for m in models_of(result)] == pytest.approx(
            [0.31601015638064656, 0.12631147256025155, 0.0011244242793129675], rel=1e-9
        )
        assert [m.reason for m in models_of(result)] == ["", "", ""]

    def test_coefficients_agree_with_rsmtool(self) -> None:
        result = analyses(HUMAN, SYSTEM, GROUP)

        assert_coefficients(
            result.overall_accuracy,
            {
                "Intercept (A)": (
                    0.3105005833333333,
                    0.025334000096058414,
                    0.03977299185974026,
                    0.5812281748069263,
                ),
                "B": (0.311833995614035, 0.13075891066026005, -0.09544306240337302, 0.7191110536314431),
                "C": (0.13371847549019628, 0.5267537706579145, -0.28671761325218115, 0.5541545642325737),
            },
        )
        assert_coefficients(
            result.overall_difference,
            {
                "Intercept (A)": (
                    -0.027666666666666687,
                    0.8343604752026803,
                    -0.29139295424354944,
                    0.2360596209102161,
                ),
                "B": (0.40992982456140353, 0.04309004090855018, 0.013185385099116542, 0.8066742640236906),
                "C": (0.1616666666666668, 0.43255177686466606, -0.24789649696893684, 0.5712298303022705),
            },
        )
        # the intercept is that of group A at human score 4: RSMTool's base is the most frequent score
        assert_coefficients(
            result.conditional_difference,
            {
                "Intercept (A)": (
                    -0.35267085987455765,
                    0.005124939520235779,
                    -0.5949779666687269,
                    -0.11036375308038834,
                ),
                "B": (0.507164642747564, 0.0012087210930396466, 0.2096301288785602, 0.8046991566165678),
                "C": (-0.06368814728908073, 0.6895436584434229, -0.38161260027891813, 0.25423630570075667),
            },
        )

    def test_groups_that_share_no_human_score_get_the_pseudo_inverse_of_statsmodels(self) -> None:
        human, system = [1, 1, 1, 2, 2, 2, 2, 2], [1.2, 1, 1.3, 1.7, 2, 2.4, 1.9, 2.5]

        conditional = analyses(human, system, "AAABBBCC").conditional_difference

        assert (conditional.r2, conditional.p) == pytest.approx((-0.13894282632146693, 0.5787424253644565), rel=1e-9)
        assert_coefficients(
            conditional,
            {
                "Intercept (A)": (0.1, 0.2826087250672165, -0.11357154063980045, 0.3135715406398003),
                "B": (-0.2 / 3, 0.6764974215124947, -0.45379796007257733, 0.3204646267392439),
                "C": (0.1, 0.5921101427542004, -0.3494436071584187, 0.5494436071584187),
            },
        )

    def test_response_weights_agree_with_weighted_least_squares_of_statsmodels(self) -> None:
        result = analyses(
            [1, 2, 2, 1, 3, 3, 1, 2, 3, 2],
            [1.5, 2.1, 1.4, 0.8, 3.3, 2.2, 2.1, 2.6, 2.9, 1.7],
            "AABABBABAA",
            [1, 2, 0.5, 1, 1, 3, 1, 0.25, 2, 1],
        )

        assert [m.r2 for m in models_of(result)] == pytest.approx(
            [0.028060633175146954, 0.20405620133232827, -0.042174981398941824], rel=1e-9
        )
        assert [m.p for m in models_of(result)] == pytest.approx(
            [0.2942367070366171, 0.1064789327588308, 0.4515281568680539], rel=1e-9
        )
        assert_coefficients(
            result.conditional_difference,
            {
                "Intercept (A)": (
                    0.0022988505747126575,
                    0.9944885520686706,
                    -0.7789414304418296,
                    0.783539131591255,
                ),
                "B": (-0.3448275862068963, 0.45152815686805386, -1.3929714112753113, 0.7033162388615186),
            },
        )


def dummies(codes: Scores, values: Sequence[float]) -> Scores:
    return np.stack([codes == v for v in values], axis=1).astype(float).reshape(codes.size, -1)


def dense_adjusted_r2(design: Scores, y: Scores) -> tuple[float, Scores]:
    estimates = np.linalg.pinv(design, rcond=1e-10) @ y
    residual = ((y - design @ estimates) ** 2).sum()
    df = y.size - int(np.linalg.matrix_rank(design))
    return 1 - (y.size - 1) / df * residual / ((y - y.mean()) ** 2).sum(), estimates


@pytest.mark.parametrize("seed", range(8))
def test_r2_and_estimates_equal_those_of_a_dense_least_squares_on_every_response(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_groups = 80, 4
    group = np.sort(rng.integers(n_groups, size=n))  # group 0 to 3 ...
    human = rng.integers(0, 9, n) / 2 + 10 * (group == 3) * (seed % 2)  # ... in odd seeds, one with scores apart
    system = human + 0.3 * group + rng.normal(size=n)
    by_size = sorted(set(group.tolist()), key=lambda g: (-(group == g).sum(), g))
    by_frequency = sorted(set(human.tolist()), key=lambda h: (-(human == h).sum(), h))
    one, groups = np.ones((n, 1)), dummies(group.astype(float), by_size[1:])
    levels = dummies(human, by_frequency[1:])
    error = system - human

    result = fairness(ErrorTally.of(human, system, group, n_groups), ["0", "1", "2", "3"])

    expected = [
        dense_adjusted_r2(np.hstack((one, groups)), error**2),
        dense_adjusted_r2(np.hstack((one, groups)), error),
        dense_adjusted_r2(np.hstack((one, groups, levels)), error),
    ]
    without_groups = (0.0, 0.0, dense_adjusted_r2(np.hstack((one, levels)), error)[0])
    for model, (r2, estimates), baseline in zip(models_of(result), expected, without_groups, strict=True):
        assert model.r2 == pytest.approx(r2 - baseline, rel=1e-9, abs=1e-12)
        assert [c.estimate for c in model.coefficients] == pytest.approx(estimates[: len(by_size)].tolist(), abs=1e-9)


class TestTally:
    @settings(deadline=None)
    @given(st.integers(1, 5), st.integers(0, 1000))
    def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(self, parts: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = 60
        human, group = rng.choice([1, 2, 2.5, 3.3], n), rng.integers(-1, 3, n)
        system, weights = human + rng.normal(size=(2, n)) + 1000, rng.integers(0, 3, n)
        part = rng.integers(parts, size=n)

        merged = reduce(
            add,
            (
                ErrorTally.of(human[p], system[:, p], group[p], 3, weights=weights[p])
                for p in (part == k for k in range(parts))
            ),
        )

        whole = ErrorTally.of(human, system, group, 3, weights=weights)
        assert merged.levels.tolist() == whole.levels.tolist()
        assert merged.n.tolist() == whole.n.tolist()
        for name in ("weight", "mean_error", "ss_error", "mean_square", "ss_square"):
            np.testing.assert_allclose(getattr(merged, name), getattr(whole, name), rtol=1e-9, atol=1e-9)
        for i in range(2):
            assert figures(fairness(merged[i], "ABC")) == pytest.approx(
                figures(fairness(whole[i], "ABC")), rel=1e-9, abs=1e-9, nan_ok=True
            )

    def test_each_cell_holds_the_mean_and_the_squares_of_its_errors(self) -> None:
        tally = ErrorTally.of([1, 1, 2], [2, 4, 2.5], np.array([0, 0, 1]), 2)

        assert tally.levels.tolist() == [1, 2]
        assert tally.n.tolist() == [[2, 0], [0, 1]]
        assert tally.mean_error.tolist() == [[2, 0], [0, 0.5]]  # errors 1 and 3; 0.5
        assert tally.ss_error.tolist() == [[2, 0], [0, 0]]
        assert tally.mean_square.tolist() == [[5, 0], [0, 0.25]]  # squares 1 and 9
        assert tally.ss_square.tolist() == [[32, 0], [0, 0]]

    def test_a_part_without_responses_changes_nothing(self) -> None:
        tally, names = tally_of(HUMAN, SYSTEM, GROUP)
        empty = ErrorTally.of([], [], np.zeros(0, dtype=np.int64), 3)

        assert figures(fairness(empty + tally, names)) == figures(fairness(tally, names))
        assert figures(fairness(tally + empty, names)) == figures(fairness(tally, names))

    def test_responses_without_group_or_weight_are_left_out_whatever_their_scores(self) -> None:
        group = np.array([0, 1, -1, 1])

        tally = ErrorTally.of([1, 2, np.nan, 9], [1, 3, 2, 9], group, 2, weights=[1, 1, 1, 0])

        assert tally.levels.tolist() == [1, 2]
        assert tally.n.tolist() == [[1, 0], [0, 1]]

    def test_errors_far_from_zero_keep_their_squares(self) -> None:
        error = np.tile([1e8 - 1, 1e8 + 1], 500)

        tally = ErrorTally.of(np.ones(1000), 1 + error, np.zeros(1000, dtype=np.int64), 1)

        assert tally.ss_error[0, 0] == pytest.approx(1000)

    def test_a_tally_cannot_be_changed(self) -> None:
        tally, _ = tally_of(HUMAN, SYSTEM, GROUP)

        with pytest.raises(ValueError, match="read-only"):
            tally.n[0, 0] = 7

    def test_human_scores_are_distinct_by_their_unrounded_value(self) -> None:
        human = [1.0, 1.25, 1 / 3, 0.333333, 1e6, -2.5]

        tally = ErrorTally.of(human, human, np.zeros(6, dtype=np.int64), 1)

        assert tally.levels.tolist() == sorted(human)

    @pytest.mark.parametrize(
        ("human", "system", "group", "weights", "message"),
        [
            ([1, 2], [1], [0, 0], None, "as many of each as there are responses"),
            ([1, 2], [1, 2], [0, 0], [1], r"weight \(1,\)"),
            ([1, 2], [1, 2], [0, 2], None, "numbered 0 to 1"),
            ([1, 2], [1, 2], [0, -2], None, "numbered 0 to 1"),
            ([1, 2], [1, 2], [0.0, 1.0], None, "float64"),
            ([1, np.nan], [1, 2], [0, 1], None, "group code -1"),
            ([1, 2], [1, np.inf], [0, 1], None, "group code -1"),
            ([1, 2], [1, 2], [0, 1], [1, -1], "not negative"),
        ],
    )
    def test_input_that_does_not_fit_is_refused_with_a_remedy(
        self,
        human: list[float],
        system: list[float],
        group: list[int],
        weights: list[float] | None,
        message: str,
    ) -> None:
        with pytest.raises(InputError, match=message):
            ErrorTally.of(human, system, np.array(group), 2, weights=weights)

    def test_tallies_of_other_groups_are_not_merged(self) -> None:
        three, _ = tally_of(HUMAN, SYSTEM, GROUP)
        two, _ = tally_of([1, 2], [1, 2], "AB")

        with pytest.raises(InputError, match="cannot be merged"):
            three + two


class TestLaws:
    def test_groups_are_listed_by_size_and_ties_by_the_alphabet(self) -> None:
        # RSMTool 12; older reference files of RSMTool list ties in no fixed order
        result = analyses([1, 2] * 5, [1, 3, 2, 2, 1, 2, 2, 3, 1, 1], "DDCCBAABAA")

        assert result.base_group == "A"
        for model in models_of(result):
            assert [c.name for c in model.coefficients] == ["Intercept (A)", "B", "C", "D"]

    def test_a_group_without_responses_is_not_listed(self) -> None:
        codes = np.array([" ABC".index(g) for g in GROUP], dtype=np.int8)
        tally = ErrorTally.of(HUMAN, SYSTEM, codes, 4)

        assert figures(fairness(tally, ["nobody", "A", "B", "C"])) == figures(analyses(HUMAN, SYSTEM, GROUP))

    def test_the_unit_of_the_weights_does_not_matter(self) -> None:
        weights = np.random.default_rng(1).random(60)

        once = analyses(HUMAN, SYSTEM, GROUP, weights.tolist())
        often = analyses(HUMAN, SYSTEM, GROUP, (1e6 * weights).tolist())

        assert figures(once) == pytest.approx(figures(often), rel=1e-9)
        assert figures(once) != pytest.approx(figures(analyses(HUMAN, SYSTEM, GROUP)), rel=1e-2)

    def test_a_billion_responses_keep_the_estimates_of_sixty(self) -> None:
        tally, names = tally_of(HUMAN, SYSTEM, GROUP)
        few = fairness(tally, names)

        for _ in range(24):  # 60 * 2^24
            tally = tally + tally
        many = fairness(tally, names)

        assert tally.n.sum() == 60 * 2**24
        for model, model_of_few in zip(models_of(many), models_of(few), strict=True):
            assert [c.estimate for c in model.coefficients] == pytest.approx(
                [c.estimate for c in model_of_few.coefficients], rel=1e-10
            )
            assert model.p < 1e-100

    def test_one_response_beside_a_billion_keeps_its_digits(self) -> None:
        # group B is linked to A by one response at score 2; at score 1 its mean error is the intercept plus B
        billion, none = 1e9, 0.0
        tally = ErrorTally(
            levels=np.array([1.0, 2.0]),
            n=np.array([[billion, 1.0], [none, billion]]),
            weight=np.array([[billion, 1.0], [none, billion]]),
            mean_error=np.array([[0.25, 0.75], [none, -0.5]]),
            ss_error=np.array([[billion, none], [none, billion]]),
            mean_square=np.array([[1.0, 1.0], [none, 1.0]]),
            ss_square=np.array([[billion, none], [none, billion]]),
        )

        conditional = fairness(tally, ["A", "B"]).conditional_difference

        # two groups, two scores, one empty cell: the additive model meets all three means
        assert [c.estimate for c in conditional.coefficients][1] == pytest.approx(-1.25, rel=1e-9)


class TestUndefined:
    def test_one_group_has_an_intercept_but_nothing_to_explain(self) -> None:
        result = analyses([1, 2, 3, 1], [1.2, 2, 3.3, 1.7], "AAAA")

        for model in models_of(result):
            assert np.isnan([model.r2, model.p]).all()
            assert model.reason == "only one group"
        # statsmodels 0.15.0
        assert_coefficients(
            result.conditional_difference,
            {"Intercept (A)": (0.45, 0.32282893443419053, -2.7265511840436734, 3.6265511840436737)},
        )

    def test_as_many_coefficients_as_responses_leave_nothing_to_test(self) -> None:
        result = analyses([1, 2, 3, 4], [1.2, 2, 3.3, 1.7], "ABCD")

        for model in models_of(result):
            assert np.isnan([model.r2, model.p]).all()
            assert model.reason == "too few responses for so many groups and human scores"
            assert all(np.isnan([c.p, c.low, c.high]).all() for c in model.coefficients)
        estimates = [c.estimate for c in result.conditional_difference.coefficients]
        assert estimates == pytest.approx([0.2, -0.1, 0.05, -1.25])  # statsmodels 0.15.0, pseudo-inverse

    def test_groups_that_coincide_with_human_scores_cannot_be_told_from_them(self) -> None:
        result = analyses([1, 1, 1, 2, 2, 2], [1.2, 1, 1.3, 1.7, 2, 2.4], "AAABBB")

        assert result.overall_difference.p == pytest.approx(0.579015428715898)  # statsmodels 0.15.0
        conditional = result.conditional_difference
        assert np.isnan([conditional.r2, conditional.p]).all()
        assert conditional.reason == "no two groups share a human score"

    @pytest.mark.parametrize("shift", [0.0, 1.0, 0.1, 1 / 3])
    def test_equal_errors_are_equal_even_when_rounding_parts_them(self, shift: float) -> None:
        human = np.tile([1.1, 2.2, 3.3, 4.7], 6)

        result = analyses(human.tolist(), (human + shift).tolist(), "ABCABCABCABC" * 2)

        reasons = [m.reason for m in models_of(result)]
        assert reasons[:2] == ["all squared errors are equal", "all errors are equal"]
        assert np.isnan([x for m in models_of(result) for x in (m.r2, m.p)]).all()

    def test_errors_that_only_the_group_decides_are_explained_in_full(self) -> None:
        human = [1, 2, 3, 1, 2, 3, 1, 2, 3]
        system = [h + shift for h, shift in zip(human, [0, 0, 0, 1, 1, 1, 0, 0, 0], strict=True)]

        result = analyses(human, system, "AAABBBCCC")

        assert [m.r2 for m in models_of(result)[:2]] == [1, 1]
        for model in models_of(result):
            assert model.p == 0
            assert all(np.isnan(c.p) for c in model.coefficients)
            assert [c.estimate for c in model.coefficients] == pytest.approx([0, 1, 0], abs=1e-12)

    def test_no_responses_have_no_base_group(self) -> None:
        result = fairness(ErrorTally.of([], [], np.zeros(0, dtype=np.int64), 2), ["A", "B"])

        assert result.base_group == ""
        assert result.conditional_difference.reason == "no responses"

    def test_too_many_human_scores_leave_the_overall_models_alone(self) -> None:
        rng = np.random.default_rng(0)
        human, group = np.arange(2100) / 7, np.tile([0, 1], 1050)

        result = fairness(ErrorTally.of(human, human + rng.normal(size=2100), group, 2), ["A", "B"])

        assert result.overall_difference.reason == ""
        assert "more than 2000" in result.conditional_difference.reason

    def test_names_must_fit_the_groups(self) -> None:
        tally, _ = tally_of(HUMAN, SYSTEM, GROUP)

        with pytest.raises(InputError, match="2 groups"):
            fairness(tally, ["A", "B"])


def test_human_scores_of_the_same_frequency_go_from_the_lowest() -> None:
    """The intercept is the base group's error at the base score: of scores 2 and 1, given as often, that is 1."""
    human, system = [2, 2, 1, 1, 2, 1], [2.5, 2.7, 1.1, 1.1, 2.6, 1.2]
    model = analyses(human, system, "AAABBB").conditional_difference
    design = np.array([[1, g == "B", h == 2] for h, g in zip(human, "AAABBB", strict=True)], dtype=float)
    expected = np.linalg.lstsq(design, np.subtract(system, human), rcond=None)[0]
    assert [c.estimate for c in model.coefficients] == pytest.approx(expected[:2])


def test_the_reasons_of_an_empty_and_of_a_mismatched_tally_name_the_field() -> None:
    tally = ErrorTally.of([1, 2], [[1, 2], [2, 4]], np.array([0, 1]), 2)
    with pytest.raises(InputError, match="Expected one tally of 2 groups") as refused:
        fairness(tally, ["A", "B"])
    assert refused.value.field == "tally"
    nobody = fairness(ErrorTally.of([], [], np.zeros(0, dtype=np.int64), 1), ["A"])
    for model in models_of(nobody):
        assert (np.isnan(model.r2), np.isnan(model.p), model.coefficients, model.reason) == (
            True,
            True,
            (),
            "no responses",
        )


def test_errors_explained_by_the_human_score_alone_are_no_matter_of_groups() -> None:
    model = analyses([1, 1, 2, 2, 3, 3], [2, 2, 2, 2, 2, 2], "ABABAB").conditional_difference
    assert (np.isnan(model.r2), np.isnan(model.p)) == (True, True)
    assert model.reason == "the human score alone explains all errors"
