"""Everything that was handed in, each with what became of it; and who handed in nothing."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, TypeAlias

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.attributes import FORMAT_ATTRIBUTES

State: TypeAlias = Literal["scored", "no annotations", "identical", "other images", "unreadable", "missing"]
STATES: Mapping[str, str] = {
    "missing": "on the roster, and nothing was handed in",
    "unreadable": "a file that could not be read",
    "other images": "annotations of images that are not in the ground truth",
    "no annotations": "a file without annotations: 0 points, left out of the figures of the class",
    "identical": "the same annotations as another student's",
    "scored": "scored",
}
"""What became of a submission, the important first."""


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """One submission, or one student who handed in nothing."""

    student: str
    state: State
    detail: str = ""
    """Why, or identical to whose; what a scored one should be read with."""
    file: str = ""


@dataclass(frozen=True, slots=True)
class HandIns:
    """What is known of submissions beside their scores."""

    other_images: frozenset[str] = frozenset()
    """Students whose work belongs to other images."""
    identical: Mapping[str, str] = field(default_factory=dict)
    """Student -> the first who handed in the same annotations."""
    missing: tuple[str, ...] = ()
    """Students of the roster who handed in nothing."""
    not_listed: frozenset[str] = frozenset()
    """Students who are not on the roster, where there is one."""


class ScoresOf(Mapping[str, SubmissionScore]):
    """The scores of some students; none is made before it is asked for."""

    def __init__(self, scores: Mapping[str, SubmissionScore], without: Collection[str]) -> None:
        self._scores, self._names = scores, [name for name in scores if name not in without]

    def __getitem__(self, name: str) -> SubmissionScore:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def fingerprint(score: SubmissionScore) -> str:
    """The same for submissions with the same annotations: images, labels, shapes by their bounds, attributes."""
    own, columns = score.submission, score.student_attributes.columns
    digest = sha256(repr(([image.name for image in own.images], own.labels)).encode())
    for column in (own.image, own.label, own.kind, own.bounds, own.rotation):
        digest.update(column.tobytes())
    for name in sorted(columns):
        digest.update(repr((name, list(columns[name].values))).encode())
        digest.update(columns[name].codes.tobytes())
    return digest.hexdigest()


class HandInLog:
    """What is learned of submissions as they come in: which are empty, which are the same, which of other images."""

    def __init__(self) -> None:
        self.other_images: set[str] = set()
        self.empty: set[str] = set()
        self._identical: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def add(self, name: str, score: SubmissionScore) -> None:
        """One that was scored."""
        if not len(score.submission):
            self.empty.add(name)
        elif (earlier := self._first.setdefault(fingerprint(score), name)) != name:
            self._identical[name] = earlier

    def hand_ins(self, missing: tuple[str, ...] = (), not_listed: Collection[str] = ()) -> HandIns:
        """All of it, with what a roster adds."""
        return HandIns(frozenset(self.other_images), self._identical, missing, frozenset(not_listed))


def remarks(score: SubmissionScore) -> str:
    """What the score of a submission should be read with, in a few words; empty when there is nothing."""
    own, said = score.submission, []
    known = FORMAT_ATTRIBUTES.get(own.format)
    asked = any(rule.attributes for rule in score.rubric.labels)
    if known is not None and asked and not own.attributes:
        charged = score.rubric.unsupported_attributes == "wrong"
        said.append(f"{own.format} holds no attributes: {'they count as wrong' if charged else 'they are not scored'}")
    said += [note.what for note in score.notes if note.where in NOTABLE]
    lost = sum(problem.count for problem in own.problems if problem.lost)
    said += [f"{lost:,} annotation{'' if lost == 1 else 's'} could not be read"] if lost else []
    return "; ".join(said)


OUTLINES_BY_BOXES = "outlines of the ground truth"
"""Where a note says that they are compared by the boxes around them."""
NOTABLE = (OUTLINES_BY_BOXES,)


def roster_of(
    scores: Mapping[str, SubmissionScore], failed: Mapping[str, str], hand_ins: HandIns
) -> tuple[RosterEntry, ...]:
    """All submissions, the important first; within a state in the order they came."""
    entries = [RosterEntry(name, "missing") for name in hand_ins.missing]
    for name, error in failed.items():
        entries.append(RosterEntry(name, "other images" if name in hand_ins.other_images else "unreadable", error))
    for name, score in scores.items():
        state: State = "scored" if len(score.submission) else "no annotations"
        said = remarks(score)
        if name in hand_ins.identical:
            state, said = "identical", "; ".join(filter(None, (f"the same as {hand_ins.identical[name]}", said)))
        if name in hand_ins.not_listed:
            said = "; ".join(filter(None, ("not on the roster", said)))
        entries.append(RosterEntry(name, state, said, score.submission.source))
    order = list(STATES)
    return tuple(sorted(entries, key=lambda entry: order.index(entry.state)))
