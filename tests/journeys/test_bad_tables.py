"""Bad input: one clear error, exit 2, nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest

PLAIN = ["--id", "id", "--human", "human", "--system", "system"]

CASES: dict[str, tuple[str | bytes, list[str], list[str]]] = {
    "a misspelt column": (
        "id,human,system\na,1,1\nb,2,2\n",
        ["--id", "id", "--human", "humna", "--system", "system"],
        ["'humna'", "--human", "'human'"],
    ),
    "several missing columns at once": (
        "id,human,system\na,1,1\n",
        ["--id", "key", "--human", "h", "--system", "s"],
        ["'key'", "'h'", "'s'"],
    ),
    "text in a score column": (
        "id,human,system\na,1,1\nb,two,2\n",
        PLAIN,
        ["row 3, column 'human'", "'two' is not a number"],
    ),
    "a decimal comma": ('id,human,system\na,1,1\nb,"4,5",2\n', PLAIN, ["row 3", "'4,5'"]),
    "duplicate ids": ("id,human,system\na,1,1\nb,2,2\na,3,3\n", PLAIN, ["'a'", "2", "4"]),
    "an empty file": ("", PLAIN, ["empty"]),
    "a header without rows": ("id,human,system\n", PLAIN, ["rows"]),
    "no response left": (
        "id,human,system\na,,1\nb,0,2\n",
        [*PLAIN, "--leave-out-zeros"],
        ["no response is left", "no human score: 1", "human score 0: 1"],
    ),
    "a wrong encoding": ("id,human,system\nä,1,1\nb,2,2\n".encode("utf-16-le")[:-1], PLAIN, ["scores.csv"]),
    "latin-1 bytes": ("id,human,system\nä,1,1\nb,2,2\n".encode("latin-1"), PLAIN, ["UTF-8"]),
    "a score off the declared scale": (
        "id,human,system\na,1,1\nb,7,2\n",
        [*PLAIN, "--scale", "1-6"],
        ["row 3", "7 is not a point", "1 to 6"],
    ),
    "a scale that cannot be read": ("id,human,system\na,1,1\n", [*PLAIN, "--scale", "six"], ["'six'", "1-6"]),
    "a gate that cannot be read": ("id,human,system\na,1,1\n", [*PLAIN, "--gate", "qwk"], ["'qwk'", "qwk>=0.7"]),
    "an id taken for a group": (
        "id,human,system\n" + "\n".join(f"x{i},{i % 5 + 1},{i % 4 + 1}" for i in range(300)),
        [*PLAIN, "--groups", "id"],
        ["'id' has 300 groups", "--groups"],
    ),
    "one column twice": ("id,human,system\na,1,1\n", ["--human", "human", "--system", "human"], ["'human'", "twice"]),
    "ragged rows": ("id,human,system\na,1,1\nb,2\n", PLAIN, ["row 3"]),
    "a negative weight column of text": (
        "id,human,system,w\na,1,1,x\n",
        [*PLAIN, "--weights", "w"],
        ["row 2, column 'w'", "'x' is not a number"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_gets_one_clear_error_and_nothing_is_written(case: str, tmp_path: Path) -> None:
    content, options, expected = CASES[case]
    scores = tmp_path / "scores.csv"
    scores.write_bytes(content if isinstance(content, bytes) else content.encode())

    done = assay(["evaluate", str(scores), *options, "--out", str(tmp_path / "out")])

    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("assay: ")
    for words in expected:
        assert words in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.csv"]


UNDEFINED: dict[str, tuple[str, str]] = {
    "one response": ("id,human,system\na,3,3.2\n", "only one response"),
    "constant human scores": ("id,human,system\na,3,3.2\nb,3,2\nc,3,4\n", "all human scores are equal"),
    "constant system scores": ("id,human,system\na,3,3\nb,2,3\nc,4,3\n", "all system scores are equal"),
    "everything constant": ("id,human,system\na,3,3\nb,3,3\nc,3,3\n", "equal"),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_cannot_be_computed_is_n_a_with_its_reason_and_no_crash(case: str, tmp_path: Path) -> None:
    content, reason = UNDEFINED[case]
    (tmp_path / "scores.csv").write_text(content)

    done = assay(["evaluate", str(tmp_path / "scores.csv"), *PLAIN, "--scale", "1-6", "--out", str(tmp_path / "out")])

    assert done.returncode == 0, done.stderr
    assert "n/a:" in done.stdout
    assert reason in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def assay(arguments: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "assay", *arguments], capture_output=True, text=True, check=False)
