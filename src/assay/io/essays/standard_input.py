"""Essays on standard input: one essay, a ZIP of essays, or a table, told apart by what the bytes are."""

import atexit
import csv
import shutil
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from assay.errors import InputError
from assay.execution.limits import check, value_of
from assay.io.essays.open_documents import is_open_document


def spool() -> Path:
    """The bytes of standard input as a file with a fitting ending, removed when the program ends."""
    content = sys.stdin.buffer.read(value_of("essay_archive_bytes") + 1)
    check("essay_archive_bytes", len(content), "standard input")
    if not content.strip():
        raise InputError("standard input is empty", field="essays", remedy="Send it an essay or a table of essays.")
    folder = Path(tempfile.mkdtemp(prefix="assay-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / f"stdin{ending_of(content)}"
    path.write_bytes(content)
    return path


def ending_of(content: bytes) -> str:
    """The ending of a file with these bytes.

    >>> ending_of(b"id,essay\\na,One text.\\nb,Another.\\n"), ending_of(b"Dogs are loyal, kind and warm.")
    ('.csv', '.txt')
    """
    if content.startswith(b"%PDF"):
        return ".pdf"
    if content.startswith(b"PK\x03\x04"):
        return ".odt" if is_open_document(content) else ".docx" if _holds_word(content) else ".zip"
    return ".csv" if _is_table(content) else ".txt"


def _holds_word(content: bytes) -> bool:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return "word/document.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _is_table(content: bytes) -> bool:
    """Whether the first line names two columns or more, in few words each, and the rows below have as many cells."""
    head = content[:100_000].decode("utf-8", "replace").splitlines(keepends=True)
    try:
        rows = [row for _, row in zip(range(3), csv.reader(head), strict=False)]
    except csv.Error:
        return False
    named = len(rows) > 1 and len(rows[0]) > 1 and all(0 < len(name.split()) <= 3 for name in rows[0])
    return named and len(rows[1]) == len(rows[0])
