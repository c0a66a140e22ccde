"""What follows from an advisory."""

from math import inf

import pytest

from assay.errors import InputError
from assay.essays.integrity.consequences import CONSEQUENCES, NO_SCORE, checked_consequences, highest_score
from assay.essays.models.scoring_model import SCORE_TITLES
from assay.scale import ScoreScale

SCALE = ScoreScale(1, 6)


def test_every_advisory_has_a_consequence() -> None:
    assert set(CONSEQUENCES) == set(SCORE_TITLES)
    assert all(CONSEQUENCES[name] == "withhold" for name in NO_SCORE)


@pytest.mark.parametrize(
    ("consequence", "scale", "most"),
    [
        ("warn", SCALE, inf),
        ("withhold", SCALE, inf),
        ("cap", SCALE, 3),
        ("cap", ScoreScale(0, 4), 2),
        ("cap", ScoreScale(1, 6, 0.5), 3.5),
        ("cap:2", SCALE, 2),
    ],
)
def test_a_cap_is_a_point_or_the_middle_of_the_scale(consequence: str, scale: ScoreScale, most: float) -> None:
    assert highest_score(consequence, scale) == most


def test_what_is_asked_comes_back_as_it_is() -> None:
    assert checked_consequences({"nonsense": "cap:2", "repeated": "withhold"}, SCALE) == {
        "nonsense": "cap:2",
        "repeated": "withhold",
    }


@pytest.mark.parametrize(
    ("name", "consequence", "says"),
    [
        ("nonsens", "warn", "no advisory 'nonsens'"),
        ("nonsense", "shout", "no consequence"),
        ("nonsense", "cap:9", "no consequence"),
        ("nonsense", "cap:nan", "no consequence"),
        ("empty", "warn", "no score that could be shown"),
    ],
)
def test_what_cannot_follow_is_refused(name: str, consequence: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        checked_consequences({name: consequence}, SCALE)

    assert refused.value.field == "on_advisory"
