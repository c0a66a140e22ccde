"""`SpillingScores`: the scores of many submissions, those that memory should not hold in a temporary file."""

import pickle
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import Field, InputError

MOST_IN_MEMORY = 20_000
"""Annotations of the submissions that stay in memory, the first that come: some 15 MB."""


class SpillingScores(Mapping[str, SubmissionScore]):
    """Scores by student, in the order in which they were put there.

    A score from the file is made anew each time it is asked for, in a third of a millisecond for 500 annotations: go
    through all of them once and take everything, rather than often. The file has no name and ends with this object.
    """

    def __init__(self, truth: PreparedTruth, folder: Path) -> None:
        self.truth = truth
        self.folder = folder
        self._places: dict[str, SubmissionScore | tuple[int, int]] = {}
        """The score, or where it begins in the file and how long it is."""
        self._in_memory = 0
        self._file: IO[bytes] | None = None

    def put(self, name: str, score: SubmissionScore) -> None:
        """Keep a score."""
        self._in_memory += len(score.submission)
        if self._in_memory <= MOST_IN_MEMORY:
            self._places[name] = score
            return
        packed = pickle.dumps(PortableScore(score, self.truth), pickle.HIGHEST_PROTOCOL)
        try:
            if self._file is None:
                above = (self.folder, *self.folder.absolute().parents)
                there = next(path for path in above if path.is_dir())
                self._file = tempfile.TemporaryFile(dir=there)  # noqa: SIM115 - ends with the scores
                weakref.finalize(self, self._file.close)
            begin = self._file.seek(0, 2)
            self._file.write(packed)
        except OSError as problem:
            what = f"no room for what is known of the submissions meanwhile: {problem.strerror}"
            remedy = ("Choose another ", Field("out"), ".")
            raise InputError(what, source=self.folder, field="out", remedy=remedy) from problem
        self._places[name] = (begin, len(packed))

    def __getitem__(self, name: str) -> SubmissionScore:
        place = self._places[name]
        if isinstance(place, SubmissionScore):
            return place
        assert self._file is not None  # it was written there
        self._file.seek(place[0])
        portable: PortableScore = pickle.loads(self._file.read(place[1]))
        return portable.whole(self.truth)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class PortableScore:
    """A score that leaves the ground truth behind when it is pickled; `whole` puts it back.

    Within one process it is the score itself: nothing is packed and nothing is rebuilt.
    """

    def __init__(self, score: SubmissionScore, truth: PreparedTruth, submission: AnnotationSet | None = None) -> None:
        self._score: SubmissionScore | None = score
        self._truth, self._submission = truth, submission
        self._packed: Mapping[str, Any] = {}

    def __getstate__(self) -> Mapping[str, Any]:
        """The fields that whoever has the ground truth, and perhaps the submission, does not have."""
        if self._score is None:
            return self._packed
        known = {**_known(self._truth), "submission": self._submission}
        values = {field.name: getattr(self._score, field.name) for field in fields(self._score)}
        return {name: value for name, value in values.items() if name not in known or value is not known[name]}

    def __setstate__(self, packed: Mapping[str, Any]) -> None:
        self._score, self._packed = None, packed

    def whole(self, truth: PreparedTruth, submission: AnnotationSet | None = None) -> SubmissionScore:
        """The score, with the ground truth and, if it was left behind, the submission."""
        if self._score is not None:
            return self._score
        return SubmissionScore(**{**_known(truth), "submission": submission, **self._packed})


def _known(truth: PreparedTruth) -> dict[str, Any]:
    return {"rubric": truth.rubric, "truth": truth.annotations, "truth_attributes": truth.attributes}
