"""What was left out, in words."""

import pytest

from assay.evaluation.exclusions import NO_SYSTEM, REASONS, ZERO_HUMAN, Exclusions
from assay.report.evaluation.left_out import WHY, cautions, exclusions_table, left_out_words


@pytest.mark.parametrize(
    ("exclusions", "words"),
    [
        (Exclusions(1000, {NO_SYSTEM: 50}), []),
        (
            Exclusions(2000, {ZERO_HUMAN: 856}),
            ["856 of 2,000 responses (43 %) are left out: human score 0."],
        ),
        (
            Exclusions(12),
            ["12 responses can say little: read every figure with its interval, and gather more."],
        ),
        (
            Exclusions(1),
            ["Only one response is left: no figure has an interval, and most are not defined."],
        ),
    ],
)
def test_a_caution_is_given_where_it_must_be(exclusions: Exclusions, words: list[str]) -> None:
    assert cautions(exclusions) == words


def test_every_reason_is_explained() -> None:
    assert set(WHY) == set(REASONS)
    table = exclusions_table(Exclusions(9, {NO_SYSTEM: 2}), "scores.csv")
    assert [row[1] for row in table.rows] == [9, -2]
    assert table.foot[0][1] == 7


def test_engines_judged_on_other_responses_are_told_apart() -> None:
    apart = {"alpha": Exclusions(300), "beta": Exclusions(301, {NO_SYSTEM: 1})}
    assert left_out_words({}, {}) == []
    assert left_out_words(dict.fromkeys("ab", Exclusions(300)), {"a": 0}) == ["300 responses read, none left out."]
    assert left_out_words(apart, {}) == [
        "“alpha”: 300 responses read, none left out.",
        "“beta”: 1 of 301 responses left out: no system score 1.",
    ]
