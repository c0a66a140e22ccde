"""FRONT DOOR `grade`: submissions against a ground truth, each with its score, its reasons and its advice."""

import json
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.grading.graded import Batch, Graded, StudentGrade, intervals
from assay.annotations.grading.roster import HandInLog, RosterEntry
from assay.annotations.grading.score import OtherImagesError, grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, with_plausible_areas
from assay.errors import InputError, input_errors
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.annotations.files import Submission
from assay.io.annotations.roster_file import Roster, read_roster
from assay.io.image_files import ImageFiles
from assay.io.language_model import LanguageModel
from assay.io.results.annotation_results import results_json
from assay.io.results.annotation_tables import SUMMARY_COLUMNS, summary_rows
from assay.io.results.spilling_scores import PortableScore, SpillingScores
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.overlay import ALL_PHOTOS, photos
from assay.report.annotations.report import batch_report
from assay.report.document.document import Document
from assay.report.document.wording import counted
from assay.workflows.annotations import inputs
from assay.workflows.annotations.grade_files import write_grades
from assay.workflows.annotations.instructions import with_rewording
from assay.workflows.arguments import check_arguments
from assay.workflows.results import Result

if TYPE_CHECKING:
    import polars as pl


def grade(
    truth: inputs.AnnotationsLike,
    submissions: inputs.SubmissionsLike,
    *,
    rules: inputs.RulesLike | None = None,
    profile: str | None = None,
    images: inputs.PathLikeStr | None = None,
    roster: inputs.PathLikeStr | None = None,
    language_model: LanguageModel | None = None,
    scratch: inputs.PathLikeStr | None = None,
    command: str = "assay.grade",
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> "GradeResult":
    """Grade submissions against a ground truth: a score with its reasons for each student.

    Parameters
    ----------
    truth
        The ground truth: a file, folder or ZIP in COCO, CVAT or another format, or an `AnnotationSet`.
    submissions
        What students handed in: paths of one or many students, or a mapping of names to paths or `AnnotationSet`s.
        What cannot be scored is in `failed`, with the reason, and does not stop the rest.
    rules, profile
        A file of rules, or a `Rubric`; without it they are inferred from the ground truth, beginning as `profile`.
    images
        Folder or ZIP with the images: for formats that do not state their sizes, and to draw the annotations on.
    roster
        CSV with a column `student`, and `file` or `name` if submissions are called otherwise: who should hand in.
    language_model
        If given, advice is also put into its words, beside the computed ones.
    scratch
        Folder for scores that memory should not hold.
    command
        What asked for the grades, for the record.
    executor, observer
        Who does the work (this process, if not given), and who hears how far it is.

    Returns
    -------
    GradeResult
        Indexed by student; iterating goes through them, best first.

    Examples
    --------
    >>> result = grade("examples/annotations/truth.xml", ["examples/annotations/submissions/ada.xml"])
    >>> result["ada"]
    StudentGrade: ada, 97.3 of 100 (125 matched, 2 missed, 0 extra)
    """
    check_arguments(grade, locals())
    photo_files = inputs.opened_images(images)
    expected = read_roster(Path(roster)) if roster is not None else None
    with observer.stage("read"):
        prepared = prepare_grading(inputs.annotations_of(truth, photo_files), rules, profile)
        inputs.refuse_other_images(photo_files, prepared.annotations)
        work = inputs.submissions_of(submissions, like=prepared.annotations, images=photo_files)
    scores = SpillingScores(prepared, Path(scratch or tempfile.gettempdir()))
    failed: dict[str, str] = {}
    register, log = _Register(expected), HandInLog()
    figures: dict[str, Mapping[str, Estimate]] = {}
    feedback: dict[str, Feedback] = {}
    under_way: deque[Submission] = deque()

    def noted(submission: Submission) -> Submission:
        """The same, kept until its outcome is there: it need not travel back from another process."""
        under_way.append(submission)
        return submission

    outcomes = (executor or SerialExecutor()).map_ordered(grade_one, map(noted, work), prepared)
    for outcome in with_progress(outcomes, observer, "submissions", None):
        submission = under_way.popleft()
        name = register.name_of(submission)
        if outcome.score is None:  # named, and does not stop the rest
            failed[name] = outcome.error
            log.other_images |= {name} if outcome.other_images else set()
        else:
            score = outcome.score.whole(prepared, submission.annotations)
            scores.put(name, score)
            log.add(name, score)
            figures[name], feedback[name] = outcome.figures, outcome.feedback
    if not scores:
        reasons = "".join(f"\n  {name}: {error}" for name, error in failed.items())
        none = f"None of the submissions could be scored; nothing was written.{reasons}"
        raise InputError(none, field="submissions")
    batch, hand_ins = Batch(prepared, scores, frozenset(log.empty)), log.hand_ins(register.missing, register.not_listed)
    graded = Graded(batch, failed, figures, feedback, hand_ins)
    if language_model is not None:
        graded = with_rewording(graded, language_model, observer)
    provenance = inputs.provenance_of(command, inputs.given_paths(truth, submissions, rules, roster))
    return GradeResult(graded, provenance, Path(images) if images is not None else inputs.images_beside(truth))


def prepare_grading(
    truth: AnnotationSet, rules: inputs.RulesLike | None = None, profile: str | None = None
) -> PreparedTruth:
    """The ground truth, ready for any number of submissions; InputError when it holds nothing to score by."""
    truth = with_plausible_areas(truth)
    if not len(truth):
        problem = "holds no annotations, so there is nothing to score by"
        raise InputError(problem, source=truth.source, field="truth", remedy="Name the ground truth.")
    prepared = prepare_truth(truth, inputs.rubric_of(truth, rules, profile))
    if not prepared.to_be_found.any():
        problem = (
            f"holds {len(truth):,} annotations and no object to be found: all are crowd or ignore regions, or of "
            f"labels that the rules do not count"
        )
        remedy = "Name another ground truth, or change the rules."
        raise InputError(problem, source=truth.source, field="truth", remedy=remedy)
    return prepared


@dataclass(frozen=True, eq=False, slots=True)
class GradingOutcome:
    """A submission that was scored, or why it cannot be."""

    score: PortableScore | None
    figures: Mapping[str, Estimate]
    feedback: Feedback
    error: str = ""
    other_images: bool = False
    """Whether it belongs to other images, and so could be read but not scored."""

    def __len__(self) -> int:
        return 1


def grade_one(submission: Submission, truth: PreparedTruth) -> GradingOutcome:
    """One submission scored; what a worker does."""
    if submission.annotations is None:
        return GradingOutcome(None, {}, Feedback((), 0), submission.error)
    try:
        with input_errors(submission.annotations.source):  # shapes that geometry cannot cope with are one student's
            score = grade_submission(truth, submission.annotations)
            portable = PortableScore(score, truth, submission.annotations)
            return GradingOutcome(portable, intervals(score), give_feedback(score, truth))
    except OtherImagesError as problem:
        return GradingOutcome(None, {}, Feedback((), 0), str(problem), other_images=True)
    except InputError as problem:
        return GradingOutcome(None, {}, Feedback((), 0), str(problem))


class _Register:
    """Whose each submission is: as the roster calls the student, where there is one that lists them."""

    def __init__(self, roster: Roster | None) -> None:
        self.roster = roster
        self.seen: set[str] = set()
        self.not_listed: set[str] = set()

    def name_of(self, submission: Submission) -> str:
        if self.roster is None:
            return submission.student
        source = "" if submission.annotations is None else submission.annotations.source
        listed = self.roster.student_of(submission.student, source)
        if listed and listed not in self.seen:
            self.seen.add(listed)
            return listed
        self.not_listed.add(submission.student)
        return submission.student

    @property
    def missing(self) -> tuple[str, ...]:
        lines = () if self.roster is None else self.roster.lines
        return tuple(line.student for line in lines if line.student not in self.seen)


class GradeResult(Result):
    """The grades of all submissions: `result["ada"].score`, a table, a report, the files of the command.

    Attributes
    ----------
    graded
        Scores, intervals and advice of all students.
    provenance
        What the grades were made from.
    images
        The images, or the folder or ZIP they are in, if there is one.
    """

    def __init__(self, graded: Graded, provenance: Provenance, images: Path | ImageFiles | None = None) -> None:
        self.graded, self.provenance, self.images = graded, provenance, images

    @property
    def batch(self) -> Batch:
        """All scores: the ranking, the hardest objects and images, which class was taken for which."""
        return self.graded.batch

    @property
    def failed(self) -> Mapping[str, str]:
        """Student -> why what they handed in could not be scored."""
        return self.graded.failed

    @property
    def roster(self) -> tuple[RosterEntry, ...]:
        """Everything that was handed in with what became of it, and who handed in nothing; the important first."""
        return self.graded.roster

    @property
    def rubric(self) -> Rubric:
        """The rules that were applied."""
        return self.batch.truth.rubric

    def __getitem__(self, name: str) -> StudentGrade:
        if name in self.failed:
            raise InputError(f"{name} could not be scored: {self.failed[name]}", field="name")
        if name not in self.batch.scores:
            known = ", ".join(self.batch.scores)
            raise KeyError(f"no student is called {name!r}; there are {known}")
        return self.graded.student(name)

    def __iter__(self) -> Iterator[StudentGrade]:
        return self.graded.students()

    def __len__(self) -> int:
        return len(self.batch.scores)

    def summary(self) -> list[tuple[str, str]]:
        """How many were scored, and the first of the ranking."""
        truth = self.batch.truth
        objects = counted(int(truth.to_be_found.sum()), "object")
        facts = [(f"{len(self)} scored against {objects} on {counted(len(truth.annotations.images), 'image')}", "")]
        ranked = self.batch.ranking
        shown = ranked if len(ranked) <= 5 else ranked[:4]
        facts += [(f"{one.place}. {one.name}", f"{one.score.value:.1f}") for one in shown]
        facts += [("", f"and {len(ranked) - len(shown)} more")] if len(ranked) > len(shown) else []
        return [*facts, *([("failed", ", ".join(self.failed))] if self.failed else [])]

    def json(self) -> str:
        """Everything, as results.json holds it."""
        return results_json(self.graded, self.provenance)

    def to_dict(self) -> dict[str, Any]:
        """The same as values."""
        content: dict[str, Any] = json.loads(self.json())
        return content

    def to_polars(self) -> "pl.DataFrame":
        """A row per student with the columns of summary.csv, best first; those that failed last."""
        import polars as pl  # noqa: PLC0415 - slow to import

        rows = list(summary_rows(self.graded))
        return pl.DataFrame({name: [row.get(name) for row in rows] for name in SUMMARY_COLUMNS}, strict=False)

    def document(self, *, pages: Mapping[str, str] | None = None, photo_bytes: int = ALL_PHOTOS) -> Document:
        """The trainer's report; `pages` are addresses of students' own, `photo_bytes` the most all pictures take."""
        photo_of = photos(inputs.opened_images(self.images), together=photo_bytes)
        return batch_report(self.graded, photo_of=photo_of, provenance=self.provenance, pages=pages)

    def write(
        self,
        folder: inputs.PathLikeStr,
        *,
        force: bool = False,
        pdf: bool = False,
        executor: Executor | None = None,
        observer: Observer = SILENT,
    ) -> Path:
        """results.json, summary.csv, details/, report.html and students/ in a folder; all of them or none.

        An earlier result there is replaced; a folder that holds other files is written to with `force` only. `pdf`
        writes every report as PDF too. The executor makes the pages of students; the observer hears how far they are.
        """
        write_grades(
            self.graded,
            self.provenance,
            Path(folder),
            images=self.images,
            pdf=pdf,
            force=force,
            executor=executor or SerialExecutor(),
            observer=observer,
        )
        return Path(folder)
