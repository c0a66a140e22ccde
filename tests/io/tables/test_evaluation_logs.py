"""Logs of the shape that inspect_ai 0.3.285 and promptfoo wrote on 2026-11-18, made by our own code."""

import json
import struct
import zlib
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.tables.evaluation_logs import read_evaluation_log
from assay.workflows.evaluation.panel import panel
from fuzz.seed_tables import INSPECT, PROMPTFOO, evaluation_archives

pyarrow = pytest.importorskip("pyarrow", reason="zstd is unpacked by pyarrow")


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def zip_by_zstd(name: str, content: bytes) -> bytes:
    """A ZIP with one member packed by zstd, as inspect_ai writes it; zipfile cannot before Python 3.14."""
    packed: bytes = pyarrow.compress(content, codec="zstd", asbytes=True)
    common = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(content), len(packed), len(content), len(name), 0)
    local = b"PK\x03\x04" + common + name.encode() + packed
    entry = b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name.encode()
    return local + entry + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def test_scorers_are_raters_epochs_runs_and_a_dict_of_scores_criteria(tmp_path: Path) -> None:
    frame = read_evaluation_log(written(tmp_path, "log.json", json.dumps(INSPECT).encode()))

    assert frame is not None
    assert frame.height == 12 * 4
    assert frame.row(0, named=True) == {
        "item": "q0",
        "rater": "match",
        "label": "1",
        "criterion": None,
        "run": "1",
        "time": "2026-11-18T06:05:14+00:00",
        "rater_kind": "judge",
        "text": '[{"role": "user", "content": "2 + 2?"}]\n4',
    }
    assert set(frame.get_column("label")) == {"0", "0.5", "1", "2", "3", "4", "4.5"}
    assert set(frame.filter(frame["rater"] == "human").get_column("rater_kind")) == {"human"}


@pytest.mark.parametrize("number", [0, 1])
def test_an_archive_is_read_by_its_summaries_or_its_samples(number: int, tmp_path: Path) -> None:
    frame = read_evaluation_log(written(tmp_path, "log.eval", evaluation_archives()[number]))

    assert frame is not None
    assert frame.height == (48, 12)[number]


def test_members_packed_by_zstd_are_read_within_their_stated_size(tmp_path: Path) -> None:
    packed = zip_by_zstd("summaries.json", json.dumps(INSPECT["samples"]).encode())

    frame = read_evaluation_log(written(tmp_path, "log.eval", packed))

    assert frame is not None
    assert frame.height == 48
    with pytest.raises(InputError, match="is damaged"):
        read_evaluation_log(written(tmp_path, "bad.eval", packed[:60] + b"????" + packed[64:]))


def test_assertions_of_promptfoo_are_raters_of_each_output(tmp_path: Path) -> None:
    frame = read_evaluation_log(written(tmp_path, "out.json", json.dumps(PROMPTFOO).encode()))

    assert frame is not None
    assert frame.get_column("rater").to_list()[:4] == ["promptfoo", "llm-rubric", "llm-rubric 2", "human"]
    assert frame.get_column("item").unique(maintain_order=True).to_list()[:2] == [
        "test 0, prompt 0, echo",
        "test 1, prompt 0, echo",
    ]


def test_a_panel_is_made_of_a_log(tmp_path: Path) -> None:
    result = panel(written(tmp_path, "log.json", json.dumps(INSPECT).encode()))

    assert result.panel.design.people == ("human",)
    assert result.panel.design.judges == ("match", "grade")
    assert result.source == "log.json"
    assert list(result.provenance.inputs) == ["log.json"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("log.eval", b"no ZIP", "not a log of inspect_ai"),
        ("log.json", b'{"eval": {}, "samples": []}', "holds no scores"),
        ("log.json", b'{"eval": {}, "samples": [3]}', "a sample is no object"),
        ("log.json", b'{"results": {"results": []}}', "holds no scores"),
        ("log.json", b'{"eval"', "not JSON"),
    ],
)
def test_a_log_that_cannot_be_used_says_why(name: str, content: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=problem):
        read_evaluation_log(written(tmp_path, name, content))


@pytest.mark.parametrize(("name", "content"), [("a.csv", b"x"), ("a.json", b"[1]"), ("a.json", b'{"a": 1}')])
def test_other_files_are_left_to_the_reader_of_tables(name: str, content: bytes, tmp_path: Path) -> None:
    assert read_evaluation_log(written(tmp_path, name, content)) is None
