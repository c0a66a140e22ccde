"""FRONT DOOR `AnswerCache`: every answer of a model by what was asked, in a file that only grows.

A line is written as soon as an answer is there, so that a crash loses nothing and the same request is never paid for
twice. The file holds questions as digests, answers as text, and never a key.
"""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from assay.errors import InputError, refuse_pipe
from assay.execution.limits import check
from assay.io.language_model import MOST_BYTES, MOST_TOKENS, Completion
from assay.io.tables.output import unwritable

SCHEMA = "assay.judge-answers/1"
REMEDY = "Name a file that an earlier run wrote, or one that is not there yet."


def request_key(request: Mapping[str, Any]) -> str:
    """The digest of all that bears on an answer."""
    content = json.dumps(request, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return sha256(content.encode()).hexdigest()


class AnswerCache:
    """Answers by the digest of their request; without a path they are held in memory only."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.damaged = 0
        """Lines that could not be read; what they answered is asked again."""
        self._answers: dict[str, Completion] = {}
        self._lock = Lock()
        self._file: BinaryIO | None = None
        if path is not None and path.exists():
            self._read(path)

    def __len__(self) -> int:
        return len(self._answers)

    def __contains__(self, key: str) -> bool:
        return key in self._answers

    def get(self, key: str) -> Completion | None:
        """The answer to a request, if there is one."""
        return self._answers.get(key)

    def put(self, key: str, answer: Completion) -> None:
        """Keep an answer; it is on disk when this returns."""
        record = {"key": key, "text": answer.text, "in": answer.tokens_in, "out": answer.tokens_out, "cut": answer.cut}
        with self._lock:
            self._answers[key] = answer
            if self.path is not None:
                self._append(self.path, record)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _append(self, path: Path, record: Mapping[str, Any]) -> None:
        try:
            if self._file is None:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("ab", buffering=0)
                if self._file.tell() == 0:
                    self._file.write(_line({"schema": SCHEMA}))
                elif not _ends_with_newline(path):  # a run that was killed left half a line
                    self._file.write(b"\n")
            self._file.write(_line(record))
            os.fsync(self._file.fileno())
        except OSError as problem:
            raise unwritable(path, problem, "cache") from problem

    def _read(self, path: Path) -> None:
        refuse_pipe(path, field="cache")
        try:
            check("json_bytes", path.stat().st_size, path)
            with path.open("rb") as lines:
                first = lines.readline(MOST_BYTES)
                if first and _decoded(first).get("schema") != SCHEMA:
                    raise InputError("holds no answers of judges", source=path, field="cache", remedy=REMEDY)
                for line in lines:
                    self._take(line)
        except OSError as problem:
            why = f"cannot be read: {problem.strerror}"
            raise InputError(why, source=path, field="cache", remedy=REMEDY) from None

    def _take(self, line: bytes) -> None:
        content = _decoded(line)
        key, text, cut = content.get("key"), content.get("text"), content.get("cut", False)
        tokens = [content.get(name) for name in ("in", "out")]
        counts = all(n is None or (type(n) is int and 0 <= n <= MOST_TOKENS) for n in tokens)
        if isinstance(key, str) and len(key) == 64 and isinstance(text, str) and isinstance(cut, bool) and counts:
            self._answers[key] = Completion(text, tokens[0], tokens[1], cut=cut)
        elif line.strip():
            self.damaged += 1


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
