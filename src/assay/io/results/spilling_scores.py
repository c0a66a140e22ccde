"""`SpillingScores`: the scores of many submissions, those that memory should not hold in a temporary file."""

import pickle
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.errors import InputError

MOST_IN_MEMORY = 20_000
"""Annotations of the submissions that stay in memory, the first that come: some 15 MB."""


class SpillingScores(Mapping[str, SubmissionScore]):
    """Scores by student, in the order in which they were put there.

    A score from the file is made anew each time it is asked for, in a third of a millisecond for 500 annotations: go
    through all of them once and take everything, rather than often. The file has no name and ends with the shelf.
    """

    def __init__(self, truth: PreparedTruth, folder: Path) -> None:
        self.truth = truth
        self.folder = folder
        self._held: dict[str, SubmissionScore | tuple[int, int]] = {}
        """The score, or where it begins in the file and how long it is."""
        self._in_memory = 0
        self._file: IO[bytes] | None = None

    def __enter__(self) -> "SpillingScores":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, name: str, score: SubmissionScore) -> None:
        """Keep a score."""
        self._in_memory += len(score.submission)
        self._held[name] = score if self._in_memory <= MOST_IN_MEMORY else self._written(score)

    def _written(self, score: SubmissionScore) -> tuple[int, int]:
        packed = pickle.dumps(packed_score(score, self.truth), pickle.HIGHEST_PROTOCOL)
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=_existing(self.folder))  # noqa: SIM115 - ends with the shelf
            begin = self._file.seek(0, 2)
            self._file.write(packed)
        except OSError as problem:
            raise InputError(
                f"{self.folder} has no room for what is known of the submissions meanwhile: {problem.strerror}. "
                "Choose another --out."
            ) from problem
        return begin, len(packed)

    def __getitem__(self, name: str) -> SubmissionScore:
        held = self._held[name]
        if isinstance(held, SubmissionScore):
            return held
        assert self._file is not None  # it was written there
        self._file.seek(held[0])
        return whole_score(pickle.loads(self._file.read(held[1])), self.truth)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def packed_score(score: SubmissionScore, truth: PreparedTruth) -> dict[str, Any]:
    """The fields of a score that whoever has the ground truth does not have: it need not travel with every score."""
    known = _known(truth)
    found = {field.name: getattr(score, field.name) for field in fields(score)}
    return {name: value for name, value in found.items() if name not in known or value is not known[name]}


def whole_score(packed: Mapping[str, Any], truth: PreparedTruth) -> SubmissionScore:
    """The score again."""
    return SubmissionScore(**{**_known(truth), **packed})


def _known(truth: PreparedTruth) -> dict[str, Any]:
    return {"rubric": truth.rubric, "truth": truth.annotations, "truth_attributes": truth.attributes}


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(path for path in (folder, *folder.absolute().parents) if path.is_dir())
