"""A score table as evidence: its human scores are the reviews, its rows without one are what waits."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO, Ratings
from assay.evaluation.trust.review_order import Waiting
from assay.io.tables.ratings_table import RatingsTable
from assay.metrics.pairs import Scores
from assay.web.worker.evaluation import score_columns
from assay.web.workspaces.evaluation.score_tables import EMPTY, table_of
from assay.web.workspaces.evaluation.trust_sources import Pairs, ReviewEvidence
from assay.web.workspaces.workspace_page import WorkspaceContext
from assay.workflows.evaluation.score_tables import scale_of

Label = TypeVar("Label", str, str | None)
MOST_ROWS = 200_000
"""So many rows are looked at while a page waits; the report has all of them."""
CAUTION = (
    "These figures hold for responses like those that have a human score. Which responses people read is not known "
    "here: if they were not drawn at random, the engine may do better or worse on the rest."
)


def table_evidence(found: WorkspaceContext, engine: str) -> ReviewEvidence:
    """Every response of the table with the scores of people and of one engine."""
    _, source = table_of(found)
    settings = found.workspace.settings
    columns = score_columns(settings.get("columns", EMPTY))
    if not columns.human or not columns.system:
        raise InputError("Say first, under Columns, which column holds human scores and which the engine's.")
    table = RatingsTable(source.path, columns, check_ids=False)
    scale, leave_out_zeros = scale_of(table, settings.get("scale") or None, None)
    names, parts = _head(table, engine)
    human, system = np.concatenate([p.human for p in parts]), np.concatenate([p.system for p in parts])
    if leave_out_zeros:
        human = np.where(human == 0, np.nan, human)
    groups = {g.name: _labels(parts, i) for i, g in enumerate(parts[0].groups)}
    judged = np.isfinite(human[:, 0]) & np.isfinite(system)
    waits = np.isnan(human[:, 0])
    cut = f" The first {MOST_ROWS:,} rows are looked at here; the report has all." if len(names) == MOST_ROWS else ""
    return ReviewEvidence(
        scale=scale,
        pairs=Pairs(
            names=_chosen(names, judged),
            readings=human[judged],
            system=system[judged],
            when=(None,) * int(judged.sum()),
            confirmed=0,
            groups={name: _chosen(values, judged) for name, values in groups.items()},
            drawn=(False,) * int(judged.sum()),
        ),
        names=_chosen(names, waits),
        links=("",) * int(waits.sum()),
        waiting=_waiting(system[waits]),
        waiting_groups={name: _chosen(values, waits) for name, values in groups.items()},
        sample=None,
        caution=CAUTION + cut,
    )


def _waiting(system: Scores) -> Waiting:
    return Waiting(system, system, np.full(system.size, np.nan), np.zeros(system.size, dtype=np.bool_))


def _head(table: RatingsTable, engine: str) -> tuple[list[str], list[Ratings]]:
    """Ids and ratings of the first rows, part by part."""
    names: list[str] = []
    parts: list[Ratings] = []
    for part, ids in zip(table.parts(engine, scale=None, zeros_count=True), table.response_ids(), strict=True):
        room = MOST_ROWS - len(names)
        if room <= 0:
            break
        names += [str(one) for one in ids.head(room).to_list()]
        parts.append(part if len(part) <= room else _first(part, room))
    return names, parts


def _first(part: Ratings, rows: int) -> Ratings:
    kept = part.where(np.arange(len(part)) < rows)
    return Ratings(kept.human, kept.system, kept.groups)


def _labels(parts: list[Ratings], place: int) -> list[str | None]:
    def of(part: Ratings) -> Iterator[str | None]:
        levels = [None if level == NO_INFO else level for level in part.groups[place].levels]
        return (levels[code] for code in part.groups[place].codes.tolist())

    return list(chain.from_iterable(of(part) for part in parts))


def _chosen(values: Sequence[Label], rows: NDArray[np.bool_]) -> tuple[Label, ...]:
    return tuple(value for value, keep in zip(values, rows.tolist(), strict=True) if keep)
