"""Workspaces whose results and decisions are put straight into the store: many, and at known times."""

from datetime import UTC, datetime, timedelta

import numpy as np

from assay.store.database import Database
from assay.store.items import NewItem, put_items, put_result
from assay.store.overrides import Consequence, decide
from assay.store.schema import Json
from assay.store.workspaces import change_workspace, create_workspace

START = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
ENGINE = "e" * 64


def essay_payload(raw: float) -> Json:
    return {"raw": raw, "low": raw - 0.6, "high": raw + 0.6, "doubts": 0, "advisories": []}


def reviewed_essays(
    database: Database, *, items: int, reviewed: int, shift: float = 0.0, late_shift: float = 0.0
) -> str:
    """A workspace of invented essay scores, some of them reviewed, one a day; its id."""
    rng = np.random.default_rng(5)
    quality = rng.normal(3.6, 1.1, items)
    raws = np.clip(quality + rng.normal(shift, 0.45, items), 1, 6)
    people = np.clip(np.rint(quality + rng.normal(0, 0.45, items)), 1, 6)
    with database.writing() as connection:
        made = create_workspace(connection, "essays", "Year 9 persuasive writing", author="you", now=START)
        new = [
            NewItem(f"{i:064d}", f"Writer {i + 1:02d}", {"prompt": "school" if i % 3 else "travel", "human": None})
            for i in range(items)
        ]
        kept = put_items(connection, made.id, new, now=START)
        for number, item in enumerate(kept):
            raw = float(raws[number]) + (late_shift if number > reviewed / 2 else 0)
            score = float(np.clip(np.rint(raw), 1, 6))
            put_result(connection, item.id, ENGINE, payload=essay_payload(raw), score=score, files={}, now=START)
            if number >= reviewed:
                continue
            human = float(people[number])
            decide(
                connection,
                item,
                ENGINE,
                kind="confirm" if human == score else "override",
                target="score",
                value=None if human == score else human,
                consequence=Consequence(score, score, human),
                reason="read again",
                author="Ada" if number % 2 else "Ben",
                now=START + timedelta(days=number),
            )
        change_workspace(connection, made.id, now=START, settings={"engine": ENGINE, "columns_chosen": True})
    return made.id
