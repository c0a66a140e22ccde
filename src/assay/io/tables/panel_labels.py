"""Labels as raters wrote them -> numbers: scores, ordered words, categories, booleans; what is none of them counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.evaluation.raters.panel_ratings import KINDS, Kind, Labels
from assay.evaluation.ratings import LARGEST
from assay.io.tables.columns import MISSING
from assay.scale import ScoreScale

NO_LABEL, NOT_A_NUMBER, OFF_SCALE, NOT_A_LEVEL = "no label", "not a number", "not on the scale", "not one of the levels"
BOOLEANS: Mapping[str, float] = {
    **dict.fromkeys(("pass", "passed", "yes", "true", "1", "y", "t", "correct", "1.0"), 1.0),
    **dict.fromkeys(("fail", "failed", "no", "false", "0", "n", "f", "incorrect", "0.0"), 0.0),
}
NO_WORD = MISSING - {"none", "-"}
"""What stands for no label among words: 'none' may be a category."""
ORDERED_WORDS: tuple[tuple[str, ...], ...] = (
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("very bad", "bad", "average", "good", "very good"),
    ("very bad", "bad", "ok", "good", "very good"),
    ("very low", "low", "medium", "high", "very high"),
    ("very negative", "negative", "neutral", "positive", "very positive"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("incorrect", "partially correct", "correct"),
    ("not relevant", "somewhat relevant", "relevant", "highly relevant"),
)
"""Scales of words that everyone orders alike, from low to high."""
MOSTLY = 0.95
"""With so large a share of numbers, the rest are mistakes."""
MOST_CATEGORIES = 64
REASON_CODES = ("", NO_LABEL, NOT_A_NUMBER, OFF_SCALE, NOT_A_LEVEL)


@dataclass(frozen=True, eq=False, slots=True)
class ReadLabels:
    """Labels as numbers, NaN where there is none, and why."""

    labels: Labels
    value: NDArray[np.float64]
    reason: NDArray[np.int8]
    """The place of the reason in REASON_CODES; 0 where there is a value."""
    notices: tuple[str, ...]


def read_labels(
    cells: pl.Series,
    *,
    kind: str | None = None,
    levels: Sequence[str] = (),
    scale: ScoreScale | None = None,
    source: str = "",
) -> ReadLabels:
    """The labels of a column, of the kind declared or the one they look like."""
    if kind is not None and kind not in KINDS:
        raise InputError((Field("kind"), f" is {', '.join(KINDS)}, got {kind!r}"), field="kind")
    text = _text(cells)
    folded = text.str.strip_chars().str.to_lowercase()
    words: dict[str, int] = dict(folded.drop_nulls().value_counts().iter_rows())
    present = {word: count for word, count in words.items() if word not in NO_WORD}
    chosen = _kind_of(present, kind, levels, scale)
    known = _known_order(present) if chosen == "category" and kind is None else ()
    if chosen == "number":
        return _numbers(folded, scale, declared=kind is not None or scale is not None)
    if chosen == "boolean":
        return _booleans(text, folded, present, declared=kind is not None)
    declared = kind is not None or bool(levels)
    read = _words(text, folded, present, levels or known, declared=declared, source=source)
    said = f"Labels are read as ordered: {', '.join(known)}. Declare categories if they are not."
    return replace(read, notices=(said, *read.notices)) if known else read


def _text(cells: pl.Series) -> pl.Series:
    if cells.dtype.is_float():
        return cells.fill_nan(None).cast(pl.String).str.strip_suffix(".0")
    return cells.cast(pl.String)


def _kind_of(present: Mapping[str, int], kind: str | None, levels: Sequence[str], scale: ScoreScale | None) -> Kind:
    if levels:
        return "ordered"
    if kind == "ordered":
        raise InputError("ordered words need their order", field="levels", remedy="Give the levels from low to high.")
    if kind is not None:
        return kind  # type: ignore[return-value]  # checked
    if scale is not None:
        return "number"
    if len(present) >= 2 and present.keys() <= BOOLEANS.keys():
        return "boolean"
    numeric = sum(count for word, count in present.items() if _number(word) is not None)
    return "number" if present and numeric >= MOSTLY * sum(present.values()) else "category" if present else "number"


def _known_order(present: Mapping[str, int]) -> tuple[str, ...]:
    """The scale of words that holds every label; empty if none does."""
    return next((words for words in ORDERED_WORDS if len(present) > 1 and present.keys() <= set(words)), ())


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _numbers(folded: pl.Series, scale: ScoreScale | None, *, declared: bool) -> ReadLabels:
    value = np.asarray(folded.cast(pl.Float64, strict=False).to_numpy(), dtype=np.float64).copy()
    value[~np.isfinite(value)] = np.nan
    largest = float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value)))
    if largest > LARGEST:
        remedy = "Check the column: labels are points on a scale."
        raise InputError(f"a label of {largest:g} is too large to work with", field="label", remedy=remedy)
    missing = folded.is_null().to_numpy() | folded.is_in(list(MISSING)).fill_null(True).to_numpy()
    reason = np.zeros(value.size, dtype=np.int8)
    reason[missing] = REASON_CODES.index(NO_LABEL)
    reason[np.isnan(value) & ~missing] = REASON_CODES.index(NOT_A_NUMBER)
    if scale is not None:
        off = np.isfinite(value) & ((value < scale.lowest) | (value > scale.highest))
        reason[off] = REASON_CODES.index(OFF_SCALE)
        value[off] = np.nan
    value[reason > 0] = np.nan
    return ReadLabels(Labels("number", declared=declared), value, reason, ())


def _booleans(text: pl.Series, folded: pl.Series, present: Mapping[str, int], *, declared: bool) -> ReadLabels:
    value = _mapped(folded, BOOLEANS)
    missing = folded.is_null().to_numpy() | folded.is_in(list(MISSING)).fill_null(True).to_numpy()
    reason = np.zeros(value.size, dtype=np.int8)
    reason[np.isnan(value)] = REASON_CODES.index(NOT_A_LEVEL)
    reason[missing] = REASON_CODES.index(NO_LABEL)
    value[missing] = np.nan
    shown = []
    for worth, otherwise in ((0.0, "no"), (1.0, "yes")):
        common = max((w for w in present if BOOLEANS.get(w) == worth), key=lambda w: present[w], default=otherwise)
        shown.append(common)
    notices = _strays(text, folded, present)
    return ReadLabels(Labels("boolean", tuple(shown), declared), value, reason, notices)


def _words(
    text: pl.Series,
    folded: pl.Series,
    present: Mapping[str, int],
    levels: Sequence[str],
    *,
    declared: bool,
    source: str,
) -> ReadLabels:
    if levels:
        order = {level.strip().lower(): float(place) for place, level in enumerate(levels)}
        if len(order) != len(levels) or len(levels) < 2:
            raise InputError("levels need two or more different words", field="levels", remedy="Name each level once.")
        names = tuple(level.strip() for level in levels)
    else:
        if len(present) > MOST_CATEGORIES:
            remedy = ("Choose another column as ", Field("label"), ", or declare the scale with ", Field("scale"), ".")
            problem = f"holds {len(present):,} different labels, more than the {MOST_CATEGORIES} a panel can have"
            raise InputError(problem, source=source, field="label", remedy=remedy)
        shown = _display(text, folded, present)
        names = tuple(shown[word] for word in sorted(present))
        order = {word: float(place) for place, word in enumerate(sorted(present))}
    value = _mapped(folded, order)
    missing = folded.is_null().to_numpy() | folded.is_in(list(NO_WORD)).fill_null(True).to_numpy()
    reason = np.zeros(value.size, dtype=np.int8)
    reason[np.isnan(value)] = REASON_CODES.index(NOT_A_LEVEL)
    reason[missing & np.isnan(value)] = REASON_CODES.index(NO_LABEL)
    labels = Labels("ordered" if levels else "category", names, declared)
    return ReadLabels(labels, value, reason, _strays(text, folded, present))


def _mapped(folded: pl.Series, worth: Mapping[str, float]) -> NDArray[np.float64]:
    words = pl.Series(list(worth), dtype=pl.String)
    values = pl.Series(list(worth.values()), dtype=pl.Float64)
    mapped = folded.replace_strict(words, values, default=None, return_dtype=pl.Float64)
    return np.asarray(mapped.to_numpy(), dtype=np.float64).copy()


def _display(text: pl.Series, folded: pl.Series, present: Mapping[str, int]) -> dict[str, str]:
    """The most common way each word is written."""
    counts = pl.DataFrame({"word": folded, "text": text.str.strip_chars()}).drop_nulls()
    ways = counts.group_by("word", "text", maintain_order=True).len().sort("len", descending=True, maintain_order=True)
    shown: dict[str, str] = {}
    for word, written, _ in ways.iter_rows():
        if word in present:
            shown.setdefault(word, written)
    return shown


def _strays(text: pl.Series, folded: pl.Series, present: Mapping[str, int]) -> tuple[str, ...]:
    """What was merged although it was written differently."""
    ways = pl.DataFrame({"word": folded, "text": text}).drop_nulls().unique()
    counts = Counter(word for word, _ in ways.iter_rows() if word in present)
    merged = [word for word, count in counts.items() if count > 1]
    if not merged:
        return ()
    examples = sorted(repr(written) for word, written in ways.iter_rows() if word in merged)[:6]
    return (f"Labels that differ only in case or spaces were merged: {', '.join(examples)}.",)
