"""A table of ratings, long, wide or of preferences -> `PanelRatings`, with everything left out counted by reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError, reader
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.raters.panel_ratings import PanelRatings, Preferences, Repeats
from assay.io.tables.columns import MISSING, number_column, text_column
from assay.io.tables.evaluation_logs import read_evaluation_log
from assay.io.tables.panel_columns import PanelColumns, is_judge
from assay.io.tables.panel_labels import NO_LABEL, REASON_CODES, read_labels
from assay.io.tables.tables import TableSource, open_table
from assay.scale import ScoreScale

NO_NAME, REPEATED, EXCLUDED = "no item or no rater", "same item and rater again", "rater excluded"
JUDGE_WORDS = frozenset({"judge", "llm", "model", "machine", "ai", "system", "engine", "auto", "automatic"})
TIES = frozenset(
    {"tie", "tied", "draw", "both", "neither", "equal", "same", "c", "[[c]]", "bothbad", "bothgood", "tiebothbad"}
)
"""How a tie is written, letters only; Chatbot Arena counts two bad answers as one."""
NO_WINNER = "winner is neither A, B nor a tie"
MOST_RATERS = 20_000
_ITEM, _RATER, _LABEL, _ROW = "item", "rater", "label", "row"


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """What labels are, where the user said so."""

    kind: str | None = None
    levels: tuple[str, ...] = ()
    scale: ScoreScale | None = None
    exclude: tuple[str, ...] = ()


@reader
def read_panel(source: TableSource, columns: PanelColumns, plan: LabelColumn) -> PanelRatings:
    """The ratings of a table."""
    frame = source.frame()
    long = {"long": _long, "wide": _wide, "preferences": _preferences}[columns.layout](frame, columns, source)
    if not long.height:
        raise InputError("it holds no ratings", source=source.name, remedy="Give a table with at least one row.")
    return _ratings(long, columns, plan, source)


def open_panel(table: Path | pl.DataFrame) -> TableSource:
    """The table of a panel, or a log of inspect_ai or promptfoo as one."""
    log = read_evaluation_log(table) if isinstance(table, Path) else None
    if log is None or not isinstance(table, Path):
        return open_table(table)
    return replace(open_table(log), path=table, parts=(table,))


def _long(frame: pl.DataFrame, columns: PanelColumns, source: TableSource) -> pl.DataFrame:  # noqa: ARG001
    named = {_ITEM: columns.item, _RATER: columns.rater, _LABEL: columns.label, "criterion": columns.criterion}
    named |= {"run": columns.run, "kind": columns.kind, "time": columns.time, "version": columns.version}
    named |= {"family": columns.family, "author": columns.author, "length": columns.length}
    named |= {"weight": columns.weight, "text": columns.text}
    named |= {f"group {name}": name for name in columns.groups}
    return _renamed(frame, {role: name for role, name in named.items() if name})


def _renamed(frame: pl.DataFrame, named: Mapping[str, str | None]) -> pl.DataFrame:
    series = [frame.get_column(name).alias(role) for role, name in named.items() if name]
    return pl.DataFrame(series)


def _wide(frame: pl.DataFrame, columns: PanelColumns, source: TableSource) -> pl.DataFrame:
    if columns.item:
        items = text_column(frame, columns.item)
    else:
        items = pl.int_range(source.first_row, source.first_row + frame.height, eager=True).cast(pl.String)
    about = {"length": columns.length, "weight": columns.weight, "text": columns.text, "author": columns.author}
    about |= {f"group {name}": name for name in columns.groups}
    base = [items.alias(_ITEM), *(frame.get_column(name).alias(role) for role, name in about.items() if name)]
    raters = [*columns.humans, *columns.judges]
    if len(set(raters)) != len(raters):
        twice = next(name for name in raters if raters.count(name) > 1)
        raise InputError(f"column {twice!r} is named twice", field="judges", remedy="Name each rater once.")
    parts = []
    for name in raters:
        label = text_column(frame, name).alias(_LABEL)
        rater = pl.Series(_RATER, [name], dtype=pl.String).new_from_index(0, frame.height)
        parts.append(pl.DataFrame([*base, rater, label]))
    return pl.concat(parts) if parts else pl.DataFrame()


def _preferences(frame: pl.DataFrame, columns: PanelColumns, source: TableSource) -> pl.DataFrame:  # noqa: ARG001
    """Who won, as a label of the pair: A, B or tie, with A the first of the two by name."""
    first, second = (text_column(frame, name or "").str.strip_chars() for name in (columns.first, columns.second))
    winner = text_column(frame, columns.winner or "").str.strip_chars()
    folded = winner.str.to_lowercase()
    won_first = folded.is_in(["a", "model_a", "first", "left", "1", "response_a", "[[a]]"]) | (winner == first)
    won_second = folded.is_in(["b", "model_b", "second", "right", "2", "response_b", "[[b]]"]) | (winner == second)
    tied = folded.str.replace_all(r"[^a-z\[\]]", "").is_in(list(TIES))
    swapped = (first > second).fill_null(False)
    sheet = pl.DataFrame({"one": won_first, "two": won_second, "tied": tied, "swapped": swapped})
    label = sheet.select(
        pl.when(pl.col("tied"))
        .then(pl.lit("tie"))
        .when(pl.col("one") ^ pl.col("swapped"))
        .then(pl.lit("A"))
        .when(pl.col("one") | pl.col("two"))
        .then(pl.lit("B"))
    ).to_series()
    known = sheet.select(pl.col("one") | pl.col("two") | pl.col("tied")).to_series()
    label = label.set(~known.fill_null(False), None)
    unknown = ~known.fill_null(True) & winner.is_not_null() & ~folded.is_in(list(MISSING)).fill_null(True)
    low, high = (
        pl.DataFrame({"a": first, "b": second}).select(f(pl.col("a"), pl.col("b"))).to_series()
        for f in (pl.min_horizontal, pl.max_horizontal)
    )
    item = text_column(frame, columns.item) if columns.item else pl.Series([""]).new_from_index(0, frame.height)
    name = (
        pl.DataFrame({"i": item, "a": low, "b": high})
        .select(
            pl.concat_str([pl.col("i"), pl.lit(": "), pl.col("a"), pl.lit(" or "), pl.col("b")]).str.strip_prefix(": ")
        )
        .to_series()
    )
    rater = (
        text_column(frame, columns.rater) if columns.rater else pl.Series(["people"]).new_from_index(0, frame.height)
    )
    rest = {"kind": columns.kind, "family": columns.family, "run": columns.run, "time": columns.time}
    rest |= {"text": columns.text, **{f"group {g}": g for g in columns.groups}}
    others = [frame.get_column(column).alias(role) for role, column in rest.items() if column]
    outcome = sheet.select(
        pl.when(pl.col("tied")).then(0.5).when(pl.col("one")).then(1.0).when(pl.col("two")).then(0.0)
    ).to_series()
    others += [first.alias("first"), second.alias("second"), outcome.alias("outcome"), unknown.alias("unknown")]
    return pl.DataFrame(
        [name.alias(_ITEM), rater.alias(_RATER), label.alias(_LABEL), swapped.alias("swapped"), *others]
    )


def _ratings(long: pl.DataFrame, columns: PanelColumns, plan: LabelColumn, source: TableSource) -> PanelRatings:
    item = text_column(long, _ITEM).str.strip_chars()
    rater = text_column(long, _RATER).str.strip_chars()
    read = read_labels(
        long.get_column(_LABEL), kind=plan.kind, levels=plan.levels, scale=plan.scale, source=source.name
    )
    gaps = read.reason == REASON_CODES.index(NO_LABEL)
    # in a wide table an empty cell is a gap, not a rating
    counted = ~gaps if columns.layout == "wide" else np.ones(long.height, dtype=np.bool_)
    unnamed = (item.is_null() | (item == "") | rater.is_null() | (rater == "")).fill_null(True).to_numpy()
    excluded = rater.is_in(list(plan.exclude)).fill_null(False).to_numpy()
    _check_excluded(plan.exclude, rater, source)
    reasons = {NO_NAME: unnamed, EXCLUDED: excluded}
    if "unknown" in long.columns:
        reasons[NO_WINNER] = long.get_column("unknown").fill_null(False).to_numpy()
    reasons |= {reason: read.reason == code for code, reason in enumerate(REASON_CODES) if code}
    left_out, used = {}, counted.copy()
    for reason, holds in reasons.items():
        marked = used & holds
        if marked.any():
            left_out[reason] = int(marked.sum())
        used &= ~holds
    rows = np.flatnonzero(used)
    if not rows.size:
        counts = ", ".join(f"{count:,} {reason}" for reason, count in left_out.items())
        problem = f"no rating can be used ({counts})" if counts else "every cell of every rater is empty"
        remedy = ("Check which columns are raters, and ", Field("label"), ".")
        raise InputError(problem, source=source.name, field="label", remedy=remedy)
    picked = long[rows]
    items, item_code = _coded(item.gather(rows))
    raters, rater_code = _coded(rater.gather(rows))
    if len(raters) > MOST_RATERS:
        problem = f"holds {len(raters):,} raters; at most {MOST_RATERS:,} can be compared"
        raise InputError(problem, source=source.name, field="rater", remedy=("Check ", Field("rater"), "."))
    criteria: tuple[str, ...] = ()
    criterion = None
    if "criterion" in picked.columns:
        criteria, criterion = _coded(text_column(picked, "criterion").fill_null("").str.strip_chars())
    run = _coded(text_column(picked, "run").fill_null(""))[1] if "run" in picked.columns else None
    versions, version = (
        _coded(text_column(picked, "version").fill_null("")) if "version" in picked.columns else ((), None)
    )
    unit = item_code if criterion is None else item_code * len(criteria) + criterion
    first, again = _first_of_each(unit, rater_code, run, len(raters))
    repeats = None
    if again.size:
        number = run[again] if run is not None else np.ones(again.size, dtype=np.int64)
        later = None if version is None else version[again]
        repeats = Repeats(unit[again], rater_code[again], read.value[rows][again], number, later)
        if run is None and version is None and columns.layout != "preferences":
            left_out[REPEATED] = int(again.size)
    judges = _judge_marks(raters, picked, rater_code, columns, source)
    notices = (*_notices(columns, raters, judges), *read.notices)
    if again.size and run is None and columns.layout == "preferences":
        shown = f"{again.size:,} comparisons show a pair to the same rater again: agreement takes the first of each"
        notices = (*notices, f"{shown}, strengths and the position effect take all.")
    return PanelRatings(
        items=items,
        raters=raters,
        judges=judges,
        labels=read.labels,
        item=item_code[first],
        rater=rater_code[first],
        value=read.value[rows][first],
        criteria=criteria,
        criterion=None if criterion is None else criterion[first],
        versions=versions,
        version=None if version is None else version[first],
        repeats=repeats if run is not None or version is not None else None,
        exclusions=Exclusions(int(counted.sum()), left_out),
        notices=notices,
        cautions=_cautions(columns),
        **_about_items(picked, item_code, len(items), columns, source),
        family=_families(picked, rater_code, raters),
        time=_times(picked, first),
        preferences=_comparisons(picked, rater_code, item_code),
    )


def _comparisons(picked: pl.DataFrame, rater: NDArray[np.int64], item: NDArray[np.int64]) -> Preferences | None:
    if "outcome" not in picked.columns:
        return None
    both = pl.concat([picked.get_column("first").fill_null(""), picked.get_column("second").fill_null("")])
    candidates, codes = _coded(both)
    outcome = np.asarray(picked.get_column("outcome").to_numpy(), dtype=np.float64)
    apart = codes[: picked.height] != codes[picked.height :]
    return Preferences(
        candidates,
        codes[: picked.height][apart],
        codes[picked.height :][apart],
        outcome[apart],
        rater[apart],
        item[apart],
    )


def _check_excluded(names: Sequence[str], rater: pl.Series, source: TableSource) -> None:
    unknown = sorted(set(names) - set(rater.unique().drop_nulls().to_list()))
    if unknown:
        known = ", ".join(sorted(rater.unique().drop_nulls().to_list())[:30])
        problem = f"no rater is called {unknown[0]!r}"
        raise InputError(problem, source=source.name, field="exclude", remedy=f"Raters are: {known}.")


def _coded(names: pl.Series) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names in order of first appearance, and the place of each entry."""
    distinct = names.unique(maintain_order=True)
    codes = names.cast(pl.Enum(distinct)).to_physical().to_numpy().astype(np.int64)
    return tuple(distinct.to_list()), codes


