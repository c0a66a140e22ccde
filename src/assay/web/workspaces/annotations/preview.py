"""What other rules would do to the scores, told before anything is changed."""

from dataclasses import dataclass
from random import Random
from statistics import fmean
from time import monotonic

from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError
from assay.store.item_listing import ListQuery, ids_in_order, totals
from assay.store.items import Item, find_item
from assay.web.workspaces.annotations.scores import original_score, workspace_truth
from assay.web.workspaces.workspace_page import WorkspaceContext

MOST = 200
SECONDS = 1.0
"""A page may wait this long; the rest of a large class is not tried."""
SHOWN = 8
SEEN = 0.05
"""A score changes where one decimal shows it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One student's system score by the rules that hold and by those of the form."""

    id: int
    name: str
    was: float
    now: float


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of rules on as many submissions as can be scored in a moment."""

    was: float
    now: float
    changes: int
    largest: tuple[Changed, ...]
    """Those that change most, first."""
    tried: int
    scored: int
    """Submissions that have a score."""
    seconds: float


def preview(context: WorkspaceContext, rubric: Rubric) -> Preview | None:
    """Score submissions by these rules, keep nothing, and say what changes; None when none has a score."""
    engine, began = context.workspace.engine, monotonic()
    with context.site.database.reading() as connection:
        scored = totals(connection, context.workspace.id, engine).scored
        ids = ids_in_order(connection, context.workspace.id, engine, ListQuery())
        ids = Random(0).sample(ids, min(MOST, len(ids)))  # of all scores alike, and the same ones each time
        items = [item for id_ in ids if (item := find_item(connection, context.workspace.id, id_)) is not None]
    prepared = prepare_truth(workspace_truth(context.site, context.workspace.id), rubric)
    tried: list[Changed] = []
    for item in items:
        if tried and monotonic() - began > SECONDS:
            break
        try:
            original = original_score(context.site, context.workspace, item)
            tried.append(_changed(item, original.overall, grade_submission(prepared, original.submission).overall))
        except InputError:  # it has no score either way
            continue
    if not tried:
        return None
    different = sorted((c for c in tried if abs(c.now - c.was) >= SEEN), key=lambda c: -abs(c.now - c.was))
    means = fmean(c.was for c in tried), fmean(c.now for c in tried)
    return Preview(*means, len(different), tuple(different[:SHOWN]), len(tried), scored, monotonic() - began)


def _changed(item: Item, was: float, now: float) -> Changed:
    return Changed(item.id, item.name, was, now)
