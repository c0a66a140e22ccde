"""An answer is checked level by level; what was given is counted, what was not is counted by reason."""

from typing import Any

import pytest

from assay.evaluation.judging.answers import JudgeRatings, Rating, Usage, level_of, shared, values_in
from assay.evaluation.judging.rubric import Criterion, RubricLevel

QUALITY = Criterion("quality", tuple(RubricLevel(float(point)) for point in (1, 2, 3)))
PASS = Criterion("passes", (RubricLevel("Fail"), RubricLevel("Pass")))


@pytest.mark.parametrize(
    ("given", "level"),
    [
        *((2, 2.0), (2.0, 2.0), ("2", 2.0), (" 3 ", 3.0), (2.4, None), (0, None), (True, None), ("two", None)),
        *((None, None), ([2], None), ({"score": 2}, None), ("9" * 5000, None), (10**400, None), (float("nan"), None)),
    ],
)
def test_a_score_is_one_of_the_levels_or_none(given: Any, level: float | None) -> None:
    assert level_of(given, QUALITY) == level


@pytest.mark.parametrize(("given", "level"), [("pass", "Pass"), (" PASS ", "Pass"), ("passed", None), (True, None)])
def test_a_label_may_have_other_case_and_spaces(given: Any, level: str | None) -> None:
    assert level_of(given, PASS) == level


def test_an_answer_gives_values_with_reasons() -> None:
    content = {"quality": {"reason": " It\n is fine. ", "score": 3}, "passes": {"label": "pass"}, "overall": 9}
    values, mistakes = values_in(content, [QUALITY, PASS])
    assert values == {"quality": (3.0, "It is fine."), "passes": ("Pass", "")}
    assert mistakes == []


def test_a_bare_value_is_taken_without_a_reason() -> None:
    assert values_in({"quality": 2}, [QUALITY]) == ({"quality": (2.0, "")}, [])


def test_every_mistake_is_named() -> None:
    _, mistakes = values_in({"quality": {"score": 7}}, [QUALITY, PASS])
    assert mistakes == ["'7' is no level of 'quality'", "there is no label for 'passes'"]


def test_left_out_is_counted_by_kind_of_reason() -> None:
    rows = (
        Rating("a", "quality", 1, 3.0),
        Rating("b", "quality", 1, None, problem="answer not usable: it is not JSON"),
        Rating("c", "quality", 1, None, problem="answer not usable: no level"),
        Rating("d", "quality", 1, None, problem="empty text"),
    )
    ratings = JudgeRatings("m", rows, 4)
    assert ratings.left_out == {"answer not usable": 2, "empty text": 1}
    assert ratings.values("quality") == {3.0: 1}


def test_a_judge_is_steady_where_all_runs_agree() -> None:
    rows = [Rating("a", "quality", run, 3.0) for run in (1, 2, 3)]
    rows += [Rating("b", "quality", run, value) for run, value in ((1, 2.0), (2, 3.0), (3, 2.0))]
    rows += [Rating("c", "quality", 1, 1.0), Rating("c", "quality", 2, None, problem="no answer")]
    steady = JudgeRatings("m", tuple(rows), 3).steady("quality")
    assert steady.value == 0.5
    assert 0 < steady.low < 0.5 < steady.high < 1
    assert JudgeRatings("m", (rows[0],), 1).steady("quality").reason == "no item was judged twice"


def test_shares_of_tokens_add_up() -> None:
    assert sum(shared(1001, 7)) == 1001
    assert Usage(1, 2, 3) + Usage(1, 1, 1, 1) == Usage(2, 3, 4, 1)
