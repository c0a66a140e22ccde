"""What each kind of workspace does with what comes in; pages and programs call the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import InputError
from assay.store.blobs import Upload
from assay.store.overrides import Consequence
from assay.store.schema import Connection, Json
from assay.store.workspaces import Workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.workspaces import panels, score_tables
from assay.web.workspaces.annotations import review as annotation_review
from assay.web.workspaces.annotations import workspace as annotation_work
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS
from assay.web.workspaces.essays import training
from assay.web.workspaces.essays import workspace as essay_work
from assay.web.workspaces.essays.exports import ESSAY_EXPORTS
from assay.web.workspaces.export_files import DecidedItem, ExportFile, evaluation_exports
from assay.web.workspaces.scoring import WorkspaceContext


@dataclass(frozen=True, slots=True)
class WorkspaceHandlers:
    """What one kind does."""

    roles: tuple[str, ...]
    """The roles an upload may have."""
    received: Callable[[Connection, WorkspaceContext, Sequence[Upload]], None]
    """Called after uploads were kept, in the same transaction; InputError when they cannot be used."""
    start: Callable[[WorkspaceContext, Json], str | None]
    """Check settings and start the scoring; the id of the job, None when everything has its result already."""
    decide: Callable[[DecidedItem, str, Any], Consequence]
    """Item, target and value -> what a decision does; InputError if it cannot be done. A target of `score` with the
    value None confirms the score as it is."""
    exports: Callable[[Site, Workspace], list[ExportFile]]
    further: Mapping[str, Callable[[WorkspaceContext, Json], str]] = field(default_factory=dict)
    """Jobs beside the scoring, by what a program calls them."""

    score_if_ready: Callable[[WorkspaceContext], str | None] = lambda _context: None
    """Score what came in where nothing must be chosen first; the id of the job, if any."""

    def task(self, name: str) -> Callable[[WorkspaceContext, Json], str | None]:
        """What starts a job; FieldErrors when this kind of workspace has none of the name."""
        tasks = {"score": self.start, **self.further}
        if name not in tasks:
            raise FieldErrors({"task": f"There is no task {name!r} here. Choose one of: {', '.join(tasks)}."})
        return tasks[name]


def no_decisions(*_: object) -> Consequence:
    """For kinds whose results are not overridden."""
    raise InputError("The figures of an evaluation follow from its table; mend the table and upload it again.")


WORKSPACE_HANDLERS: Mapping[str, WorkspaceHandlers] = {
    "evaluation": WorkspaceHandlers(
        ("scores", score_tables.ROLE), score_tables.received, score_tables.start, no_decisions, evaluation_exports
    ),
    "panels": WorkspaceHandlers((panels.ROLE,), panels.received, panels.start, no_decisions, evaluation_exports),
    "annotations": WorkspaceHandlers(
        annotation_work.ROLES,
        annotation_work.received,
        annotation_work.start,
        annotation_review.decide,
        ANNOTATION_EXPORTS.listed,
        score_if_ready=annotation_work.score_if_ready,
    ),
    "essays": WorkspaceHandlers(
        essay_work.ROLES,
        essay_work.received,
        essay_work.start,
        essay_work.decide,
        ESSAY_EXPORTS.listed,
        {"train": training.train_with, "refit": training.refit_with},
        essay_work.score_if_ready,
    ),
}
"""Kind of a workspace -> what it does; read once, when the app is put together."""
