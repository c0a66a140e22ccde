"""Development and average element length, by the paper's definition and as expected counts."""

from itertools import product

import numpy as np
import pytest

from assay.essays.discourse.model import (
    BACKGROUND,
    CONCLUSION,
    MAIN_POINT,
    OTHER,
    SUPPORT,
    THESIS,
    development,
    elements,
    expected_average_element_length,
    expected_development,
    marginals,
)

B, T, M, S, C, O = BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION, OTHER  # noqa: E741


def certain(labels: list[int]) -> tuple[np.ndarray, np.ndarray]:
    single = np.eye(6)[labels]
    pair = np.zeros((len(labels), 6, 6))
    for i in range(1, len(labels)):
        pair[i, labels[i - 1], labels[i]] = 1
    return single, pair


WORKED = [
    ([B, T, M, S, M, S, S, M, S, C], 0.0, "the five-paragraph essay, which the paper gives 0"),
    ([B, B, O, O], -8.0, "no required element, which the paper gives -8"),
    ([], -8.0, "nothing at all"),
    ([T, S, S, C], -6.0, "support without a main point before it does not count"),
    ([T, M, B, S, C], -5.0, "nor support that does not follow at once"),
    ([M, S, M, S, M, S, M, S, M, S], -2.0, "three main points at most, and their support"),
    ([M, M, M, S, S], -6.0, "an element is a run, however long"),
    ([M, O, M, O, M], -5.0, "three main points without support"),
    ([T, B, T, C, S, C], -6.0, "one thesis and one conclusion, however often they return"),
]


@pytest.mark.parametrize(("labels", "expected", "why"), WORKED, ids=[row[2] for row in WORKED])
def test_development_counts_the_elements_of_the_paper(labels: list[int], expected: float, why: str) -> None:
    assert development(labels) == expected, why


@pytest.mark.parametrize("labels", [row[0] for row in WORKED if row[0]])
def test_a_labeller_without_doubt_expects_what_it_counts(labels: list[int]) -> None:
    words = np.arange(1, len(labels) + 1)
    single, pair = certain(labels)

    assert expected_development(single, pair) == pytest.approx(development(labels))
    inside, count = words[np.asarray(labels) != O].sum(), sum(element.label != O for element in elements(labels))
    if count:
        assert expected_average_element_length(single, pair, words) == pytest.approx(inside / count)


def test_expected_counts_below_the_caps_are_the_mean_over_all_labellings() -> None:
    # given two sentences of unsure labels; at most one main point and one support can occur
    rng = np.random.default_rng(5)
    node, link = rng.normal(0, 1, (2, 6)), rng.normal(0, 1, (2, 6, 6))
    node[:, [T, C]] = -40  # thesis and conclusion are taken as independent, so left out here
    found = marginals(node, link)

    mean = sum(found.pair[1, a, b] * development([a, b]) for a, b in product(range(6), repeat=2))

    assert expected_development(found.single, found.pair) == pytest.approx(mean)


def test_expected_main_points_and_supports_are_bounded_at_three() -> None:
    # given eight sentences, each with an even chance to be a main point or its support: E(main points) is over three
    labels = [M, S] * 8
    single = np.full((len(labels), 6), 0.0)
    pair = np.zeros((len(labels), 6, 6))
    single[:, M] = single[:, S] = 0.5
    pair[1:, M, S] = pair[1:, S, M] = 0.5

    assert expected_development(single, pair) == pytest.approx(3 + 3 - 8)


def test_elements_cover_the_sentences_in_order() -> None:
    runs = elements([B, T, T, O, O, O, C])

    assert [(run.label, run.first, run.stop) for run in runs] == [(B, 0, 1), (T, 1, 3), (O, 3, 6), (C, 6, 7)]


def test_element_length_leaves_out_what_belongs_to_no_element() -> None:
    assert expected_average_element_length(*certain([T, M, S, S, O, C]), [10, 8, 12, 14, 99, 6]) == pytest.approx(
        50 / 4
    )


def test_element_length_is_undefined_without_elements() -> None:
    assert np.isnan(expected_average_element_length(np.empty((0, 6)), np.empty((0, 6, 6)), []))
