"""Handler: a submission scored against the ground truth, or all of them together as a report and insights."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from math import isfinite

import numpy as np

from assay import __version__
from assay.annotations.grading.explanation import answers, improvements, losses
from assay.annotations.grading.graded import Batch, Graded, StudentGrade
from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.roster import HandInLog, remarks
from assay.annotations.grading.score import OtherImagesError, grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.errors import InputError, input_errors
from assay.execution.observer import Observer, with_progress
from assay.io.annotations.rubric_toml import read_rubric
from assay.io.image_files import ImageFiles
from assay.io.results.result_json import plain
from assay.provenance import Provenance
from assay.report.render.html import contents_html, to_html
from assay.store.jobs import Leased
from assay.store.overrides import CarriedDecision, earlier_decisions
from assay.store.schema import Json
from assay.web.problems import page_words
from assay.web.site import ThreadSafeCache
from assay.web.worker.worker import Handle, Outcome, Tools
from assay.web.workspaces.annotations.review import carried_decisions
from assay.web.workspaces.annotations.scores import (
    SubmissionUpload,
    open_images,
    open_submissions,
    open_truth,
    with_unique_names,
)
from assay.web.workspaces.export_files import page_html, pdf_file
from assay.web.workspaces.stored_settings import AnnotationJob, AnnotationTask, StoredFile
from assay.workflows.annotations.grade import GradeResult, prepare_grading

MOST_TOGETHER = 1000
"""Submissions in a report of all: every two of them are compared, and a page should still open."""
MOST_REMEMBERED = 300
PHOTO_BYTES = 6 << 20
"""Of all pictures on the page of insights and in the report."""
LINK = re.compile(r'<a href="/annotations/[^"]*">([^<]*)</a>')
"""A way to a page of this app, which a report that is taken away does not have."""
SECTIONS_OF_REPORT_ONLY = ("The rules", "Files", "Provenance")


@dataclass(eq=False, slots=True)
class JobContext:
    """What a worker keeps at hand for one job: the ground truth, uploads it has opened, scores it has made."""

    settings: AnnotationJob
    tools: Tools
    truth: PreparedTruth
    images: ImageFiles | None
    opened: dict[str, list[SubmissionUpload]] = field(default_factory=dict)
    scores: ThreadSafeCache[SubmissionScore] = field(default_factory=lambda: ThreadSafeCache(MOST_REMEMBERED))

    def submissions(self, stored: StoredFile) -> list[SubmissionUpload]:
        key = f"{stored.digest} {stored.name}"
        if key not in self.opened:
            self.opened[key] = open_submissions(stored, self.tools.file, self.settings.truth, self.settings.images)
        return self.opened[key]

    def score(self, work: SubmissionUpload) -> SubmissionScore:
        """The score, made once as far as memory allows: the report of all needs it again."""
        with input_errors(work.stored.name):  # shapes that geometry cannot cope with are one student's
            return self.scores.get(work.digest, lambda: grade_submission(self.truth, work.read()))


@dataclass(frozen=True, eq=False, slots=True)
class ObservedScores(Mapping[str, SubmissionScore]):
    """Scores by student; whoever goes through them, as a report does, stops when the job is cancelled."""

    scores: Mapping[str, SubmissionScore]
    observer: Observer

    def __getitem__(self, name: str) -> SubmissionScore:
        self.observer.check()
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)


def prepare(job: Leased, tools: Tools) -> Handle:
    """The ground truth is prepared once; then each submission is scored, and in the end all are put together."""
    settings = AnnotationJob.from_json(job.settings)
    images = open_images(settings.images, tools.file)
    truth = open_truth(settings.truth, tools.file, settings.images)
    context = JobContext(settings, tools, prepare_grading(truth, read_rubric(settings.rules)), images)

    def handle(piece: Leased) -> Outcome:
        task = AnnotationTask.from_json(piece.task)
        if task.what == "batch":
            return together(context, piece, task)
        tools.observer.check()
        works = context.submissions(StoredFile.of(task))
        if task.place >= len(works):
            raise InputError("it no longer holds this submission", source=task.name, remedy="Upload it again.")
        tools.observer.check()
        score = context.score(works[task.place])
        overall = score.overall if isfinite(score.overall) else None
        return Outcome(submission_payload(score, context.truth), overall, carried=_carried(tools, piece, score))

    return handle


def _carried(tools: Tools, piece: Leased, score: SubmissionScore) -> list[CarriedDecision]:
    """What people decided about this submission under other rules, and still holds."""
    if piece.item_id is None:
        return []
    earlier = tools.database.read(earlier_decisions, piece.workspace_id, piece.item_id, piece.engine)
    return carried_decisions(score, earlier)


def submission_payload(score: SubmissionScore, truth: PreparedTruth | None = None) -> Json:
    """What lists and pages say of a submission without scoring it again."""
    student, tally = StudentGrade.of_score("", score, truth), score.tally
    payload = {
        "rounded": score.rounded,
        **{name: getattr(tally, name) for name in ("matched", "missed", "extra")},
        "objects": tally.matched + tally.missed,
        "images": int(score.in_scope.sum()),
        **{name: getattr(tally, name) for name in ("quality", "completeness", "precision", "recall")},
        "figures": student.figures,
        "losses": dict(losses(score).items()),
        "improvements": list(improvements(score)),
        "answers": [asdict(answer) for answer in answers(score) if answer.applies],
        "advice": [asdict(advice) for advice in student.advice],
        "checks": student.feedback.checks,
        "labels_differ": int(np.count_nonzero(score.label < 1)),
        "values_differ": sum(int(np.count_nonzero(compared.similarity < 1)) for compared in score.comparisons),
        "errors": student.errors,
        "not_scored": score.not_scored,
        "problems": [asdict(problem) for problem in (*score.submission.problems, *score.notes)][:50],
        "remark": remarks(score) or ("" if len(score.submission) else "no annotations"),
        "file": score.submission.source,
        "format": score.submission.format,
    }
    return dict(plain(payload))


def together(context: JobContext, piece: Leased, task: AnnotationTask) -> Outcome:
    """The report of all, with what people have decided so far."""
    scores: dict[str, SubmissionScore] = {}
    failed: dict[str, str] = {}
    log = HandInLog()
    links: dict[str, str] = {}
    everything = with_unique_names(w for s in task.uploads for w in context.submissions(s))
    compared = [(pair,) for pair in islice(everything.items(), MOST_TOGETHER)]
    for ((name, work),) in with_progress(compared, context.tools.observer, "Score submissions", len(compared)):
        try:
            scores[name] = final_score(context.score(work), task.decisions.get(work.digest, ()))
            log.add(name, scores[name])
            links[name] = f"/annotations/{piece.workspace_id}/submissions/by/{work.digest}"
        except InputError as problem:
            failed[name] = page_words(problem)
            log.other_images |= {name} if isinstance(problem, OtherImagesError) else set()
    if not scores:
        raise InputError("None of the submissions could be scored, so there is nothing to compare.")
    settings = context.settings
    provenance = Provenance(__version__, settings.command, settings.inputs, 0, settings.time)
    observed = ObservedScores(scores, context.tools.observer)
    graded = Graded.of(Batch(context.truth, observed, frozenset(log.empty)), failed, log.hand_ins())
    result = GradeResult(graded, provenance, context.images)
    payload = {
        "submissions": len(scores),
        "failed": len(failed),
        "everything": len(everything),
        "overridden": sum(score.original is not None for score in scores.values()),
        "made": settings.time,
    }
    return Outcome(payload, None, _files(result, links, context.tools.observer))


def _files(result: GradeResult, links: Mapping[str, str], observer: Observer) -> dict[str, bytes]:
    """The report with and without what a page has no use for: its title, and what has a page of its own."""
    document = result.document(pages=links, photo_bytes=PHOTO_BYTES)
    sections = tuple(s for s in document.sections if s.title not in SECTIONS_OF_REPORT_ONLY)
    observer.check()
    files = {
        "page.html": page_html(document, sections, before=contents_html(sections)),
        "report.html": LINK.sub(r"\1", to_html(document)).encode(),
        "everything.json": result.json().encode(),
    }
    observer.check()
    return files | pdf_file(document)
