"""Decisions about annotations as words, as rows of a table and as JSON."""

from collections.abc import Mapping, Sequence

from assay.io.results.evaluation_tables import PlainTable
from assay.store.overrides import Decision
from assay.store.schema import Json


def target_words(target: str) -> str:
    """What a decision is about, in words.

    >>> target_words("attribute:3:5:colour"), target_words("miss:7")
    ('attribute “colour” of a match', 'a missed object')
    """
    kind, *rest = target.split(":", 3)
    if kind == "attribute":
        return f"attribute “{rest[2] if len(rest) > 2 else ''}” of a match"
    words = {"match": "a match", "label": "label of a match", "miss": "a missed object", "extra": "an extra annotation"}
    return words.get(kind, "the score")


def decision_words(decision: Decision) -> str:
    """What a decision did: excused a miss, accepted an extra, or gave another score to a part."""
    kind = decision.target.split(":", 1)[0]
    if kind in ("miss", "extra"):
        done = "excused" if kind == "miss" else "accepted"
        return f"{kind} {done if decision.value else 'counted again'}"
    before, after = (
        f"{value:.0f}" if isinstance(value, int | float) else "n/a" for value in (decision.previous, decision.value)
    )
    return f"{target_words(decision.target)}: {before} → {after}"


def decision_content(decision: Decision) -> Json:
    names = ("target", "kind", "value", "previous", "system_score", "human_score", "reason", "author")
    content = {name: getattr(decision, name) for name in names}
    return {
        **content,
        "made": decision.made.isoformat(),
        "undone": decision.undone.isoformat() if decision.undone else None,
        "undone_by": decision.undone_by,
    }


def decision_table(decisions: Sequence[Decision], names: Mapping[int, str]) -> PlainTable:
    """Decisions as a table, undone ones too."""
    columns = ("student", "what", "target", "kind", "was", "is", "system_score", "final_score", "reason", "author")
    listed = [
        (
            *(names.get(d.item_id, ""), target_words(d.target), d.target, d.kind, d.previous, d.value),
            *(d.system_score, d.human_score, d.reason, d.author, d.made.isoformat()),
            *(d.undone.isoformat() if d.undone else None, d.undone_by),
        )
        for d in decisions
    ]
    return PlainTable((*columns, "made", "undone", "undone_by"), listed)
