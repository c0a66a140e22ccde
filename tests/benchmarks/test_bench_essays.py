"""The essay benchmark runs, on a few essays and without the peer."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import bench_essays
from benchmarks.essay_texts import essay_texts, made_up_essay
from benchmarks.page import Effort, Page


def test_the_speed_part_shows_a_row_for_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(Effort.TINY, peers=False)
    bench_essays.show_speed(page)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows[2:]] == [
        "| Assay: reading",
        "| Assay: discourse alone, of texts read before",
        "| Assay: reading, errors, discourse, features, advisories",
        "| spaCy, small model as it comes",
    ]
    assert all(figure.found > 0 for figure in page.figures)


def test_growth_is_measured_on_tables_of_several_lengths() -> None:
    page = Page(Effort.TINY, peers=False)
    bench_essays.show_growth(page)
    assert [line.split(" | ")[0] for line in page.lines if line.startswith("| ")][2:] == ["| 4", "| 40"]


def test_made_up_essays_depend_on_their_number_alone() -> None:
    assert made_up_essay(3) == made_up_essay(3) != made_up_essay(4)
    assert made_up_essay(3).count("\n\n") == 4


def test_there_are_as_many_essays_as_asked_for() -> None:
    source, texts = essay_texts(5)
    assert source
    assert len(texts) == 5
