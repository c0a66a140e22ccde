"""The essay benchmark runs, on a few essays and without the peer."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import bench_essays
from benchmarks.essay_texts import essay_texts, made_up_essay


def test_the_speed_part_shows_a_row_for_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    bench_essays.main(["--essays", "2", "--times", "1", "--no-peer"])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows[1:]] == [
        "| assay: reading",
        "| assay: discourse alone, of texts read before",
        "| assay: reading, errors, discourse, features, advisories",
        "| spaCy, small model as it comes",
    ]


def test_made_up_essays_depend_on_their_number_alone() -> None:
    assert made_up_essay(3) == made_up_essay(3) != made_up_essay(4)
    assert made_up_essay(3).count("\n\n") == 4


def test_there_are_as_many_essays_as_asked_for() -> None:
    source, texts = essay_texts(5)
    assert source
    assert len(texts) == 5
