"""Which responses are used, what they are, and folds."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.filtering import (
    Overlap,
    data_composition,
    drawn_folds,
    filtered,
    left_out,
    named_folds,
    sampled,
    usable_length,
)
from assay.rsm.types import FLAGGED, NO_FEATURE, REASONS, ZERO_HUMAN, FeatureTable, Partition


def texts(*values: str | None) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    return np.array(values, dtype=object)


def partition(ids: str, reasons: list[int], groups: list[str | None]) -> Partition:
    n = len(ids)
    matrix = np.where(np.array(reasons)[:, None] == REASONS.index(NO_FEATURE), np.nan, np.ones((n, 2)))
    human = np.where(np.array(reasons) == REASONS.index(ZERO_HUMAN), 0.0, 3.0)
    table = FeatureTable(texts(*ids), ("f", "g"), matrix, human, candidate=texts(*ids), groups={"L1": texts(*groups)})
    used = table.where(np.array(reasons) < 0)
    return Partition(table, np.array(reasons, dtype=np.int8), used, used.matrix)


def test_the_composition_counts_what_sets_share_and_what_was_left_out() -> None:
    train = partition("abcd", [-1, -1, REASONS.index(ZERO_HUMAN), REASONS.index(FLAGGED)], ["x", "y", "x", "x"])
    test = partition("be", [-1, REASONS.index(NO_FEATURE)], ["y", "z"])

    found = data_composition(train, test)

    assert found.responses == Overlap(2, 1, 1, 2)
    assert found.by_group["L1"] == {"x": (1, 0), "y": (1, 1)}
    assert left_out(train).complete == (0, 1, 0)
    assert left_out(test).incomplete == (1, 0, 0)


def test_drawn_folds_are_those_of_scikit_learn() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    theirs = selection.KFold(n_splits=4, shuffle=True, random_state=1234567890).split(range(23))

    for ours, (_, expected) in zip(drawn_folds(23, 4), theirs, strict=True):
        assert ours.tolist() == expected.tolist()


def test_folds_of_a_file_must_name_every_response() -> None:
    assert [fold.tolist() for fold in named_folds(["x", "y", "z"], {"x": "2", "y": "1", "z": "2"})] == [[1], [0, 2]]
    with pytest.raises(InputError, match="'z'"):
        named_folds(["x", "z"], {"x": "1"})
    with pytest.raises(InputError, match="one fold"):
        named_folds(["x"], {"x": "1"})


def test_too_many_folds_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be divided into 9 folds"):
        drawn_folds(5, 9)


def test_folds_that_do_not_divide_evenly_are_larger_first() -> None:
    folds = drawn_folds(10, 4)

    assert [len(fold) for fold in folds] == [3, 3, 2, 2]
    assert sorted(np.concatenate(folds).tolist()) == list(range(10))
    assert len(drawn_folds(5, 5)) == 5
    with pytest.raises(InputError, match=r"5 responses cannot be divided into 1 folds. Give 2 to 5."):
        drawn_folds(5, 1)


def test_a_tenth_of_the_responses_is_sampled_and_one_at_least() -> None:
    assert len(set(sampled(200).tolist())) == 20
    assert len(sampled(3)) == 1
    assert sampled(200).tolist() == sampled(200).tolist()


def test_responses_are_left_out_by_the_first_reason_that_holds() -> None:
    table = replace(
        FeatureTable.of({"f": [1, 2, np.nan, 4, 5, 6], "g": [1, 2, 3, 4, 5, 7]}, [np.nan, 0, 3, 4, 5, 6]),
        flagged=np.array([True, False, False, False, False, False]),
    )

    found = filtered(table, exclude_zeros=True)

    assert found.reasons.tolist() == [REASONS.index(FLAGGED), REASONS.index(ZERO_HUMAN), 3, -1, -1, -1]
    assert (found.lowest, found.highest, found.dropped) == (3, 6, ())
    assert found.used.ids.tolist() == ["4", "5", "6"]
    with_zeros = filtered(table, exclude_zeros=False, keep_missing=True)
    assert with_zeros.used.ids.tolist() == ["2", "3", "4", "5", "6"]
    assert with_zeros.lowest == 0


def test_features_that_do_not_vary_are_dropped_only_where_asked() -> None:
    table = FeatureTable.of({"f": [1, 2, 3], "same": [5, 5, 5]}, [1, 2, 3])

    dropped, whole = (filtered(table, exclude_zeros=True, drop_constant=drop) for drop in (True, False))

    assert (dropped.dropped, dropped.used.names) == (("same",), ("f",))
    assert (whole.dropped, whole.used.names) == ((), ("f", "same"))
    single = filtered(FeatureTable.of({"f": [1]}, [1]), exclude_zeros=True, drop_constant=True)
    assert single.dropped == ()  # one value has no spread, and stays


def test_candidates_with_few_responses_are_left_out() -> None:
    table = FeatureTable.of({"f": [1, 2, 3, np.nan]}, [1, 2, 3, 4], candidate=["x", "x", "y", "y"])

    found = filtered(table, exclude_zeros=True, least_items=2)

    assert found.used.ids.tolist() == ["1", "2"]
    with pytest.raises(InputError, match="no candidate has 3 training responses"):
        filtered(table, exclude_zeros=True, least_items=3)
    with pytest.raises(InputError, match="needs a candidate column"):
        filtered(FeatureTable.of({"f": [1]}, [1]), exclude_zeros=True, least_items=2)


def test_a_table_without_any_usable_response_is_refused_with_the_reason() -> None:
    table = FeatureTable.of({"f": [1, 2], "word": [np.nan, np.nan]}, [1, 2])

    with pytest.raises(InputError, match=r"every evaluation response has a feature.*no number at all: word"):
        filtered(table, exclude_zeros=True, what="evaluation")
    with pytest.raises(InputError, match="no training response has a human score that can be used"):
        filtered(replace(table, human=np.zeros(2)), exclude_zeros=True)
    with pytest.raises(InputError, match="every training response has a flag that is not allowed"):
        filtered(replace(table, flagged=np.ones(2, dtype=bool)), exclude_zeros=True)


def test_lengths_are_of_use_only_if_all_are_known_and_they_vary() -> None:
    def lengths(*values: float) -> list[float] | None:
        table = FeatureTable.of({"f": [1, 2, 3]}, [1, 2, 3], length=values)
        reasons = np.array([-1, -1, REASONS.index(FLAGGED)], dtype=np.int8)
        used = table.where(reasons < 0)
        usable = usable_length(Partition(table, reasons, used, used.matrix))
        return None if usable is None else usable.tolist()

    assert lengths(10, 20, np.nan) == [10, 20]  # the flagged one has no say
    assert lengths(10, np.nan, 30) is None
    assert lengths(10, 10, 30) is None
    bare = partition("ab", [-1, -1], [None, None])
    assert usable_length(bare) is None
