"""Reviewed responses, and some of them."""

from datetime import UTC, datetime

import numpy as np

from assay.evaluation.trust.evidence import Pairs

FIRST, LAST = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
PAIRS = Pairs(
    names=("a", "b", "c"),
    readings=np.array([[1.0, 2], [3, 4], [5, 6]]),
    system=np.array([1.5, 2.5, 3.5]),
    when=(FIRST, None, LAST),
    confirmed=2,
    groups={"school": ("East", None, "West")},
    drawn=(True, False, True),
)


def test_the_first_reader_is_the_one_the_engine_is_judged_by() -> None:
    assert PAIRS.human.tolist() == [1, 3, 5]
    assert len(PAIRS) == 3


def test_some_pairs_take_everything_they_have_along() -> None:
    some = PAIRS.where(PAIRS.drawn)
    assert (some.names, some.when, some.drawn) == (("a", "c"), (FIRST, LAST), (True, True))
    assert (some.readings.tolist(), some.system.tolist()) == ([[1, 2], [5, 6]], [1.5, 3.5])
    assert some.groups == {"school": ("East", "West")}
    assert some.confirmed == 2


def test_none_of_them_are_no_pairs() -> None:
    none = PAIRS.where((False, False, False))
    assert (len(none), none.human.size, none.groups) == (0, 0, {"school": ()})
