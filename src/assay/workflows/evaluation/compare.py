"""FRONT DOOR `compare`: engines on the same responses -> every difference with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from assay.errors import Field, InputError
from assay.evaluation.compare import Contender, compare_engines
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import read_contender
from assay.io.tables.ratings_table import ScoreColumns
from assay.io.tables.tables import file_digest
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.evaluation import score_tables
from assay.workflows.evaluation.results import ComparisonResult, EvaluationResult
from assay.workflows.inputs import TableLike, table_of


def compare(
    tables: TableLike,
    *,
    system: score_tables.Names = (),
    human: str | None = None,
    id: str | None = None,
    scale: ScoreScale | str | None = None,
    weights: str | None = None,
    candidate: str | None = None,
    flag: Sequence[str] | Mapping[str, score_tables.Names] = (),
    keep_zeros: bool | None = None,
    intervals: str = "jackknife",
    seed: int = 0,
    observer: Observer = SILENT,
    command: str = "",
    provenance: Provenance | None = None,
) -> ComparisonResult:
    """Compare engines on the same responses.

    Parameters
    ----------
    tables
        A table with a row per response, as `evaluate` takes it; or two or more evaluations, each as an
        `EvaluationResult` or the path of its evaluation.json.
    system, human
        For a table: the columns with the engines' scores, two or more, and the one with the human score.
    id, scale, weights, candidate, flag, keep_zeros, intervals, seed
        As for `evaluate`.
    observer, command, provenance
        Who hears of the work, the command that reports show, and where the result comes from, if not made here.

    Returns
    -------
    ComparisonResult

    Examples
    --------
    >>> table = {"h": [1, 2, 3, 4, 3, 2], "a": [1, 2, 4, 4, 3, 3], "b": [2, 2, 2, 3, 3, 1]}
    >>> result = compare(table, human="h", system=["a", "b"], scale="1-4")
    >>> result.comparison.engines, len(result.to_polars())
    (('a', 'b'), 11)
    """
    resampling = score_tables.resampling_of(intervals, seed)
    engines = score_tables.names_of(system)
    with observer.stage("read"):
        if engines:
            flags, (table_given, human) = score_tables.flags_of(flag), _one_table(tables, human)
            columns = ScoreColumns((human,), engines, id=id, weights=weights, candidate=candidate, flags=flags)
            table = score_tables.open_scores(table_of(table_given, "tables"), columns)
            contenders, inputs = (
                score_tables.contenders_of(table, engines, scale, keep_zeros),
                score_tables.digests_of(table),
            )
        else:
            contenders, inputs = _of_evaluations(tables)
    observer.check()
    comparison = compare_engines(contenders, by_candidate=candidate is not None, resampling=resampling)
    return ComparisonResult(comparison, provenance or score_tables.provenance_of(inputs, seed, command))


_EITHER = (
    "Give two or more evaluations, or one table with ", Field("human"), " and two or more columns as ",
    Field("system"), ".",
)  # fmt: skip


def _one_table(tables: TableLike, human: str | None) -> tuple[TableLike, str]:
    rows = isinstance(tables, Sequence) and bool(tables) and all(isinstance(row, Mapping) for row in tables)
    several = isinstance(tables, Sequence) and not isinstance(tables, str) and not rows
    if several and len(tables) == 1:
        (tables,), several = tables, False
    if several or human is None:
        field = "human" if human is None else "tables"
        raise InputError("columns are compared in one table, with one human score", field=field, remedy=_EITHER)
    return tables, human


def _of_evaluations(tables: TableLike) -> tuple[list[Contender], dict[str, str]]:
    if not isinstance(tables, Sequence) or isinstance(tables, str) or len(tables) < 2:
        raise InputError("a comparison needs two or more engines", field="system", remedy=_EITHER)
    contenders = [_contender(one) for one in tables]
    names = [contender.name for contender in contenders]
    for number, one in enumerate(tables):
        if names.count(names[number]) > 1 and isinstance(one, str | PathLike):
            path = Path(one)
            name = f"{names[number]} ({path.parent.name or path.name})"
            contenders[number] = replace(contenders[number], name=name)
    return contenders, {str(one): file_digest(Path(one)) for one in tables if isinstance(one, str | PathLike)}


def _contender(one: object) -> Contender:
    if isinstance(one, EvaluationResult):
        blocks = list(one.evaluation.blocks.values())
        return Contender(one.evaluation.engine, blocks[0], blocks[-1])
    if isinstance(one, str | PathLike):
        return read_contender(Path(one))
    problem = (Field("tables"), f" holds a value of type {type(one).__name__}")
    raise InputError(problem, field="tables", remedy=_EITHER)
