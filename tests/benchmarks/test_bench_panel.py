"""The benchmark of panels on small tables, without the peers; and how figures are held against theirs."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.bench_panel import OURS, largest_difference, measure, random_tables
from benchmarks.page import Effort, Page


def test_large_panels_are_measured_without_the_peers(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(Effort.TINY, peers=False)
    measure(page)

    assert "| many-facet Rasch | " in capsys.readouterr().out
    assert len(page.figures) == 4


def test_our_figures_are_numbers_for_every_table() -> None:
    tables = random_tables(2)
    for compute, allowed in OURS.values():
        values = compute(tables)
        assert len(values) == 2
        assert all(np.isfinite(row).all() for row in values)
        assert allowed <= 1e-4


def test_tables_have_gaps_and_depend_on_the_seed_alone() -> None:
    tables, again = random_tables(3), random_tables(3)

    assert np.isnan(tables["levels"]).any()
    assert not np.isnan(tables["levels"]).all(axis=2).any()
    assert all(np.array_equal(tables[key], again[key], equal_nan=True) for key in tables)


def test_the_largest_difference_is_relative_above_1() -> None:
    assert largest_difference([[1.0, 200.0]], [[1.1, 100.0]]) == pytest.approx(1.0)
