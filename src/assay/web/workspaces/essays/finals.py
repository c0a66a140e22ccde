"""Final scores of a workspace, asked of the database as a whole: ten thousand decisions are not read one by one."""

from collections import Counter
from typing import Any

from sqlalchemy import Connection, FromClause, Subquery, and_, func, select

from assay.store.schema import items, overrides, results


def _decided(workspace_id: str, engine: str) -> tuple[Subquery[Any], FromClause[Any]]:
    """The last decision that stands about each item: its number, and the decision to be joined by it.

    In two steps, for then SQLite finds each decision by its key instead of looking through all of them for each item.
    """
    standing = and_(
        overrides.c.workspace_id == workspace_id, overrides.c.engine == engine, overrides.c.undone.is_(None)
    )
    columns = (overrides.c.item_id, func.max(overrides.c.id).label("last"))
    return select(*columns).where(standing).group_by(overrides.c.item_id).subquery(), overrides.alias("decision")


def score_counts(connection: Connection, workspace_id: str, engine: str) -> tuple[Counter[float], Counter[float]]:
    """How many essays have each system score, and each final score."""
    last, decision = _decided(workspace_id, engine)
    final = func.coalesce(decision.c.human_score, results.c.score)
    joined = items.join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))
    joined = joined.outerjoin(last, last.c.item_id == items.c.id).outerjoin(decision, decision.c.id == last.c.last)
    query = select(results.c.score, final, func.count()).select_from(joined)
    query = query.where(items.c.workspace_id == workspace_id, items.c.removed.is_(None))
    by_system, by_final = Counter[float](), Counter[float]()
    for system, ended, number in connection.execute(query.group_by(results.c.score, final)):
        if system is not None:
            by_system[float(system)] += number
        if ended is not None:
            by_final[float(ended)] += number
    return by_system, by_final


def decided_scores(connection: Connection, workspace_id: str, engine: str) -> list[list[float]]:
    """Item and final score of every essay a person decided about and the system scored, in order."""
    last, decision = _decided(workspace_id, engine)
    joined = last.join(decision, decision.c.id == last.c.last).join(items, items.c.id == last.c.item_id)
    joined = joined.join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))
    query = (
        select(items.c.id, decision.c.human_score)
        .select_from(joined)
        .where(items.c.removed.is_(None), decision.c.human_score.is_not(None), results.c.score.is_not(None))
        .order_by(items.c.id)
    )
    return [[int(item), float(score)] for item, score in connection.execute(query)]


def agreement(connection: Connection, workspace_id: str, engine: str) -> tuple[int, int, float]:
    """How many essays people decided about, on how many they gave the system's score, and the mean distance."""
    last, decision = _decided(workspace_id, engine)
    apart = func.abs(decision.c.human_score - decision.c.system_score)
    query = (
        select(apart, func.count())
        .select_from(last.join(decision, decision.c.id == last.c.last).join(items, items.c.id == last.c.item_id))
        .where(items.c.removed.is_(None), apart.is_not(None))
        .group_by(apart)
    )
    found = {float(gap): int(number) for gap, number in connection.execute(query)}
    count = sum(found.values())
    mean = sum(gap * number for gap, number in found.items()) / count if count else 0.0
    return count, found.get(0.0, 0), mean
