"""What a class has in common: how scores spread, which errors and doubts are frequent, what moves scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.models.scoring_model import SCORE_TITLES
from assay.scale import ScoreScale
from assay.store.database import Connection
from assay.store.reviews import score_counts
from assay.web.workspaces.essays.models import feature_title
from assay.web.workspaces.essays.tallies import essay_tally

MOST_FEATURES = 14
MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class CountBar:
    """Essays at one score point: by the system, and in the end; heights in per cent of the tallest."""

    label: str
    system: int
    final: int
    system_height: float
    final_height: float


def spread_of(connection: Connection, workspace_id: str, engine: str, scale: ScoreScale) -> tuple[CountBar, ...]:
    """How system and final scores spread over the scale; empty while nothing is scored."""
    system, final = score_counts(connection, workspace_id, engine)
    return _bars(system, final, scale)


def _bars(system: Counter[float], final: Counter[float], scale: ScoreScale) -> tuple[CountBar, ...]:
    tallest = max([*system.values(), *final.values()], default=0)
    points = scale.points().tolist()
    if not tallest or len(points) > MOST_BARS:
        return ()
    return tuple(
        CountBar(f"{p:g}", system[p], final[p], round(100 * system[p] / tallest, 1), round(100 * final[p] / tallest, 1))
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


def insights_of(connection: Connection, workspace_id: str, engine: str) -> Insights:
    """The findings, doubts and features of all scored essays together."""
    tally = essay_tally(connection, workspace_id, engine)
    essays, findings = tally.with_finding, tally.findings
    order = sorted(essays, key=lambda name: (-essays[name], -findings[name], name))
    errors = tuple(_common(name, essays[name], findings[name], tally.essays) for name in order if name in CATALOGUE)
    told = tuple((title, tally.doubts[name]) for name, title in SCORE_TITLES.items() if tally.doubts[name])
    words = tally.words / tally.essays if tally.essays else 0.0
    return Insights(tally.essays, words, errors, told, _movers(tally.shares, tally.essays))


def _common(name: str, essays: int, findings: int, of: int) -> CommonError:
    kind = CATALOGUE[name]
    return CommonError(kind.title, kind.category, kind.explanation, essays, findings, round(100 * essays / of, 1))


def _movers(shares: Mapping[str, float], essays: int) -> tuple[Mover, ...]:
    means = sorted(((share / essays, name) for name, share in shares.items()), key=lambda m: -abs(m[0]))[:MOST_FEATURES]
    most = max((abs(mean) for mean, _ in means), default=0) or 1
    found = []
    for mean, name in sorted(means, reverse=True):
        width = 50 * abs(mean) / most
        found.append(Mover(feature_title(name), mean, 50 - width if mean < 0 else 50, width))
    return tuple(found)
