"""What a class has in common: how scores spread, which errors and doubts are frequent, what moves scores.

Essays are tallied as their results come: new ones are added to what is known of the others.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.models.scoring_model import SCORE_TITLES
from assay.scale import ScoreScale
from assay.store.database import Connection
from assay.store.reviews import ResultsState, payload_columns, results_state, score_counts
from assay.store.schema import Json
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.workspaces.essays.models import feature_title, share_bars

MOST_FEATURES = 14
MOST_BARS = 24


def spread_of(connection: Connection, workspace_id: str, engine: str, scale: ScoreScale) -> list[Json]:
    """Essays at each score point, by the system and in the end; heights in per cent of the tallest.

    Empty while nothing is scored.
    """
    system, final = score_counts(connection, workspace_id, engine)
    tallest = max([*system.values(), *final.values()], default=0)
    points = scale.points().tolist()
    if not tallest or len(points) > MOST_BARS:
        return []
    bars = []
    for p in points:
        heights = {"system_height": 100 * system[p] / tallest, "final_height": 100 * final[p] / tallest}
        rounded = {name: round(height, 1) for name, height in heights.items()}
        bars.append({"label": f"{p:g}", "system": system[p], "final": final[p], **rounded})
    return bars


def insights_of(connection: Connection, workspace_id: str, engine: str) -> Json:
    """The findings, doubts and features of all scored essays together; shares of errors in per cent of all essays."""
    tally = essay_tally(connection, workspace_id, engine)
    count, essays, findings = tally.essays, tally.with_finding, tally.findings
    errors = []
    for name in sorted(essays, key=lambda name: (-essays[name], -findings[name], name)):
        if name in CATALOGUE:
            kind, share = CATALOGUE[name], round(100 * essays[name] / count, 1)
            error = {"title": kind.title, "category": kind.category, "advice": kind.explanation, "share": share}
            errors.append({**error, "essays": essays[name], "findings": findings[name]})
    means = sorted(((share / count, n) for n, share in tally.shares.items()), key=lambda m: -abs(m[0]))[:MOST_FEATURES]
    return {
        "essays": count,
        "words": tally.words / count if count else 0.0,
        "errors": errors,
        "doubts": [(title, tally.doubts[name]) for name, title in SCORE_TITLES.items() if tally.doubts[name]],
        "movers": share_bars([(feature_title(name), "", mean) for mean, name in sorted(means, reverse=True)]),
    }


@dataclass(frozen=True, eq=False, slots=True)
class EssayTally:
    """Findings, doubts and shares of features over all essays with a result, and the state of results it holds for."""

    state: ResultsState
    essays: int
    words: int
    findings: Counter[str]
    with_finding: Counter[str]
    """Essays with at least one finding of a type."""
    doubts: Counter[str]
    shares: dict[str, float]


_KNOWN: ThreadSafeCache[EssayTally] = ThreadSafeCache(32)


def essay_tally(connection: Connection, workspace_id: str, engine: str) -> EssayTally:
    """The tally of the results as they are now.

    Those that came since the last time are added; all are read again when any of the others is not what it was.
    """
    key = f"{workspace_id} {engine}"
    state, known = results_state(connection, workspace_id, engine), _KNOWN.find(key)
    if known is not None and known.state == state:
        return known
    last = known.state.last if known is not None else 0
    if known is None or results_state(connection, workspace_id, engine, most=last) != known.state:
        tally = _tally(connection, workspace_id, engine, state, after=0)
    else:
        tally = _sum(known, _tally(connection, workspace_id, engine, state, after=last))
    _KNOWN.put(key, tally)
    return tally


def _tally(connection: Connection, workspace_id: str, engine: str, state: ResultsState, *, after: int) -> EssayTally:
    """Of the results from one id on up to those that the state knows."""
    texts, numbers = ("types", "advisories", "shares"), ("words",)
    types, advisories, moved, lengths = payload_columns(
        connection, workspace_id, engine, texts=texts, numbers=numbers, state=state, after=after
    )
    with_finding, doubts = Counter[str](), Counter[str]()
    _each_object((doubt for doubt in advisories if doubt != "[]"), lambda pairs: doubts.update([dict(pairs)["name"]]))
    return EssayTally(
        state=state,
        essays=len(types),
        words=sum(length or 0 for length in lengths),
        findings=Counter({name: int(number) for name, number in _sums(types, with_finding).items()}),
        with_finding=with_finding,
        doubts=doubts,
        shares=_sums(moved),
    )


def _sum(known: EssayTally, new: EssayTally) -> EssayTally:
    names = [*known.shares, *(name for name in new.shares if name not in known.shares)]
    return EssayTally(
        state=new.state,
        essays=known.essays + new.essays,
        words=known.words + new.words,
        findings=known.findings + new.findings,
        with_finding=known.with_finding + new.with_finding,
        doubts=known.doubts + new.doubts,
        shares={name: known.shares.get(name, 0.0) + new.shares.get(name, 0.0) for name in names},
    )


def _each_object(texts: Iterable[str | None], use: Callable[[list[tuple[str, Any]]], None]) -> None:
    """Ten thousand small JSON texts, read as one text: each object in them is used as pairs, and kept nowhere."""
    json.loads(f"[{','.join(text or 'null' for text in texts)}]", object_pairs_hook=use)


def _sums(texts: Iterable[str | None], objects: Counter[str] | None = None) -> dict[str, float]:
    """Name -> the sum of its values over all objects; `objects` counts those that have the name."""
    sums: dict[str, float] = {}

    def add(pairs: list[tuple[str, float | None]]) -> None:
        for name, value in pairs:
            if value is not None:
                sums[name] = sums.get(name, 0.0) + value
        if objects is not None:
            objects.update([name for name, _ in pairs])

    _each_object(texts, add)
    return sums
