"""FRONT DOOR `panel`: ratings of people and judges -> may a judge replace a rater, and everything around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from assay.errors import Field, InputError
from assay.evaluation.plan import scale_from
from assay.evaluation.raters.corrections import CorrectionPlan
from assay.evaluation.raters.panel import Panel, panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.evaluation.thresholds import GateResult, check_gate, parse_gate
from assay.execution.observer import SILENT, Observer
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.panel_tables import panel_tables
from assay.io.results.result_json import panel_json
from assay.io.tables.panel_columns import panel_columns
from assay.io.tables.panel_table import LabelColumn, open_panel, read_panel
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.evaluation.results import FolderResult
from assay.workflows.evaluation.score_tables import Names, names_of, provenance_of
from assay.workflows.inputs import TableLike, table_of

if TYPE_CHECKING:
    import polars as pl

    from assay.report.document.document import Document

MOST_NEXT = 10_000


def panel(
    ratings: TableLike,
    *,
    humans: Names = (),
    judges: Names = (),
    item: str | None = None,
    rater: str | None = None,
    label: str | None = None,
    criterion: str | None = None,
    run: str | None = None,
    time: str | None = None,
    rater_kind: str | None = None,
    family: str | None = None,
    author: str | None = None,
    model_version: str | None = None,
    length: str | None = None,
    weight: str | None = None,
    text: str | None = None,
    groups: Names = (),
    first: str | None = None,
    second: str | None = None,
    winner: str | None = None,
    kind: str | None = None,
    levels: Names = (),
    scale: ScoreScale | str | None = None,
    exclude: Names = (),
    epsilon: float = 0.1,
    margin: float = 0.05,
    scoring: str | None = None,
    min_items: int = 30,
    within: float | None = None,
    pass_mark: float | None = None,
    next_items: int = 20,
    gate: Names = (),
    gate_ci: bool = False,
    seed: int = 0,
    observer: Observer = SILENT,
    source: str = "",
    command: str = "",
    provenance: Provenance | None = None,
) -> "PanelResult":
    """Say whether a judge may replace a rater, who agrees with whom, and where each judge errs.

    Parameters
    ----------
    ratings
        A table, as a path, a frame of pandas, Polars or pyarrow, or columns by name. Long: a row per rating, with
        columns for the item, the rater and the score or label. Wide: a row per item, a column per rater. Preferences: a
        row per comparison, with what was shown as A and as B, and the winner.
    humans, judges
        The raters who are people and those who are judges: columns of a wide table, names in a long one. Guessed from
        names, or read from `rater_kind`, without them.
    item, rater, label, criterion, run, time, rater_kind, family, author, model_version, length, weight, text, groups
        Columns of the table; guessed by name without them. `family` is the model family of a rater, `author` that of
        the model that wrote the item, `model_version` the version of the model that rated it, `rater_kind` says human
        or judge.
    first, second, winner
        Columns of a table of preferences: what was shown as A and as B, and which one won.
    kind, levels, scale
        What labels are: number, ordered, category or boolean; the words of an ordered scale from low to high; the
        scores a scale allows, `"1-5"`. Inferred without them.
    exclude
        Raters to leave out.
    epsilon, margin
        How much worse than a person a judge may be in the alternative annotator test, and by how much its agreement
        with people may fall short of people's agreement with each other.
    scoring
        `accuracy` or `neg_rmse`: what the alternative annotator test compares. By the kind of label without it.
    min_items
        People with fewer items are not tested.
    within
        How far a corrected mean may be off: the human labels that this takes are worked out.
    pass_mark
        The score from which on an item passes: pass rates are corrected, and groups compared by Mantel-Haenszel. Labels
        of yes and no need none.
    next_items
        How many items to label next are listed.
    gate, gate_ci
        Conditions such as `"gpt-4o.winning_rate>=0.5"`, and whether they must hold for the whole interval.
    seed
        Of the bootstrap behind the interval of the winning rate.
    observer, source, command, provenance
        Who hears of the work, what reports call the table, the command they show, and where the result comes from.

    Returns
    -------
    PanelResult

    Examples
    --------
    >>> table = {"item": range(40), "ann": [1, 2, 3, 4] * 10, "bob": [1, 2, 3, 3] * 10, "gpt": [1, 2, 4, 4] * 10}
    >>> result = panel(table, humans=["ann", "bob"], judges=["gpt"])
    >>> judge = result.panel.replacement.judges[0]
    >>> judge.name, round(judge.agreement, 2), round(judge.ceiling, 2)
    ('gpt', 0.87, 0.87)
    """
    check_arguments(panel, locals())
    gates = [parse_gate(one) for one in names_of(gate)]
    plan = _plan(epsilon, margin, scoring, min_items, seed)
    corrections = _corrections(within, pass_mark, next_items, seed)
    labels = LabelColumn(kind, names_of(levels), scale_from(scale or None), names_of(exclude))
    with observer.stage("read"):
        table = open_panel(table_of(ratings, "ratings"))
        roles = {"item": item, "rater": rater, "label": label, "criterion": criterion, "run": run, "time": time}
        roles |= {"kind": rater_kind, "family": family, "author": author, "length": length, "weight": weight}
        roles |= {"version": model_version}
        roles |= {"text": text, "first": first, "second": second, "winner": winner}
        columns = panel_columns(
            table, humans=names_of(humans), judges=names_of(judges), groups=names_of(groups), **roles
        )
        read = read_panel(table, columns, labels)
    observer.check()
    with observer.stage("figured"):
        answers = panel_of(read, plan, corrections)
    observer.check()
    inputs = {table.name: table.digest()} if table.parts else {}
    return PanelResult(
        panel=answers,
        provenance=provenance or provenance_of(inputs, seed, command),
        source=source or table.name,
        gates=tuple(check_gate(one, answers.figures(), whole_interval=gate_ci) for one in gates),
    )


def _plan(epsilon: float, margin: float, scoring: str | None, min_items: int, seed: int) -> ReplacementPlan:
    for name, value in (("epsilon", epsilon), ("margin", margin)):
        if not (isfinite(value) and 0 <= value < 1):
            problem = (Field(name), f" is a number from 0 to below 1, got {value:g}")
            raise InputError(problem, field=name)
    if min_items < 2:
        raise InputError((Field("min_items"), f" is 2 or more, got {min_items}"), field="min_items")
    match scoring:
        case None | "accuracy" | "neg_rmse":
            return ReplacementPlan(epsilon, margin, scoring, min_items, seed)
    raise InputError((Field("scoring"), f" is accuracy or neg_rmse, got {scoring!r}"), field="scoring")


def _corrections(within: float | None, pass_mark: float | None, next_items: int, seed: int) -> CorrectionPlan:
    if within is not None and not (isfinite(within) and within > 0):
        raise InputError((Field("within"), f" is a number above 0, got {within:g}"), field="within")
    if pass_mark is not None and not isfinite(pass_mark):
        raise InputError((Field("pass_mark"), f" is a score, got {pass_mark:g}"), field="pass_mark")
    if not 0 <= next_items <= MOST_NEXT:
        problem = f" is 0 to {MOST_NEXT:,}, got {next_items}"
        raise InputError((Field("next_items"), problem), field="next_items")
    return CorrectionPlan(within, pass_mark, next_items, seed)


@dataclass(frozen=True, eq=False, repr=False)
class PanelResult(FolderResult):
    """Judges beside people."""

    file = "panel.json"
    panel: Panel
    """All numbers."""
    provenance: Provenance
    source: str
    """What the table is called."""
    gates: tuple[GateResult, ...] = ()

    @property
    def figures(self) -> dict[str, Estimate]:
        """Every figure that a gate can name."""
        return self.panel.figures()

    @property
    def passed(self) -> bool:
        """Whether every gate was passed."""
        return all(gate.passed for gate in self.gates)

    def summary(self) -> list[tuple[str, str]]:
        """How many of what, and the verdict on each judge."""
        from assay.report.panel.first_screen import headline, judge_words  # noqa: PLC0415 - only when it is shown

        design = self.panel.design
        heading = (f"{len(design.people)} people and {len(design.judges)} judges", f"on {design.items} items")
        return [heading, ("Verdict", headline(self.panel)), *judge_words(self.panel)]

    def json(self) -> str:
        """panel.json."""
        return panel_json(self.panel, self.provenance, self.gates)

    def to_polars(self) -> "pl.DataFrame":
        """A row per judge."""
        import polars as pl  # noqa: PLC0415 - heavy

        table = self.tables().get("judges", PlainTable((), ()))
        rows: Sequence[Sequence[object]] = table.rows
        frame = pl.DataFrame(rows, schema=list(table.columns), orient="row", infer_schema_length=None)
        return frame.with_columns(pl.selectors.float().fill_nan(None))

    def tables(self) -> dict[str, PlainTable]:
        """Every table, by the name of its file."""
        return panel_tables(self.panel)

    def document(self) -> "Document":
        """The report before it has a format."""
        from assay.report.panel.report import panel_report  # noqa: PLC0415 - only when a report is asked for

        return panel_report(self.panel, source=self.source, provenance=self.provenance)
