"""Where each kind of workspace has human scores beside system scores, what waits for a person, random samples."""

import random
import secrets
from collections.abc import Mapping
from itertools import compress
from math import isnan

import numpy as np

from assay.errors import InputError
from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.review_order import Waiting
from assay.metrics.pairs import Scores
from assay.store import reviews
from assay.store.items import scored_ids
from assay.store.reviews import Figures, Kept, LastDecision, ResultsState, Scored
from assay.store.schema import Connection
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site, ThreadSafeCache
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.score_tables import score_columns, table_of
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.stored_settings import DrawnSample, EvaluationSettings, WorkspaceSettings
from assay.workflows.evaluation.trust import MOST_ROWS, evidence_of_table

MOST_DRAWN = 2000


def draw_sample(context: WorkspaceContext, size: int) -> DrawnSample:
    """Draw items at random from all that have a score, reviewed or not; the sample, which the workspace keeps.

    Those reviewed before count as reviewed: every item has the same chance to be in the sample, whatever was done with
    it, so figures on the sample hold for all.
    """
    if not 1 <= size <= MOST_DRAWN:
        raise FieldErrors({"size": f"Draw between 1 and {MOST_DRAWN:,}."})
    site = context.site
    with site.database.writing() as connection:
        workspace = hold_workspace(connection, context.workspace.id) or context.workspace
        ids = scored_ids(connection, workspace.id, workspace.engine)
        if not ids:
            raise InputError("Nothing has a score yet, so there is nothing to draw from.")
        seed = secrets.randbits(32)
        chosen = sorted(random.Random(seed).sample(ids, min(size, len(ids))))
        drawn = {"engine": workspace.engine, "seed": seed, "of": len(ids), "items": chosen}
        sample = DrawnSample.from_json({**drawn, "author": context.visitor.name, "made": site.now().isoformat()})
        # samples of other engines are kept: going back to their rules finds them
        others = [s for s in WorkspaceSettings.of(workspace).samples if s.engine != workspace.engine]
        context.change_settings(connection, {"samples": [s.to_json() for s in (*others, sample)]})
        detail = {"name": f"{len(chosen)} of {len(ids)}", "seed": seed, "items": chosen}
        context.note(connection, "draw a sample", detail)
    return sample


GROUP = "prompt"
"""What the group in the detail of an essay is called."""
PATHS: Mapping[str, Kept] = {
    "annotations": Kept(low=("figures", "overall", "low"), high=("figures", "overall", "high")),
    "essays": Kept(("raw",), ("low",), ("high",), doubts=("doubts",), known=("human",), group=(GROUP,)),
}
"""The kinds whose items people review one by one, and where their results hold what."""
_NOTHING: Figures = (None, None, None, None, None)
_FIGURES: ThreadSafeCache[tuple[ResultsState, Mapping[int, Figures]]] = ThreadSafeCache(16)


def _figures(
    connection: Connection, workspace_id: str, engine: str, paths: Kept, state: ResultsState
) -> Mapping[int, Figures]:
    """What the results in this state say.

    A decision changes none: they are read again only when they change, and where some came, only those.
    """
    key = f"{workspace_id} {engine}"
    known, figures = _FIGURES.find(key) or (None, {})
    if known == state:
        return figures
    if known is None or reviews.results_state(connection, workspace_id, engine, most=known.last) != known:
        figures = reviews.result_figures(connection, workspace_id, engine, paths)
    else:
        figures = {**figures, **reviews.result_figures(connection, workspace_id, engine, paths, after=known.last)}
    _FIGURES.put(key, (state, figures))
    return figures


