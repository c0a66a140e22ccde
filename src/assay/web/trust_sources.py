"""Where each kind of workspace has human scores beside system scores, and what waits for a person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import nan

import numpy as np

from assay.evaluation.review_order import Waiting
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale
from assay.store.reviews import Kept, ReviewRow, review_rows
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.essay_models import workspace_model
from assay.web.site import Site
from assay.web.trust_sample import latest_sample


@dataclass(frozen=True, eq=False, slots=True)
class Pairs:
    """Responses with a human and a system score, in the order the human scores were given."""

    names: tuple[str, ...]
    readings: Scores
    """(responses, raters): the first rater is the one the engine is judged by."""
    system: Scores
    when: tuple[datetime | None, ...]
    """When a person decided; None for a score that came with the file."""
    confirmed: int
    """Decisions that left the system score as it was."""
    groups: Mapping[str, tuple[str | None, ...]]
    drawn: tuple[bool, ...]
    """Whether each belongs to the random sample that was drawn last."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def human(self) -> Scores:
        return self.readings[:, 0]

    def where(self, keep: Sequence[bool]) -> "Pairs":
        """Some of them."""
        rows = np.flatnonzero(keep)
        return Pairs(
            names=tuple(self.names[i] for i in rows),
            readings=self.readings[rows],
            system=self.system[rows],
            when=tuple(self.when[i] for i in rows),
            confirmed=self.confirmed,
            groups={name: tuple(values[i] for i in rows) for name, values in self.groups.items()},
            drawn=tuple(self.drawn[i] for i in rows),
        )


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """All a trust page is made of."""

    scale: ScoreScale | None
    """None for scores on no points, such as 0 to 100."""
    pairs: Pairs
    names: tuple[str, ...]
    """Of the responses that wait for a person."""
    links: tuple[str, ...]
    """Their addresses; empty where a response has no page."""
    waiting: Waiting
    waiting_groups: Mapping[str, tuple[str | None, ...]]
    sample: Json | None
    """The random sample that was drawn last: size, seed, author, made, items."""
    sample_left: tuple[int, ...] = ()
    """Items of the sample that still wait."""
    caution: str = ""
    """What the reader must know of how these responses came to be judged."""


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


def reviewed_evidence(site: Site, workspace: Workspace) -> Evidence:
    """Evidence from decisions, and from human scores that came with the items."""
    source, engine = SOURCES[workspace.kind], workspace.settings.get("engine", "")
    with site.database.reading() as connection:
        rows = review_rows(connection, workspace.id, engine, source.kept)
    sample = latest_sample(workspace)
    drawn = set(sample["items"]) if sample else set()
    judged = sorted((r for r in rows if _judged(r)), key=lambda r: (r.made is not None, r.made or 0, r.id))
    open_ = [row for row in rows if row.human is None and row.known is None]
    url = f"/{workspace.kind}/{workspace.id}/submissions"
    return Evidence(
        scale=source.scale(site, workspace) if rows else None,
        pairs=_pairs(judged, drawn, source),
        names=tuple(row.name for row in open_),
        links=tuple(f"{url}/{row.id}" for row in open_),
        waiting=Waiting(
            system=_numbers([row.system for row in open_]),
            raw=_numbers([row.raw for row in open_]),
            spread=_numbers([_half(row) for row in open_]),
            flagged=np.array([bool(row.doubts) for row in open_], dtype=np.bool_),
        ),
        waiting_groups={source.group: tuple(row.group for row in open_)} if source.group else {},
        sample=sample,
        sample_left=tuple(row.id for row in open_ if row.id in drawn),
    )


def _judged(row: ReviewRow) -> bool:
    """Whether there are two scores to compare."""
    human = row.human if row.human is not None else row.known
    return human is not None and _system(row) is not None


def _system(row: ReviewRow) -> float | None:
    return row.decided_on if row.human is not None and row.decided_on is not None else row.system


def _pairs(rows: list[ReviewRow], drawn: set[int], source: Source) -> Pairs:
    groups: dict[str, tuple[str | None, ...]] = {"reviewer": tuple(row.author or "in the table" for row in rows)}
    if source.group:
        groups[source.group] = tuple(row.group for row in rows)
    return Pairs(
        names=tuple(row.name for row in rows),
        readings=_numbers([row.human if row.human is not None else row.known for row in rows])[:, None],
        system=_numbers([_system(row) for row in rows]),
        when=tuple(row.made for row in rows),
        confirmed=sum(row.kind == "confirm" for row in rows),
        groups=groups,
        drawn=tuple(row.id in drawn for row in rows),
    )


def _half(row: ReviewRow) -> float | None:
    return None if row.low is None or row.high is None else (row.high - row.low) / 2


def _numbers(values: list[float | None]) -> Scores:
    return np.array([nan if value is None else value for value in values], dtype=np.float64)
