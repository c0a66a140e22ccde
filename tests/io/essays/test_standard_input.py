"""What comes on standard input is told apart by its bytes."""

import io

import pytest

from assay.errors import InputError
from assay.io.essays.standard_input import ending_of, spool
from fuzz.seed_annotations import zipped
from fuzz.seed_tables import odt


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (b"id,essay\na,One text.\n", ".csv"),
        (b'id,essay\na,"One text, with a comma"\n', ".csv"),
        (b"Dear principal,\nI think, and many do, that we sleep too little.\n", ".txt"),
        (b"Dogs, cats and birds\nare pets, they say, and friends.", ".txt"),
        (b"one line alone, with a comma", ".txt"),
        (b"%PDF-1.7", ".pdf"),
        (odt()[0], ".odt"),
        (zipped({"word/document.xml": ""}), ".docx"),
        (zipped({"ann.txt": "x"}), ".zip"),
        (b"PK\x03\x04 damaged", ".zip"),
    ],
)
def test_an_ending_fits_the_bytes(content: bytes, ending: str) -> None:
    assert ending_of(content) == ending


def test_standard_input_becomes_a_file_and_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"An essay.")))
    path = spool()
    assert (path.name, path.read_bytes()) == ("stdin.txt", b"An essay.")

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    with pytest.raises(InputError, match="is empty"):
        spool()
