"""Forward-backward against the sum over every possible sequence."""

from itertools import product

import numpy as np
import pytest

from assay.essays.discourse.model import Floats, marginals


def by_enumeration(node: Floats, link: Floats) -> tuple[Floats, Floats, float]:
    """Single and pair probabilities and log Z, from the weight of each of the k ** n sequences."""
    n, k = node.shape
    single, pair, total = np.zeros((n, k)), np.zeros((n, k, k)), 0.0
    for states in product(range(k), repeat=n):
        score = sum(node[i, state] for i, state in enumerate(states))
        score += sum(link[i, states[i - 1], states[i]] for i in range(1, n))
        weight = float(np.exp(score))
        total += weight
        for i, state in enumerate(states):
            single[i, state] += weight
            if i:
                pair[i, states[i - 1], state] += weight
    return single / total, pair / total, float(np.log(total))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_marginals_are_those_of_all_sequences(n: int) -> None:
    rng = np.random.default_rng(n)
    node, link = rng.normal(0, 2, (n, 3)), rng.normal(0, 2, (n, 3, 3))

    found = marginals(node, link)

    single, pair, log_z = by_enumeration(node, link)
    assert found.single == pytest.approx(single)
    assert found.pair == pytest.approx(pair)
    assert float(found.log_z) == pytest.approx(log_z)


def test_sequences_side_by_side_are_each_as_if_alone() -> None:
    rng = np.random.default_rng(7)
    node, link = rng.normal(0, 1, (4, 2, 3)), rng.normal(0, 1, (4, 2, 3, 3))

    together = marginals(node, link)

    for b in range(2):
        alone = marginals(node[:, b], link[:, b])
        assert together.single[:, b] == pytest.approx(alone.single)
        assert together.pair[:, b] == pytest.approx(alone.pair)
        assert together.log_z[b] == pytest.approx(alone.log_z)


def test_a_forbidden_pair_never_occurs() -> None:
    link = np.zeros((3, 2, 2))
    link[:, 0, 1] = -np.inf

    found = marginals(np.zeros((3, 2)), link)

    assert (found.pair[:, 0, 1] == 0).all()
    assert np.exp(found.log_z) == pytest.approx(4)  # 000, 100, 110, 111


def test_pairs_add_up_to_singles_in_a_long_sequence_with_large_scores() -> None:
    rng = np.random.default_rng(3)
    found = marginals(rng.normal(0, 60, (400, 8)), rng.normal(0, 5, (400, 8, 8)))

    assert found.single.sum(axis=1) == pytest.approx(np.ones(400))
    assert found.pair[1:].sum(axis=1) == pytest.approx(found.single[1:])
    assert found.pair[1:].sum(axis=2) == pytest.approx(found.single[:-1])
