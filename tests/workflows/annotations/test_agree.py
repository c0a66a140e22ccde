"""`agree`: annotators against each other, and what most of them drew."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.execution.executor import ProcessExecutor, SerialExecutor
from assay.execution.observer import Observer
from assay.io.annotations.files import read_annotations
from assay.workflows.annotations.agree import agree
from tests.annotations.drawn import annotation_set, box
from tests.parity.doors import files_of
from tests.paths import EXAMPLES

CAR, VAN = box("a.png", "car", 0, 0, 100, 100), box("a.png", "van", 200, 0, 300, 100)
BOTH, ONE = annotation_set(CAR, VAN), annotation_set(CAR)


def test_the_consensus_is_what_more_than_the_quorum_drew() -> None:
    three = {"ada": BOTH, "ben": ONE, "chloe": BOTH}

    assert len(agree(three).consensus) == 2
    assert len(agree(three, quorum=0.7).consensus) == 1


def test_every_pair_is_a_row() -> None:
    frame = agree({"ada": BOTH, "ben": ONE, "chloe": BOTH}).to_polars()

    assert frame.select("first", "second").rows() == [("ada", "ben"), ("ada", "chloe"), ("ben", "chloe")]
    assert frame["found"].to_list() == pytest.approx([200 / 3, 100, 200 / 3])


def test_what_is_written_is_what_the_values_say(tmp_path: Path) -> None:
    result = agree({"ada": BOTH, "ben": BOTH})

    folder = result.write(tmp_path / "out", consensus=tmp_path / "both.json")

    assert json.loads((folder / "agreement.json").read_text(encoding="utf-8")) == result.to_dict()
    assert (folder / "report.html").is_file()
    assert len(read_annotations(tmp_path / "both.json")) == 2
    assert "alpha" in repr(result)


def test_a_consensus_in_no_known_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        agree({"ada": BOTH, "ben": BOTH}).write(tmp_path / "out", consensus=tmp_path / "both.txt")

    assert caught.value.field == "consensus"
    assert not (tmp_path / "out").exists()


def test_one_annotator_agrees_with_nobody(tmp_path: Path) -> None:
    (tmp_path / "ben.json").write_text("{", encoding="utf-8")

    with pytest.raises(InputError, match="1 could be read") as caught:
        agree({"ada": BOTH, "ben": tmp_path / "ben.json"})
    assert caught.value.field == "files"


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    folder = EXAMPLES / "annotations" / "submissions"
    paths = [folder / name for name in ("ada.xml", "ben.json", "chloe.xml")]
    for name, executor in (("one", SerialExecutor()), ("two", ProcessExecutor(2))):
        (tmp_path / name).mkdir()
        agree(paths, executor=executor).write(tmp_path / name / "out", consensus=tmp_path / name / "both.json")

    one, two = files_of(tmp_path / "one"), files_of(tmp_path / "two")
    assert one == two
    assert one.keys() == {"both.json", "out/agreement.json", "out/report.html"}


def test_reading_and_comparing_are_counted() -> None:
    heard = Heard()

    agree({"ada": BOTH, "ben": ONE, "chloe": BOTH}, observer=heard)

    assert heard.said == {"annotators": (3, None), "pairs of annotators": (3, 3)}


class Heard(Observer):
    """Title of a stretch of work -> how much was done, of how much."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[int, int | None]] = {}

    def begin(self, title: str, total: int | None) -> None:
        self.said[title] = (0, total)

    def advance(self, count: int) -> None:
        title, (done, total) = self.said.popitem()
        self.said[title] = (done + count, total)
