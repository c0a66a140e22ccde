"""The test against the procedure of its paper, scipy's t test and correction, and the authors' own results."""

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest
from scipy import stats

from assay.evaluation.raters.alternative_test import Scoring, alternative_test, benjamini_yekutieli, p_values
from assay.evaluation.raters.pair_sums import HumanRatings
from assay.evaluation.raters.panel_ratings import Labels
from tests.evaluation.raters.panels import panel_from, random_table
from tests.paths import SHARED

GOLDEN = SHARED / "golden" / "alttest"
RNG = np.random.default_rng(0)


def by_the_paper(
    table: np.ndarray, people: int, judge: int, scoring: str, epsilon: float, least: int
) -> tuple[float, float]:
    """Winning rate and advantage probability, step by step (Calderon, Reichart & Dror 2025, section 3)."""

    def alignment(label: float, others: np.ndarray) -> float:
        if scoring == "accuracy":
            return float(np.mean(others == label))
        return -float(np.sqrt(np.mean((others - label) ** 2)))

    p, advantages = [], []
    for person in range(people):
        judge_wins, person_wins = [], []
        for row in table:
            others = np.delete(row[:people], person)
            others = others[np.isfinite(others)]
            if not (np.isfinite(row[person]) and np.isfinite(row[judge]) and others.size):
                continue
            mine, theirs = alignment(row[judge], others), alignment(row[person], others)
            judge_wins.append(mine >= theirs)
            person_wins.append(theirs >= mine)
        if len(judge_wins) < least:
            continue
        difference = np.array(person_wins, dtype=float) - judge_wins
        p.append(stats.ttest_1samp(difference, epsilon, alternative="less").pvalue)
        advantages.append(np.mean(judge_wins))
    rejected = stats.false_discovery_control(p, method="by") <= 0.05
    return float(rejected.mean()), float(np.mean(advantages))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scoring", ["accuracy", "neg_rmse"])
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_it_gives_what_the_paper_says_on_tables_with_gaps_and_ties(seed: int, scoring: Scoring, epsilon: float) -> None:
    table = random_table(seed, items=80, people=5, judges=1)
    panel = panel_from(table, 1)
    human = HumanRatings(panel, 80)

    test = alternative_test(
        human, panel.of_rater(5), scoring=scoring, epsilon=epsilon, rng=np.random.default_rng(seed), least_items=20
    )

    rate, advantage = by_the_paper(table, 5, 5, scoring, epsilon, 20)
    assert test.winning_rate == pytest.approx(rate, abs=1e-12)
    assert test.advantage == pytest.approx(advantage, abs=1e-12)
    assert test.winning_rate.low <= test.winning_rate <= test.winning_rate.high
    assert test.advantage.low < test.advantage < test.advantage.high


def test_p_values_are_those_of_a_one_sided_t_test() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0, 1], size=(3, 40))
    sums = np.stack([np.full(3, 40.0), d.sum(axis=1), (d**2).sum(axis=1), np.zeros(3)], axis=-1)

    np.testing.assert_allclose(p_values(sums, 0.1), stats.ttest_1samp(d, 0.1, axis=1, alternative="less").pvalue)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_correction_is_scipys(size: int) -> None:
    p = np.random.default_rng(size).random((50, size)) ** 4

    expected = stats.false_discovery_control(p, method="by", axis=-1) <= 0.05

    np.testing.assert_array_equal(benjamini_yekutieli(p), expected)


def test_a_p_value_that_is_none_is_not_rejected() -> None:
    assert benjamini_yekutieli(np.array([np.nan, 0.001])).tolist() == [False, True]


def test_people_with_few_items_are_named_and_not_tested() -> None:
    table = random_table(7, items=50, people=3, judges=1, gaps=0.0)
    table[10:, 2] = np.nan
    panel = panel_from(table, 1)

    test = alternative_test(HumanRatings(panel, 50), panel.of_rater(3), scoring="neg_rmse", epsilon=0.1, rng=RNG)

    assert (test.raters, test.skipped) == (("h0", "h1"), ("h2",))


def test_without_a_second_person_there_is_no_test_and_a_reason() -> None:
    panel = panel_from(random_table(8, people=1, judges=1), 1)

    test = alternative_test(HumanRatings(panel, 60), panel.of_rater(1), scoring="accuracy", epsilon=0.1, rng=RNG)

    assert not test.winning_rate.defined
    assert test.reason == "no rater shares 30 items with the judge and another rater"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the authors' panels are not part of the project")
def test_the_authors_results_to_the_last_digit() -> None:
    with (GOLDEN / "expected.csv").open(encoding="utf-8") as stream:
        expected = list(csv.DictReader(stream))
    by_set = defaultdict(list)
    for row in expected:
        by_set[row["dataset"]].append(row)
    for name, rows in by_set.items():
        table, names, judges = _golden_table(name, numeric=rows[0]["scoring"] == "neg_rmse")
        labels = Labels("number") if rows[0]["scoring"] == "neg_rmse" else Labels("category")
        panel = panel_from(table, judges, labels, names)
        human = HumanRatings(panel, min(len(table), 499))
        for row in rows:
            column = panel.of_rater(names.index(row["judge"]))
            scoring: Scoring = "accuracy" if row["scoring"] == "accuracy" else "neg_rmse"
            test = alternative_test(human, column, scoring=scoring, epsilon=float(row["epsilon"]), rng=RNG, draws=2)
            figures = (test.winning_rate.value, test.advantage.value)
            assert figures == pytest.approx(
                (float(row["winning_rate"]), float(row["advantage_probability"])), abs=1e-12
            )


def _golden_table(name: str, *, numeric: bool) -> tuple[np.ndarray, tuple[str, ...], int]:
    with gzip.open(GOLDEN / f"{name}.csv.gz", "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    items = {item: n for n, item in enumerate(dict.fromkeys(row["item"] for row in rows))}
    kinds = {row["rater"]: row["kind"] for row in rows}
    names = tuple(sorted(kinds, key=lambda rater: kinds[rater] == "judge"))
    words = {label: n for n, label in enumerate(sorted({row["label"] for row in rows}))}
    table = np.full((len(items), len(names)), np.nan)
    for row in rows:
        value = float(row["label"]) if numeric else float(words[row["label"]])
        table[items[row["item"]], names.index(row["rater"])] = value
    return table, names, sum(kind == "judge" for kind in kinds.values())
