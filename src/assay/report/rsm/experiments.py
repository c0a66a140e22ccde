"""What the reports on several experiments have in common: their figures side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from assay.evaluation.result import Evaluation
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.document.document import Block, Note, Section
from assay.report.document.metric_words import METRIC_WORDS, shown, target, verdict
from assay.report.document.values import INTEGER, PLAIN, Code, Column, FormattedEstimate, Number, Row, Table, columns_of
from assay.report.document.wording import counted, number_word, sentence
from assay.rsm.stored import StoredExperiment

MOST_DIFFERENCES = 4
"""With more experiments than this the differences would fill the page: they are left to the reader."""
MOST_DRAWN = 40
MOST_KEY_FIGURES = 6
FIGURES = ("qwk", "r", "smd", "rmse", "exact_agreement", "adjacent_agreement")

EVAL_WORDS = {
    "N": "Responses",
    "h_mean": "Human mean",
    "h_sd": "Human SD",
    "sys_mean": "System mean",
    "sys_sd": "System SD",
    "corr": "Pearson r",
    "wtkappa": "QWK",
    "kappa": "Cohen’s kappa",
    "exact_agr": "Exact agreement, %",
    "adj_agr": "Exact or adjacent agreement, %",
    "SMD": "SMD",
    "DSM": "DSM",
    "R2": "R²",
    "RMSE": "RMSE",
    "N responses": "Training responses",
    "N features": "Features",
    "R2_adjusted": "R², adjusted",
    "h1_mean": "First human mean",
    "h1_sd": "First human SD",
    "h2_mean": "Second human mean",
    "h2_sd": "Second human SD",
}


Values = Callable[[StoredExperiment], dict[str, float]]
"""What is read from an experiment: figures by name, empty where it has none."""


@dataclass(frozen=True, eq=False, slots=True)
class EvaluatedExperiment:
    """An experiment and its evaluation anew; None when its scores are not there."""

    stored: StoredExperiment
    evaluation: Evaluation | None

    @property
    def name(self) -> str:
        return self.stored.name

    def figure(self, name: str) -> Estimate:
        """A headline figure with its interval."""
        missing = FormattedEstimate(nan, reason="the experiment holds no scores")
        return missing if self.evaluation is None else self.evaluation.figures().get(name, missing)


def experiments_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """Which experiments there are."""
    columns = columns_of(
        "Experiment", "Made by", "Model", "Score that counts", ("Responses evaluated", INTEGER), "Description"
    )
    rows: tuple[Row, ...] = tuple(
        (
            part.name,
            (Code(part.stored.tool),),
            str(part.stored.settings.get("model") or "none: an evaluation"),
            "scaled" if part.stored.scaled else "raw",
            None if part.evaluation is None else part.evaluation.n,
            part.stored.description,
        )
        for part in experiments
    )
    blocks: list[Block] = [Table("experiments", "Experiments", columns, rows)]
    without = [part.name for part in experiments if part.evaluation is None]
    if without:
        words = f"{', '.join(without)}: no scores are stored, so nothing is given with an interval."
        blocks.append(Note(words, "caution"))
    return Section("Experiments", tuple(blocks))


def qwk_plot(experiments: Sequence[EvaluatedExperiment]) -> IntervalPlot:
    """The agreement of every experiment with people."""
    met = [part for part in experiments if (verdict("qwk", part.figure("qwk")) or "").startswith("met")]
    who = "all" if len(met) == len(experiments) else number_word(len(met))
    says = sentence(f"{who} of {number_word(len(experiments))} experiments reach a QWK of at least 0.70")
    shape = f"{counted(len(experiments), 'experiment')}, each with its interval."
    rows = [(e.name, e.figure("qwk"), e.evaluation.n if e.evaluation else None) for e in experiments[:MOST_DRAWN]]
    return agreement_plot("experiment", "Agreement with human scores", says, shape, rows)


def agreement_plot(
    what: str, title: str, says: str, shape: str, rows: Sequence[tuple[str, Estimate, int | None]]
) -> IntervalPlot:
    """The QWK of each experiment or fold with its interval."""
    return IntervalPlot(
        name=f"qwk_by_{what}",
        title=title,
        says=says,
        alt=f"{shape} {says}",
        rows=tuple(IntervalRow(label, (shown("qwk", qwk),), n) for label, qwk, n in rows),
        series=(Series("QWK"),),
        row_title=what.capitalize(),
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )


def figures_table(experiments: Sequence[EvaluatedExperiment]) -> Table:
    """Headline figures with intervals: a row per experiment."""
    columns = (Column("Experiment"), *(Column(METRIC_WORDS[name].title, "estimate") for name in FIGURES))
    rows: tuple[Row, ...] = tuple(
        (part.name, *(shown(name, part.figure(name)) for name in FIGURES)) for part in experiments
    )
    return Table("figures", "Figures with 95 % intervals", columns, rows)


def side_by_side(
    name: str,
    caption: str,
    experiments: Sequence[EvaluatedExperiment],
    values: Values,
    *,
    row_title: str = "Figure",
    words: Mapping[str, str] | None = None,
    number: Number = PLAIN,
    differences: bool = True,
) -> Table | None:
    """A row per figure, a column per experiment that has some, and the difference of each from the first of them.

    None when no experiment has any.
    """
    figures = {part.name: figures for part in experiments if (figures := values(part.stored))}
    keys = dict.fromkeys(key for part in figures.values() for key in part)
    if not keys:
        return None
    first, *others = figures
    others = others if differences and len(others) < MOST_DIFFERENCES else []
    signed = Number(number.decimals, signed=True, percent=number.percent)
    columns = columns_of(
        row_title,
        *(Column(name, "number", number, undefined="not in this experiment") for name in figures),
        *((f"{name} minus {first}", signed) for name in others),
    )
    rows: list[Row] = []
    for key in keys:
        whole = key == "N" or key.startswith("N ") or key in ("Responses", "Responses, rounded")
        cells = [FormattedEstimate(part.get(key, nan), number=INTEGER if whole else None) for part in figures.values()]
        apart = [figures[name].get(key, nan) - figures[first].get(key, nan) for name in others]
        number_apart = Number(0, signed=True) if whole else None
        less = (FormattedEstimate(value, number=number_apart) if isfinite(value) else None for value in apart)
        rows.append(((words or {}).get(key, key), *cells, *less))
    return Table(name, caption, columns, tuple(rows))


def one_row(table: str, row: str = "") -> Values:
    """A row of a table by column: the first, or one by its name, `{}` in it standing for the score that counts."""

    def values(experiment: StoredExperiment) -> dict[str, float]:
        named = experiment.tables.get(table)
        if named is None or not named.rows:
            return {}
        name = row.format(experiment.primary) or named.rows[0]
        return named.row(name) if name in named.rows else {}

    return values


def one_column(table: str, column: str) -> Values:
    """A column of a table, by row."""

    def values(experiment: StoredExperiment) -> dict[str, float]:
        named = experiment.tables.get(table)
        return {} if named is None or column not in named.columns else named.column(column)

    return values


def short_figures(experiment: StoredExperiment) -> dict[str, float]:
    """RSMTool's short evaluation, whichever score counts."""
    figures: dict[str, float] = {}
    for key, value in one_row("eval_short")(experiment).items():
        bare, _, variant = key.partition(".")
        label = EVAL_WORDS.get(bare, bare)
        figures[f"{label}, rounded" if variant.endswith("_round") else label] = value
    return figures
