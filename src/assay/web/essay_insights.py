"""What a class has in common: how scores spread, which errors and doubts are frequent, what moves scores."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, select

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.scoring.score import SCORE_TITLES
from assay.scale import ScoreScale
from assay.store.schema import Json, items, results
from assay.web.essay_finals import score_counts
from assay.web.essay_models import feature_title
from assay.web.remembered import Remembered

MOST_FEATURES = 14
MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """Essays at one score point: by the system, and in the end; heights in per cent of the tallest."""

    label: str
    system: int
    final: int
    system_height: float
    final_height: float


def spread_of(connection: Connection, workspace_id: str, engine: str, scale: ScoreScale) -> tuple[Bar, ...]:
    """How system and final scores spread over the scale; empty while nothing is scored."""
    system, final = score_counts(connection, workspace_id, engine)
    return _bars(system, final, scale)


def _of_engine(query: "Select[Any]", workspace_id: str, engine: str) -> "Select[Any]":
    """Over the results of one engine; whatever columns were asked for."""
    joined = query.select_from(results.join(items, items.c.id == results.c.item_id))
    return joined.where(items.c.workspace_id == workspace_id, items.c.removed.is_(None), results.c.engine == engine)


def _bars(system: Counter[float], final: Counter[float], scale: ScoreScale) -> tuple[Bar, ...]:
    tallest = max([*system.values(), *final.values()], default=0)
    points = scale.points().tolist()
    if not tallest or len(points) > MOST_BARS:
        return ()
    return tuple(
        Bar(f"{p:g}", system[p], final[p], round(100 * system[p] / tallest, 1), round(100 * final[p] / tallest, 1))
        for p in points
    )


@dataclass(frozen=True, slots=True)
class CommonError:
    """A type of finding over all essays."""

    title: str
    category: str
    advice: str
    essays: int
    findings: int
    share: float
    """Per cent of all essays."""


@dataclass(frozen=True, slots=True)
class Mover:
    """What a feature adds to or takes from scores, on average over the class."""

    title: str
    mean: float
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Insights:
    """What all essays have in common."""

    essays: int
    words: float
    errors: tuple[CommonError, ...]
    doubts: tuple[tuple[str, int], ...]
    movers: tuple[Mover, ...]


_INSIGHTS: Remembered[Insights] = Remembered(32)


def insights_of(connection: Connection, workspace_id: str, engine: str) -> Insights:
    """The findings, doubts and features of all scored essays together; worked out again when a result is added."""
    state: Select[Any] = select(func.count(), func.max(results.c.id), func.max(results.c.made))  # type: ignore[assignment]  # three columns
    key = f"{workspace_id} {engine} {tuple(connection.execute(_of_engine(state, workspace_id, engine)).one())}"
    return _INSIGHTS.get(key, lambda: _insights(connection, workspace_id, engine))


def _insights(connection: Connection, workspace_id: str, engine: str) -> Insights:
    payload = results.c.payload
    parts = select(payload["types"], payload["advisories"], payload["shares"], payload["words"])
    essays, words = 0, 0
    with_type, findings, doubts, shares = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for types, advisories, moved, length in connection.execute(_of_engine(parts, workspace_id, engine)):
        essays, words = essays + 1, words + (length or 0)
        with_type.update(types.keys())
        findings.update(types)
        doubts.update(doubt["name"] for doubt in advisories)
        shares.update({name: share for name, share in moved.items() if share is not None})
    order = sorted(with_type, key=lambda name: (-with_type[name], -findings[name], name))
    errors = tuple(_common(name, with_type[name], findings[name], essays) for name in order if name in CATALOGUE)
    told = tuple((title, doubts[name]) for name, title in SCORE_TITLES.items() if doubts[name])
    return Insights(essays, words / essays if essays else 0.0, errors, told, _movers(shares, essays))


def _common(name: str, essays: int, findings: int, of: int) -> CommonError:
    kind = CATALOGUE[name]
    return CommonError(kind.title, kind.category, kind.explanation, essays, findings, round(100 * essays / of, 1))


def _movers(shares: Json, essays: int) -> tuple[Mover, ...]:
    means = sorted(((share / essays, name) for name, share in shares.items()), key=lambda m: -abs(m[0]))[:MOST_FEATURES]
    most = max((abs(mean) for mean, _ in means), default=0) or 1
    found = []
    for mean, name in sorted(means, reverse=True):
        width = 50 * abs(mean) / most
        found.append(Mover(feature_title(name), mean, 50 - width if mean < 0 else 50, width))
    return tuple(found)
