"""What an experiment left behind, as tables."""

from math import isnan

import numpy as np
import pytest

from assay.rsm.stored import Cell, NamedTable, StoredExperiment, StoredScores
from assay.scale import TRIM_TOLERANCE

TABLE = NamedTable(("a", "b"), ("r", "word"), ((0.5, "yes"), (None, 3)))


def test_a_cell_is_a_number_or_nan() -> None:
    assert TABLE.number("a", "r") == 0.5
    assert TABLE.number("b", "word") == 3.0
    assert all(map(isnan, (TABLE.number("a", "word"), TABLE.number("b", "r"))))
    assert all(map(isnan, (TABLE.number("c", "r"), TABLE.number("a", "x"))))


def test_rows_and_columns_are_numbers_by_name() -> None:
    assert TABLE.row("a") == {"r": 0.5, "word": pytest.approx(float("nan"), nan_ok=True)}
    assert TABLE.column("word") == {"a": pytest.approx(float("nan"), nan_ok=True), "b": 3.0}


def test_some_of_the_responses_keep_all_that_belongs_to_them() -> None:
    ids = np.array(["x", "y", "z"], dtype=object)
    scores = StoredScores(ids, np.array([1.0, 2, 3]), None, {"raw": np.array([1.5, 2.5, 3.5])}, {"L1": ids})

    some = scores.where([2, 0])

    assert (some.ids.tolist(), some.human.tolist(), some.second) == (["z", "x"], [3, 1], None)
    assert some.variants["raw"].tolist() == [3.5, 1.5]
    assert some.groups["L1"].tolist() == ["z", "x"]
    twice = StoredScores(ids, scores.human, np.array([4.0, 5, 6]), {}).where([1])
    assert twice.second is not None
    assert (twice.second.tolist(), dict(twice.groups)) == ([5], {})


def experiment(*cells: Cell, scaled: bool = False, **settings: object) -> StoredExperiment:
    rows = ("0",) if cells else ()
    table = NamedTable(rows, ("trim_min", "trim_max"), (cells,) if cells else ())
    return StoredExperiment("name", "id", "rsmtool", settings, {"postprocessing_params": table}, None, scaled)


def test_trimming_is_that_of_the_file_then_of_the_configuration() -> None:
    assert experiment(1.0, 6.0, trim_min=2, trim_tolerance=0.1).trimming() == (1.0, 6.0, 0.1)
    assert experiment(None, 6.0, trim_min=2).trimming() == (2.0, 6.0, TRIM_TOLERANCE)
    low, high, tolerance = experiment().trimming()
    assert (isnan(low), isnan(high), tolerance) == (True, True, TRIM_TOLERANCE)
    bare = StoredExperiment("name", "id", "rsmeval", {"trim_max": 4, "trim_tolerance": 0}, {}, None, scaled=True)
    assert bare.trimming()[1:] == (4.0, 0.0)


def test_the_score_that_counts_and_the_description_are_told() -> None:
    assert (experiment().primary, experiment(scaled=True).primary) == ("raw", "scale")
    assert experiment(description="A try").description == "A try"
    assert experiment(description=None).description == experiment().description == ""
