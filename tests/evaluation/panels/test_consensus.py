"""Consensus labels, beside crowd-kit and a plain loop."""

from collections.abc import Callable

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.consensus import Consensus, dawid_skene, fit_jury, majority_vote, one_coin

NAN = float("nan")
LABELS = np.array(
    [
        *([0, 0, 1, 0], [1, 1, 1, NAN], [2, 2, 0, 2], [0, NAN, 0, 0], [1, 1, 2, 1], [2, 1, 2, 2], [0, 0, 0, 1]),
        *([1, NAN, 1, 1], [2, 2, 2, NAN], [0, 1, 0, 0], [NAN, 2, 1, 2], [1, 1, 0, 1]),
    ]
)
RULES: dict[str, Callable[..., Consensus]] = {"model": dawid_skene, "votes": majority_vote, "coin": one_coin}


def noisy_labels(seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=300)
    labels = np.where(rng.random((300, 6)) < rng.uniform(0.4, 0.9, 6), truth[:, None], rng.integers(4, size=(300, 6)))
    return np.where(rng.random((300, 6)) < 0.3, NAN, labels)


def plain_dawid_skene(labels: np.ndarray, weights: np.ndarray, rounds: int) -> np.ndarray:
    """Posteriors by loops over items and raters, from Dawid & Skene (1979), equations 2.3 to 2.5."""
    items, raters, classes = *labels.shape, int(np.nanmax(labels)) + 1
    posterior = np.array([[np.mean(row[~np.isnan(row)] == c) for c in range(classes)] for row in labels])
    for _ in range(rounds):
        prior = weights @ posterior / weights.sum()
        likelihood = np.tile(prior, (items, 1))
        for rater in range(raters):
            given = [i for i in range(items) if not np.isnan(labels[i, rater])]
            table = np.full((classes, classes), 0.0)
            for i in given:
                table[:, int(labels[i, rater])] += weights[i] * posterior[i]
            table = np.maximum(table, 1e-10)
            table /= table.sum(axis=1, keepdims=True)
            for i in given:
                likelihood[i] *= table[:, int(labels[i, rater])]
        posterior = likelihood / likelihood.sum(axis=1, keepdims=True)
    return posterior


def test_dawid_skene_is_that_of_crowd_kit() -> None:
    # crowd-kit 1.4.2, DawidSkene(n_iter=2000, tol=-1e9): its own stopping rule ends before the maximum
    fit = dawid_skene(LABELS)

    assert fit.labels.tolist() == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 2, 1]
    assert fit.prior == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert fit.confusion[1] == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [0, 1, 0], [0, 0.25, 0.75]]), abs=1e-6)
    assert fit.confusion[2] == pytest.approx(
        np.array([[0.75, 0.25, 0], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]), abs=1e-6
    )
    assert fit.cautions == ()


def test_one_coin_is_that_of_crowd_kit() -> None:
    # crowd-kit 1.4.2, OneCoinDawidSkene(n_iter=2000, tol=-1e9)
    fit = one_coin(LABELS)

    assert fit.posterior[10] == pytest.approx([0.0071412, 0.02020002, 0.97265878], abs=1e-6)
    assert fit.accuracy == pytest.approx([1, 0.79726588, 0.58501667, 0.89726588], abs=1e-6)


def test_gaps_and_weights_as_in_a_plain_loop() -> None:
    labels, weights = noisy_labels(), np.random.default_rng(5).uniform(0.5, 2, 300)
    rated = ~np.isnan(labels).all(axis=1)
    fit = dawid_skene(labels, weights)

    expected = plain_dawid_skene(labels[rated], weights[rated], fit.rounds)

    assert fit.posterior[rated] == pytest.approx(expected, abs=1e-6)


def test_a_weight_of_two_is_an_item_given_twice() -> None:
    labels = noisy_labels()[:60]
    weighted, doubled = dawid_skene(labels, np.full(60, 2.0)), dawid_skene(np.repeat(labels, 2, axis=0))

    assert weighted.log_likelihood == pytest.approx(doubled.log_likelihood)
    assert weighted.confusion == pytest.approx(doubled.confusion, abs=1e-9, nan_ok=True)


