"""What all essays of a workspace add up to; new results are added to what is known of the others."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assay.store.database import Connection
from assay.store.reviews import ResultsState, payload_columns, results_state
from assay.web.thread_safe_cache import ThreadSafeCache


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
        told = _tally(connection, workspace_id, engine, state, after=0)
    else:
        told = _sum(known, _tally(connection, workspace_id, engine, state, after=last))
    _KNOWN.put(key, told)
    return told


def _tally(connection: Connection, workspace_id: str, engine: str, state: ResultsState, *, after: int) -> EssayTally:
    """Of the results from one id on up to those that the state knows."""
    types, advisories, moved, lengths = payload_columns(
        connection,
        workspace_id,
        engine,
        texts=("types", "advisories", "shares"),
        numbers=("words",),
        state=state,
        after=after,
    )
    with_finding, doubts = Counter[str](), Counter[str]()
    _tell((doubt for doubt in advisories if doubt != "[]"), lambda doubt: doubts.update([dict(doubt)["name"]]))
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


def _tell(texts: Iterable[str | None], told: Callable[[list[tuple[str, Any]]], None]) -> None:
    """Ten thousand small JSON texts, read as one text: each object in them is told as pairs, and kept nowhere."""
    json.loads(f"[{','.join(text or 'null' for text in texts)}]", object_pairs_hook=told)


def _sums(texts: Iterable[str | None], objects: Counter[str] | None = None) -> dict[str, float]:
    """Name -> the sum of its values over all objects; `objects` counts those that have the name."""
    sums: dict[str, float] = {}

    def add(pairs: list[tuple[str, float | None]]) -> None:
        for name, value in pairs:
            if value is not None:
                sums[name] = sums.get(name, 0.0) + value
        if objects is not None:
            objects.update([name for name, _ in pairs])

    _tell(texts, add)
    return sums
