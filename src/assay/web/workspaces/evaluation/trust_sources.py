"""Where each kind of workspace has human scores beside system scores, and what waits for a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import compress
from math import isnan

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.review_order import Waiting
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale
from assay.store.database import Connection
from assay.store.reviews import (
    Figures,
    Kept,
    LastDecision,
    ResultsState,
    Scored,
    last_decisions,
    result_figures,
    results_state,
    scored_items,
)
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.worker.evaluation import score_columns
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.evaluation.score_tables import table_of
from assay.web.workspaces.evaluation.trust_sample import latest_sample
from assay.web.workspaces.stored_settings import EvaluationSettings
from assay.web.workspaces.workspace_page import WorkspaceContext
from assay.workflows.evaluation.trust import MOST_ROWS, evidence_of_table


@dataclass(frozen=True, slots=True)
class Source:
    """What a kind keeps where; `scale` asks the workspace."""

    kept: Kept
    scale: Callable[[Site, Workspace], ScoreScale | None]
    group: str = ""
    """What the group in the detail of an item is called."""


def _essay_scale(site: Site, workspace: Workspace) -> ScoreScale | None:
    return workspace_model(site, workspace).scale


def _no_points(_site: Site, _workspace: Workspace) -> None:
    return None


SOURCES: Mapping[str, Source] = {
    "annotations": Source(Kept(low=("figures", "overall", "low"), high=("figures", "overall", "high")), _no_points),
    "essays": Source(
        Kept(raw=("raw",), low=("low",), high=("high",), doubts=("doubts",), known=("human",), group=("prompt",)),
        _essay_scale,
        group="prompt",
    ),
}
"""The kinds whose items people review one by one."""


_NOTHING: Figures = (None, None, None, None, None)
_FIGURES: ThreadSafeCache[tuple[ResultsState, Mapping[int, Figures]]] = ThreadSafeCache(16)


def _figures(
    connection: Connection, workspace_id: str, engine: str, kept: Kept, state: ResultsState
) -> Mapping[int, Figures]:
    """What the results in this state say.

    A decision changes none: they are read again only when they change, and where some came, only those.
    """
    key = f"{workspace_id} {engine}"
    known, figures = _FIGURES.find(key) or (None, {})
    if known == state:
        return figures
    if known is None or results_state(connection, workspace_id, engine, most=known.last) != known:
        figures = result_figures(connection, workspace_id, engine, kept)
    else:
        figures = {**figures, **result_figures(connection, workspace_id, engine, kept, after=known.last)}
    _FIGURES.put(key, (state, figures))
    return figures


def reviewed_evidence(site: Site, workspace: Workspace, results: ResultsState) -> ReviewEvidence:
    """Evidence from decisions, and from human scores that came with the items; `results` is their state."""
    source, engine = SOURCES[workspace.kind], workspace.engine
    with site.database.reading() as connection:
        known = _figures(connection, workspace.id, engine, source.kept, results)
        scored = scored_items(connection, workspace.id, engine, source.kept)
        decisions = last_decisions(connection, workspace.id, engine)
    sample = latest_sample(workspace)
    drawn = set(sample["items"]) if sample else set()
    figures = np.array([known.get(item, _NOTHING) for item in scored.ids], dtype=np.float64).reshape(-1, 5)
    decided = {item for item, told in decisions.items() if told.human is not None}
    given = np.array(scored.known, dtype=np.float64)  # None becomes NaN
    waits = np.isnan(given) & np.array([item not in decided for item in scored.ids], dtype=np.bool_)
    system, raw, low, high, doubts = figures[waits].T
    chosen = waits.tolist()
    open_ = list(compress(scored.ids, chosen))
    url = f"/{workspace.kind}/{workspace.id}/submissions"
    return ReviewEvidence(
        scale=source.scale(site, workspace) if scored.ids else None,
        pairs=_pairs(scored, figures[:, 0], np.flatnonzero(~waits), decisions, drawn, source),
        names=tuple(compress(scored.names, chosen)),
        links=tuple(f"{url}/{item}" for item in open_),
        waiting=Waiting(
            system=np.ascontiguousarray(system),
            raw=np.ascontiguousarray(raw),
            spread=(high - low) / 2,
            flagged=np.nan_to_num(doubts) > 0,
        ),
        waiting_groups={source.group: tuple(compress(scored.group, chosen))} if source.group else {},
        sample=sample,
        sample_left=tuple(item for item in open_ if item in drawn) if drawn else (),
    )


def table_evidence(found: WorkspaceContext, engine: str) -> ReviewEvidence:
    """Every response of a score table with the scores of people and of one engine, from its first rows."""
    _, source = table_of(found)
    chosen = EvaluationSettings.of(found.workspace)
    columns = score_columns(chosen.columns)
    if not columns.human or not columns.system:
        raise InputError("Say first, under Columns, which column holds human scores and which the engine's.")
    return evidence_of_table(source.path, columns, engine, scale=chosen.scale or None, most_rows=MOST_ROWS)


@dataclass(frozen=True, slots=True)
class _Judged:
    """An item with a human and a system score."""

    place: int
    item: int
    human: float
    system: float
    decision: LastDecision | None

    @property
    def order(self) -> tuple[float, int]:
        """Scores that came with the items first, then decisions as they were made."""
        return (self.decision.made_at.timestamp() if self.decision else float("-inf")), self.item


def _judged(scored: Scored, place: int, system: float, decision: LastDecision | None) -> _Judged | None:
    """None when there are not two scores to compare."""
    human = scored.known[place]
    if decision is not None and decision.human is not None:
        human = decision.human
        system = system if decision.decided_on is None else decision.decided_on
    if human is None or isnan(system):
        return None
    return _Judged(place, scored.ids[place], human, system, decision)


def _pairs(
    scored: Scored,
    system: Scores,
    rows: NDArray[np.int64],
    decisions: Mapping[int, LastDecision],
    drawn: set[int],
    source: Source,
) -> Pairs:
    found = (
        _judged(scored, row, given, decisions.get(scored.ids[row]))
        for row, given in zip(rows.tolist(), system[rows].tolist(), strict=True)
    )
    judged = sorted((pair for pair in found if pair is not None), key=lambda pair: pair.order)
    made = [pair.decision for pair in judged]
    groups: dict[str, tuple[str | None, ...]] = {"reviewer": tuple(d.author if d else "in the table" for d in made)}
    if source.group:
        groups[source.group] = tuple(scored.group[pair.place] for pair in judged)
    return Pairs(
        names=tuple(scored.names[pair.place] for pair in judged),
        readings=np.array([[pair.human] for pair in judged], dtype=np.float64).reshape(-1, 1),
        system=np.array([pair.system for pair in judged], dtype=np.float64),
        when=tuple(d.made_at if d else None for d in made),
        confirmed=sum(d is not None and d.kind == "confirm" for d in made),
        groups=groups,
        drawn=tuple(pair.item in drawn for pair in judged),
    )
