"""A workspace with scored items, for tests of what is asked of the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from assay.store.items import Item, NewItem, put_items, put_result
from assay.store.overrides import Consequence, decide
from assay.store.schema import Connection
from assay.store.workspaces import create_workspace

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
ENGINE = "engine"


@dataclass(frozen=True)
class ScoredWorkspace:
    id: str
    items: Sequence[Item]


def scored_workspace(
    connection: Connection, scores: Sequence[float | None], *, kind: str = "essays"
) -> ScoredWorkspace:
    """Items `item 0`, `item 1` ... with these scores by one engine; one without a score has no result."""
    workspace = create_workspace(connection, kind, "Class 9", author="Ada", now=NOW, settings={"engine": ENGINE})
    new = [
        NewItem(f"digest {i}", f"item {i}", {"human": i, "prompt": "a" if i % 2 else "b"}) for i in range(len(scores))
    ]
    items = put_items(connection, workspace.id, new, now=NOW)
    for item, score in zip(items, scores, strict=True):
        if score is not None:
            payload = {"raw": score + 0.25, "words": 100, "types": {"spelling": 2}, "shares": {"length": 0.5}}
            put_result(connection, item.id, ENGINE, payload=payload, score=score, files={}, now=NOW)
    return ScoredWorkspace(workspace.id, items)


def review(connection: Connection, item: Item, system: float | None, human: float, *, day: int = 0) -> int:
    """A decision about an item: an override, or a confirmation where both agree."""
    return decide(
        connection,
        item,
        ENGINE,
        kind="confirm" if system == human else "override",
        target="score",
        value=human,
        consequence=Consequence(system, system, human),
        reason="read again",
        author="Ben",
        now=NOW + timedelta(days=day),
    )