def test_a_careless_rater_is_outweighed() -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(2, size=500)
    good = [np.where(rng.random(500) < 0.85, truth, 1 - truth) for _ in range(3)]
    labels = np.stack([*good, *(rng.integers(2, size=500) for _ in range(4))], axis=1)

    right = {name: np.mean(rule(labels).labels == truth) for name, rule in RULES.items()}

    assert right["model"] > right["votes"] + 0.03
    assert right["coin"] > right["votes"] + 0.03


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_an_item_without_a_label_has_no_consensus(rule: Callable[..., Consensus]) -> None:
    fit = rule([[0, 1, 1], [NAN, NAN, NAN], [1, 1, 0], [0, 0, 0]])

    assert np.isnan(fit.labels[1])
    assert np.isnan(fit.posterior[1]).all()
    assert fit.posterior[[0, 2, 3]].sum(axis=1) == pytest.approx([1, 1, 1])


def test_ties_have_no_label_and_are_counted() -> None:
    fit = majority_vote([[0, 1], [1, 0], [1, 1]])

    assert np.isnan(fit.labels[:2]).all()
    assert fit.labels[2] == 1
    assert fit.cautions == ("2 of 3 items are tied between labels and have none.",)


def test_odd_panels_are_named() -> None:
    assert "All labels are the same" in dawid_skene([[0, 0], [0, 0]]).cautions[0]
    assert any(
        "1 of 3 raters gave one label" in note for note in dawid_skene(np.array([[0, 1, 1], [1, 1, NAN]])).cautions
    )
    assert any("No item has two labels" in note for note in dawid_skene([[0, NAN], [NAN, 1]]).cautions)
    assert np.isnan(dawid_skene([[0, 1, NAN], [1, 1, NAN]]).accuracy[2])


def test_several_criteria_are_refused() -> None:
    with pytest.raises(InputError, match="one criterion at a time"):
        dawid_skene(np.zeros((2, 2, 2)))


def judged(seed: int = 1, n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, n)
    return 1 + 0.5 * truth[:, None] + rng.normal(0, [0.3, 0.4, 0.4, 3.0], (n, 4)), truth + rng.normal(0, 0.3, n)


def test_without_gaps_the_weights_are_those_of_least_squares() -> None:
    judges, human = judged()
    good = judges[:, :3]
    fit = fit_jury(good, human, np.random.default_rng(1))
    exact = np.linalg.lstsq(np.column_stack([np.ones(400), good]), human, rcond=None)[0]

    assert (fit.weights > 0).all()
    assert np.r_[fit.intercept, fit.weights] == pytest.approx(exact)
    assert fit.score(good[:5]) == pytest.approx(fit.intercept + good[:5] @ fit.weights)


def test_a_jury_beats_its_best_judge_and_equal_weights() -> None:
    judges, human = judged()
    fit = fit_jury(judges, human, np.random.default_rng(1))

    assert fit.best_judge == 0
    assert fit.mse < fit.best_judge_mse
    assert fit.mse < fit.equal_weights_mse
    assert fit.gain.low > 0
    assert fit.weights[3] < 0.05
    assert fit.mse == pytest.approx(np.mean((fit.cross_fitted - human) ** 2))


def test_a_contrary_judge_gets_no_weight() -> None:
    judges, human = judged()
    fit = fit_jury(np.column_stack([judges[:, 0], -human]), human, np.random.default_rng(1))

    assert fit.weights[1] == 0


def test_gaps_are_filled_by_the_other_judges() -> None:
    judges, human = judged()
    gaps = np.where(np.random.default_rng(2).random(judges.shape) < 0.3, NAN, judges)
    gaps[0] = NAN
    human[1] = NAN
    fit = fit_jury(gaps, human, np.random.default_rng(1))

    assert np.array_equal(np.isnan(fit.cross_fitted), np.isnan(gaps).all(axis=1) | np.isnan(human))
    assert fit.mse < np.nanvar(human) / 2
    assert np.isnan(fit.score(gaps[:1])).all()


def test_juries_that_cannot_be_learned() -> None:
    judges, human = judged(n=30)
    assert "30 human scores for 4 judges" in fit_jury(judges, human, np.random.default_rng(1)).cautions[0]
    with pytest.raises(InputError, match="too few for 4 judges"):
        fit_jury(judges[:6], human[:6], np.random.default_rng(1))
    with pytest.raises(InputError, match="a table of items and judges"):
        fit_jury(judges, human[:5], np.random.default_rng(1))
