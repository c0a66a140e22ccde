"""Sums over pairs against the list of all pairs, given to the metrics of two raters."""

from itertools import permutations

import numpy as np
import pytest

from assay.evaluation.raters import pair_sums
from assay.evaluation.raters.pair_sums import HumanRatings
from assay.evaluation.raters.panel_ratings import Labels
from assay.metrics.agreement import exact_agreement
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from tests.evaluation.raters.panels import panel_from, random_table

CATEGORIES = Labels("category", ("", "a", "b", "c", "d", "e"))


def pairs_of_people(table: np.ndarray, people: int) -> tuple[list[float], list[float]]:
    pairs = [(a, b) for row in table[:, :people] for a, b in permutations(row[np.isfinite(row)], 2)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def pairs_with_judge(table: np.ndarray, people: int, judge: int) -> tuple[list[float], list[float]]:
    pairs = [(row[judge], h) for row in table for h in row[:people] if np.isfinite(h) and np.isfinite(row[judge])]
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize("seed", range(5))
def test_people_against_each_other_as_the_list_of_all_pairs_gives_it(seed: int) -> None:
    table = random_table(seed)
    first, second = pairs_of_people(table, 4)

    numbers = HumanRatings(panel_from(table, 2), 7).others().sum(axis=0)
    words = HumanRatings(panel_from(table, 2, CATEGORIES), 7).others().sum(axis=0)

    assert pair_sums.qwk(numbers) == pytest.approx(quadratic_weighted_kappa(first, second), abs=1e-12)
    assert pair_sums.kappa(words) == pytest.approx(cohen_kappa(first, second), abs=1e-12)
    assert 100 * pair_sums.exact(words) == pytest.approx(exact_agreement(first, second), abs=1e-10)
    assert numbers[pair_sums.N] == len(first)


@pytest.mark.parametrize("seed", range(5))
def test_a_judge_against_people_as_the_list_of_all_pairs_gives_it(seed: int) -> None:
    table = random_table(seed)
    first, second = pairs_with_judge(table, 4, 5)
    panel = panel_from(table, 2)

    numbers = HumanRatings(panel, 7).with_judge(panel.of_rater(5)).sum(axis=0)
    words = HumanRatings(panel_from(table, 2, CATEGORIES), 7).with_judge(panel.of_rater(5)).sum(axis=0)

    assert pair_sums.qwk(numbers) == pytest.approx(quadratic_weighted_kappa(first, second), abs=1e-12)
    assert pair_sums.kappa(words) == pytest.approx(cohen_kappa(first, second), abs=1e-12)


def test_sums_by_block_and_by_person_add_up_to_the_whole() -> None:
    human = HumanRatings(panel_from(random_table(3), 2), 7)
    rows = human.others()

    np.testing.assert_allclose(human.by_block(rows).sum(axis=0), rows.sum(axis=0))
    np.testing.assert_allclose(human.by_person(rows).sum(axis=0), rows.sum(axis=0))


def test_leaving_out_a_person_takes_both_directions_of_their_pairs() -> None:
    table = random_table(4)
    human = HumanRatings(panel_from(table, 2), 7)
    rows = human.others()
    persons = human.by_person(rows)
    without = rows.sum(axis=0) - persons[1] - pair_sums.swapped(persons[1])
    alone = np.delete(table, 1, axis=1)

    assert pair_sums.qwk(without) == pytest.approx(quadratic_weighted_kappa(*pairs_of_people(alone, 3)), abs=1e-12)


def test_weights_act_as_frequencies() -> None:
    from dataclasses import replace

    table = random_table(5, items=12)
    weights = np.tile([1.0, 2, 3], 4)
    weighted = HumanRatings(replace(panel_from(table, 2), item_weight=weights), 5).others().sum(axis=0)
    repeated = HumanRatings(panel_from(np.repeat(table, weights.astype(int), axis=0), 2), 5).others().sum(axis=0)

    assert pair_sums.qwk(weighted) == pytest.approx(pair_sums.qwk(repeated), abs=1e-12)


def test_equal_ratings_have_no_agreement_beyond_chance() -> None:
    equal = np.full((5, 3), 2.0)

    assert np.isnan(pair_sums.qwk(HumanRatings(panel_from(equal, 1), 5).others().sum(axis=0)))
    words = HumanRatings(panel_from(equal, 1, CATEGORIES), 5).others().sum(axis=0)
    assert np.isnan(pair_sums.kappa(words))
    assert pair_sums.exact(words) == 1


def test_scores_far_from_zero_lose_no_digits() -> None:
    table = random_table(6)
    near = HumanRatings(panel_from(table, 2), 7).others().sum(axis=0)
    far = HumanRatings(panel_from(table + 1e6, 2), 7).others().sum(axis=0)

    assert pair_sums.qwk(far) == pytest.approx(pair_sums.qwk(near), abs=1e-12)