def reviewed_evidence(site: Site, workspace: Workspace, results: ResultsState) -> ReviewEvidence:
    """Evidence from decisions, and from human scores that came with the items; `results` is their state."""
    paths, engine = PATHS[workspace.kind], workspace.engine
    with site.database.reading() as connection:
        known = _figures(connection, workspace.id, engine, paths, results)
        scored = reviews.scored_items(connection, workspace.id, engine, paths)
        decisions = reviews.last_decisions(connection, workspace.id, engine)
    samples = [sample for sample in WorkspaceSettings.of(workspace).samples if sample.engine == engine]
    sample = samples[-1] if samples else None  # the one drawn last from what this engine scored
    drawn = set(sample.items) if sample else set()
    figures = np.array([known.get(item, _NOTHING) for item in scored.ids], dtype=np.float64).reshape(-1, 5)
    decided = {item for item, decision in decisions.items() if decision.human is not None}
    given = np.array(scored.known, dtype=np.float64)  # None becomes NaN
    waits = np.isnan(given) & np.array([item not in decided for item in scored.ids], dtype=np.bool_)
    system, raw, low, high, doubts = figures[waits].T
    chosen = waits.tolist()
    open_ = list(compress(scored.ids, chosen))
    url = f"/{workspace.kind}/{workspace.id}/submissions"
    return ReviewEvidence(
        scale=workspace_model(site, workspace).scale if scored.ids and workspace.kind == "essays" else None,
        pairs=_pairs(scored, figures[:, 0], np.flatnonzero(~waits).tolist(), decisions, drawn, paths),
        names=tuple(compress(scored.names, chosen)),
        links=tuple(f"{url}/{item}" for item in open_),
        waiting=Waiting(
            system=np.ascontiguousarray(system),
            raw=np.ascontiguousarray(raw),
            spread=(high - low) / 2,
            flagged=np.nan_to_num(doubts) > 0,
        ),
        waiting_groups={GROUP: tuple(compress(scored.group, chosen))} if paths.group else {},
        sample=sample.to_json() if sample else None,
        sample_left=tuple(item for item in open_ if item in drawn) if drawn else (),
    )


def table_evidence(context: WorkspaceContext, engine: str) -> ReviewEvidence:
    """Every response of a score table with the scores of people and of one engine, from its first rows."""
    _, source = table_of(context)
    chosen = EvaluationSettings.of(context.workspace)
    columns = score_columns(chosen.columns)
    if not columns.human or not columns.system:
        raise InputError("Say first, under Columns, which column holds human scores and which the engine's.")
    return evidence_of_table(source.path, columns, engine, scale=chosen.scale or None, most_rows=MOST_ROWS)


def _pairs(
    scored: Scored, system: Scores, rows: list[int], decisions: Mapping[int, LastDecision], drawn: set[int], paths: Kept
) -> Pairs:
    """Items with two scores to compare: those whose human score came with them first, then as they were decided."""
    judged: list[tuple[float, int, int, float, float, LastDecision | None]] = []
    for place, given in zip(rows, system[rows].tolist(), strict=True):
        item, human, on = scored.ids[place], scored.known[place], given
        decision = decisions.get(item)
        if decision is not None and decision.human is not None:
            human, on = decision.human, given if decision.decided_on is None else decision.decided_on
        if human is not None and not isnan(on):
            moment = decision.made_at.timestamp() if decision else float("-inf")
            judged.append((moment, item, place, human, on, decision))
    judged.sort(key=lambda pair: pair[:2])
    _, items, places, humans, systems, last = zip(*judged, strict=True) if judged else ((),) * 6
    groups: dict[str, tuple[str | None, ...]] = {"reviewer": tuple(d.author if d else "in the table" for d in last)}
    if paths.group:
        groups[GROUP] = tuple(scored.group[place] for place in places)
    return Pairs(
        names=tuple(scored.names[place] for place in places),
        readings=np.array(humans, dtype=np.float64).reshape(-1, 1),
        system=np.array(systems, dtype=np.float64),
        when=tuple(d.made_at if d else None for d in last),
        confirmed=sum(d is not None and d.kind == "confirm" for d in last),
        groups=groups,
        drawn=tuple(item in drawn for item in items),
    )
