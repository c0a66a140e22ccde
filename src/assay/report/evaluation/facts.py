"""What the sections of an evaluation report ask an evaluation, and the tables several of them show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.evaluation.ratings import NO_INFO
from assay.evaluation.result import Estimates, Evaluation, GroupFigures, Grouping, PairFigures
from assay.evaluation.thresholds import THRESHOLDS, VERDICTS, Judgement, Verdict
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import METRIC_WORDS, head, shown
from assay.report.document.values import Column, Row, Table
from assay.report.document.wording import natural_order, shortened

FIGURE_COLUMNS = (Column("Figure"), Column("Value", "number"), Column("95 % interval", "interval"))


@dataclass(frozen=True, slots=True)
class GroupShift:
    """A group, how far the system shifts it, and whether that is too far."""

    column: str
    group: GroupFigures
    dsm: Estimate
    verdict: Verdict | None

    @property
    def name(self) -> str:
        return shortened(group_name(self.group.name))


def in_reading_order(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with its groups in the order people list them in."""
    groupings = (
        replace(grouping, groups=tuple(sorted(grouping.groups, key=lambda group: natural_order(group.name))))
        for grouping in evaluation.groupings
    )
    return replace(evaluation, groupings=tuple(groupings))


def decisive(evaluation: Evaluation) -> dict[str, Estimate]:
    """Each pair metric on the form it is meant for."""
    by_form = {form: pair.metrics for form, pair in evaluation.variants.items()}
    return {name: on_form(evaluation, by_form, name) for name in PAIR_METRICS}


def judgements(evaluation: Evaluation) -> dict[str, Judgement]:
    """The figures that are held against a threshold, by name: the same on every page, on the terminal and in files."""
    return {judgement.name: judgement for judgement in evaluation.judgements}


def shifts(evaluation: Evaluation, groupings: Sequence[Grouping] | None = None) -> tuple[GroupShift, ...]:
    """Every group that may be shown and can be compared with others, the most shifted first."""
    limit = THRESHOLDS["largest_dsm"]
    compared = [
        GroupShift(grouping.column, group, dsm, limit.verdict(dsm))
        for grouping in (evaluation.groupings if groupings is None else groupings)
        for group in grouping.groups
        for dsm in ([group.joint["dsm"]] if "dsm" in group.joint else [])
    ]
    return tuple(sorted(compared, key=lambda s: (-VERDICTS.index(s.verdict), -abs(s.dsm)) if s.verdict else (1, 0.0)))


def main_figures(evaluation: Evaluation) -> PairFigures:
    """Human against the real-valued form that decides."""
    return evaluation.variants[evaluation.plan.trimmed]


def weighted(evaluation: Evaluation) -> bool:
    """Whether responses had weights other than 1."""
    blocks = evaluation.blocks[evaluation.plan.trimmed]
    return bool((blocks.weight != blocks.n).any())


def group_name(name: str) -> str:
    """The group as the reader knows it."""
    return "no information" if name == NO_INFO else name


def on_form(evaluation: Evaluation, by_form: Mapping[str, Estimates], name: str) -> Estimate:
    """The figure of that name on the form it is meant for."""
    plan = evaluation.plan
    form = plan.rounded if plan.rounded and PAIR_METRICS[name].on_points else plan.trimmed
    return by_form[form][name]


def metric_columns(names: Iterable[str]) -> list[Column]:
    """A column for each figure, value and interval in one cell."""
    return [Column(head(name), "estimate", METRIC_WORDS[name].number, name=name) for name in names]


def explained_table(name: str, caption: str, figures: Estimates) -> Table:
    """A row for each figure, with what it says."""
    rows: list[Row] = []
    for figure, words in METRIC_WORDS.items():
        if figure in figures:
            estimate = shown(figure, figures[figure])
            rows.append((words.title, estimate, estimate, words.says))
    return Table(name, caption, (*FIGURE_COLUMNS, Column("What it says")), tuple(rows))
