"""Content vector analysis against the formulas of the paper, written out word by word."""

from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.content import ContentModel, content_words, train_content

ESSAYS = [
    Counter(cars=3, road=1, noise=2),
    Counter(cars=1, bus=2, road=1),
    Counter(bus=2, train=1, city=2, noise=1),
    Counter(train=3, city=1, cars=1),
    Counter(city=2, garden=3, road=1, train=1),
    Counter(garden=2, city=1, bus=1),
]
SCORES = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]


def cosine_by_the_paper(
    essay: Counter[str], point: float, essays: Sequence[Counter[str]], scores: Sequence[float]
) -> float:
    """The cosine with a score point, with MaxF, exactly as printed."""
    n = len(essays)
    n_i = Counter(word for other in essays for word in other)
    at_point = sum((other for other, score in zip(essays, scores, strict=True) if score == point), Counter[str]())
    w_is = {w: f / max(at_point.values()) * log(n / n_i[w]) for w, f in at_point.items()}
    w_i = {w: f / max(essay.values()) * log(n / n_i[w]) for w, f in essay.items() if n_i[w]}
    dot = sum(weight * w_is.get(word, 0.0) for word, weight in w_i.items())
    return dot / sqrt(sum(v**2 for v in w_is.values()) * sum(v**2 for v in w_i.values()))


def model() -> ContentModel:
    return train_content(ESSAYS, SCORES, least_essays=1)


def test_a_new_essay_has_the_cosines_of_the_paper() -> None:
    new = Counter(cars=1, city=2, garden=1, unicorn=4)
    found = model().similarity(new)
    assert found.points.tolist() == [1.0, 2.0, 3.0]
    assert found.cosines == pytest.approx([cosine_by_the_paper(new, p, ESSAYS, SCORES) for p in (1, 2, 3)])
    assert found.max_cos() == 3.0
    assert found.cos_highest() == pytest.approx(found.cosines[2])


@pytest.mark.parametrize("row", range(len(ESSAYS)))
def test_a_training_essay_is_compared_as_if_it_had_not_been_there(row: int) -> None:
    others = [essay for i, essay in enumerate(ESSAYS) if i != row]
    scores = [score for i, score in enumerate(SCORES) if i != row]
    found = model().similarity_without(ESSAYS[row], SCORES[row])
    assert found.cosines == pytest.approx([cosine_by_the_paper(ESSAYS[row], p, others, scores) for p in (1, 2, 3)])


def test_the_only_essay_of_a_score_point_leaves_that_cosine_undefined() -> None:
    found = train_content(ESSAYS[:3], [1, 1, 2], least_essays=1).similarity_without(ESSAYS[2], 2)
    assert np.isnan(found.cosines[1])
    assert np.isnan(found.cos_highest())
    assert found.max_cos() == 1.0


def test_an_essay_without_known_words_has_no_cosine() -> None:
    found = model().similarity(Counter(unicorn=2))
    assert np.isnan(found.cosines).all()
    assert np.isnan([found.max_cos(), found.cos_highest(), found.smoothed_max_cos()]).all()


def test_rare_score_points_join_the_next_lower_one_and_any_scale_will_do() -> None:
    scores = [0.5] * 10 + [12.0] * 11 + [13.5] * 12 + [40.0] * 3
    found = train_content([Counter(word=1)] * len(scores), scores, least_essays=10)
    assert found.points.tolist() == pytest.approx([0.5, 12.0, (13.5 * 12 + 40 * 3) / 15])


def test_the_smoothed_score_point_lies_between_those_of_equal_cosines() -> None:
    found = train_content([Counter(a=1), Counter(a=1), Counter(b=1)], [1, 3, 9], least_essays=1).similarity(
        Counter(a=1)
    )
    assert found.smoothed_max_cos() == pytest.approx(2.0)


def test_an_essay_from_elsewhere_cannot_be_taken_out() -> None:
    with pytest.raises(InputError, match="not among the training essays"):
        model().similarity_without(Counter(garden=50), 1.0)


def test_essays_without_scores_cannot_train() -> None:
    with pytest.raises(InputError, match="a score for each essay"):
        train_content(ESSAYS, [1.0, float("nan"), 2, 2, 3, 3])


def test_familiarity_is_the_mean_share_of_essays_that_have_a_word() -> None:
    assert model().familiarity(Counter(cars=5, unicorn=1)) == pytest.approx((3 / 6 + 0) / 2)
    assert model().familiarity_without(ESSAYS[0]) == pytest.approx((2 / 5 + 2 / 5 + 1 / 5) / 3)


def test_function_words_numbers_and_names_taken_out_are_no_content() -> None:
    assert content_words(["The", "bus", "is", "42", "@PERSON1", "Bus"]) == {"bus": 2}


def test_an_essay_without_content_words_may_be_among_the_training_essays() -> None:
    model = train_content([{"dog": 2}, {}, {"cat": 1}], [1.0, 1.0, 2.0], least_essays=1)

    assert model.frequencies.tolist() == [[2, 0], [0, 1]]
    assert model.essays == 3