def _first_of_each(
    unit: NDArray[np.int64], rater: NDArray[np.int64], run: NDArray[np.int64] | None, raters: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The place of the first rating of each unit by each rater, in file order, and the places of the others."""
    key = unit * raters + rater
    order = np.argsort(key, kind="stable") if run is None else np.lexsort((run, key))
    leading = np.ones(key.size, dtype=np.bool_)
    leading[1:] = key[order][1:] != key[order][:-1]
    return np.sort(order[leading]), np.sort(order[~leading])


def _judge_marks(
    raters: Sequence[str],
    picked: pl.DataFrame,
    rater_code: NDArray[np.int64],
    columns: PanelColumns,
    source: TableSource,
) -> NDArray[np.bool_]:
    """Which raters are judges: as named, by the column that says so, or by their names."""
    if columns.humans or columns.judges:
        unknown = sorted({*columns.humans, *columns.judges} - set(raters))
        if unknown and columns.layout != "wide":
            field = "judges" if unknown[0] in columns.judges else "humans"
            remedy = f"Raters are: {', '.join(raters[:30])}."
            raise InputError(f"no rater is called {unknown[0]!r}", source=source.name, field=field, remedy=remedy)
        if columns.judges and columns.humans:
            both = sorted(set(columns.humans) & set(columns.judges))
            if both:
                raise InputError(f"{both[0]!r} is named twice", field="judges", remedy="Name each rater once.")
            return np.array([name in columns.judges for name in raters])
        if columns.judges:
            return np.array([name in columns.judges for name in raters])
        return np.array([name not in columns.humans for name in raters])
    if "kind" in picked.columns:
        says = text_column(picked, "kind").fill_null("").str.strip_chars().str.to_lowercase()
        machine = says.is_in(list(JUDGE_WORDS)).to_numpy()
        return np.bincount(rater_code, machine, minlength=len(raters)) > 0
    return np.array([is_judge(name) for name in raters])


def _notices(columns: PanelColumns, raters: Sequence[str], judges: NDArray[np.bool_]) -> tuple[str, ...]:
    """What was guessed, so that a reader can object."""
    notices = []
    empty = [name for name in (*columns.humans, *columns.judges) if columns.layout == "wide" and name not in raters]
    if empty:
        notices.append(f"No rating by {', '.join(empty)}: the column is empty.")
    roles = [f"{role} = {name}" for role, name in columns.single().items() if role in columns.guessed]
    if roles:
        notices.append(f"Columns guessed by name: {', '.join(roles)}.")
    if columns.unused:
        names, verb = ", ".join(columns.unused), "looks" if len(columns.unused) == 1 else "look"
        notices.append(f"Not used: {names}, which {verb} like ratings. Name the people and the judges to include them.")
    named = bool(columns.humans or columns.judges) and "humans" not in columns.guessed
    if not named and columns.kind is None and len(raters) <= 50:
        people = [name for name, judge in zip(raters, judges, strict=True) if not judge]
        machines = [name for name, judge in zip(raters, judges, strict=True) if judge]
        notices.append(
            f"Guessed by name: people are {', '.join(people) or 'none'}; judges are {', '.join(machines) or 'none'}."
        )
    return tuple(notices)


def _cautions(columns: PanelColumns) -> tuple[str, ...]:
    """Guesses that decide the answer."""
    if not columns.presumed:
        return ()
    names, verb = ", ".join(columns.presumed), "is" if len(columns.presumed) == 1 else "are"
    return (f"{names} {verb} taken for people only because no name of a model is in theirs; name them to be sure.",)


def _about_items(
    picked: pl.DataFrame, item_code: NDArray[np.int64], items: int, columns: PanelColumns, source: TableSource
) -> dict[str, Any]:
    """What is said of an item, taken from its first rating."""
    example = np.zeros(items, dtype=np.int64)
    example[item_code[::-1]] = np.arange(item_code.size)[::-1]
    about: dict[str, Any] = {}
    for role, argument in (("length", "length"), ("weight", "item_weight")):
        if role in picked.columns:
            numbers = number_column(picked, role, source=source.name, field=role, first_row=source.first_row)
            about[argument] = numbers[example]
    weights = about.get("item_weight")
    if isinstance(weights, np.ndarray) and not (np.isfinite(weights) & (weights >= 0)).all():
        remedy = "Give every item a weight of 0 or more."
        raise InputError("an item has no weight, or one below 0", source=source.name, field="weight", remedy=remedy)
    for role, argument in (("text", "texts"), ("author", "author")):
        if role in picked.columns:
            about[argument] = text_column(picked, role).fill_null("").gather(example).to_list()
    groups = {}
    for name in columns.groups:
        levels, codes = _coded(text_column(picked, f"group {name}").fill_null("no information"))
        groups[name] = (levels, codes[example])
    return {**about, "groups": groups}


def _families(picked: pl.DataFrame, rater_code: NDArray[np.int64], raters: Sequence[str]) -> dict[str, str]:
    if "family" not in picked.columns:
        return {}
    names = text_column(picked, "family").fill_null("").to_list()
    families: dict[str, str] = {}
    for code, family in zip(rater_code.tolist(), names, strict=True):
        if family:
            families.setdefault(raters[code], family)
    return families


def _times(picked: pl.DataFrame, first: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """When each rating was given, as a number that grows: of numbers, dates, or text that sorts as ISO dates do."""
    if "time" not in picked.columns:
        return None
    cells = picked.get_column("time")
    if cells.dtype.is_temporal():
        cells = cells.to_physical()
    numbers = cells.cast(pl.Float64, strict=False)
    if numbers.null_count() > cells.null_count():
        numbers = text_column(picked, "time").rank("dense").cast(pl.Float64)
    return np.asarray(numbers.to_numpy(), dtype=np.float64)[first]
