"""The discourse labels of sentences, and two features of e-rater from them: development, average element length.

Source: Attali & Burstein (2005), Organization and Development. An *element* is a longest run of sentences with one
label.

    development = thesis + main points + supporting ideas + conclusion elements - 8

with two exceptions: supporting ideas count only right after a main point, and no more than three main points count.
0 means a thesis, three main points each with support, and a conclusion; -8 means none of these. The paper does not
bound thesis, support and conclusion, and prints 0 as the optimum; we count at most one thesis and one conclusion, and
at most three supports, so that 0 is also the highest value.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

LABELS = ("background", "thesis", "main point", "supporting idea", "conclusion", "other")
"""The categories of Criterion (Burstein, Marcu & Knight 2003), and none of them."""

BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION, OTHER = range(6)

STATES = ("Lead", "Position", "Claim", "Counterclaim", "Rebuttal", "Evidence", "Concluding Statement", "Other")
"""The element types of the PERSUADE corpus, which the model is trained to tell apart."""

LABEL_OF_STATE = (BACKGROUND, THESIS, MAIN_POINT, MAIN_POINT, MAIN_POINT, SUPPORT, CONCLUSION, OTHER)
"""The label of each state. A rebuttal is a point of its own, as a claim is. Read as support, rebuttals would make human
and system labels agree a little better, and development and human scores a little worse."""

MOST_POINTS = 3
OPTIMUM = 8
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Element:
    """A longest run of sentences with one label: first sentence, and the one after the last."""

    label: int
    first: int
    stop: int


def elements(labels: ArrayLike) -> list[Element]:
    """The runs of equal labels, in order; those of `OTHER` among them.

    >>> [(e.label, e.first, e.stop) for e in elements([1, 2, 2, 3])]
    [(1, 0, 1), (2, 1, 3), (3, 3, 4)]
    """
    column = np.asarray(labels, dtype=int)
    firsts = np.flatnonzero(np.diff(column, prepend=-1)).tolist()
    return [Element(int(column[first]), first, stop) for first, stop in pairwise([*firsts, len(column)])]


def development(labels: ArrayLike) -> float:
    """Elements of a developed essay that are there, minus the eight there should be.

    min(1, thesis) + min(1, conclusion) + min(3, main points) + min(3, supports right after a main point) - 8

    -8 for an essay without sentences.

    >>> development([THESIS, MAIN_POINT, SUPPORT, SUPPORT, MAIN_POINT, CONCLUSION])
    -3.0
    """
    runs = [element.label for element in elements(labels)]
    supported = sum(pair == (MAIN_POINT, SUPPORT) for pair in pairwise(runs))
    points = min(runs.count(MAIN_POINT), MOST_POINTS) + min(supported, MOST_POINTS)
    return float(min(runs.count(THESIS), 1) + min(runs.count(CONCLUSION), 1) + points - OPTIMUM)


def element_starts(single: Floats, pair: Floats) -> Floats:
    """The probability that an element of each label begins at each sentence, (n, 6).

    on[i, l] = P(y_i = l) - P(y_(i-1) = l, y_i = l)

    single (n, 6) and pair (n, 6, 6) are the probabilities of labels and of neighbouring labels.
    """
    return np.clip(single - np.diagonal(pair, axis1=-2, axis2=-1), 0.0, 1.0)


def expected_development(single: Floats, pair: Floats) -> float:
    """Development from the labeller's probabilities: an uncertain main point counts in part.

    P(thesis) + P(conclusion) + min(3, E(main points)) + min(3, E(supports after a main point)) - 8

    where an element of l begins at i with the chance on[i, l] of `element_starts`, support after a main point with
    P(y_(i-1) = M, y_i = S), and P = 1 - prod_i (1 - on[i, l]) takes what begins at different sentences as independent.
    Equals `development` when all probabilities are 0 or 1; else it is no true expectation, which would bound each
    labelling before the mean is taken. It follows essay length more closely than the count of labels does.
    """
    on = element_starts(single, pair)
    present = 2 - float(np.prod(1 - on[:, THESIS])) - float(np.prod(1 - on[:, CONCLUSION]))
    points, supports = float(on[:, MAIN_POINT].sum()), float(pair[:, MAIN_POINT, SUPPORT].sum())
    return present + min(points, MOST_POINTS) + min(supports, MOST_POINTS) - OPTIMUM


def expected_average_element_length(single: Floats, pair: Floats, words: ArrayLike) -> float:
    """Expected words inside elements over the expected number of elements, this at least 1. NaN without sentences.

    sum_i words[i] (1 - P(y_i = other)) / max(1, sum_i sum_(l not other) on[i, l])
    """
    if len(single) == 0:
        return float("nan")
    inside = float(np.asarray(words) @ (1 - single[:, OTHER]))
    count = float(np.delete(element_starts(single, pair), OTHER, axis=1).sum())
    return inside / max(1.0, count)
