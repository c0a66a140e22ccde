"""What the sections of an evaluation report ask an evaluation, and the tables several of them show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.evaluation.ratings import NO_INFO
from assay.evaluation.result import Estimates, Evaluation, GroupFigures, Grouping, PairFigures
from assay.evaluation.thresholds import THRESHOLDS, Judgement, Verdict
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import METRIC_WORDS, head, shown
from assay.report.document.values import Column, Row, Table
from assay.report.document.wording import shortened

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


def decisive(evaluation: Evaluation) -> dict[str, Estimate]:
    """Each pair metric on the form it is meant for. Without score points there is none for those that need them."""
    on_points = bool(evaluation.plan.rounded)
    by_form = {form: pair.metrics for form, pair in evaluation.variants.items()}
    names = [name for name, metric in PAIR_METRICS.items() if on_points or not metric.on_points]
    return {name: on_form(evaluation, by_form, name) for name in names}


def judgements(evaluation: Evaluation) -> dict[str, Judgement]:
    """The judgements that mean something.

    Agreement in per cent of unrounded scores is near 0 by construction, and a single group cannot differ from
    everyone: neither is held against its threshold.
    """
    left_out = set()
    if evaluation.plan.rounded is None:
        left_out |= {name for name, metric in PAIR_METRICS.items() if metric.on_points}
    if not any(len(grouping.groups) > 1 for grouping in evaluation.groupings):
        left_out.add("largest_dsm")
    return {judgement.name: judgement for judgement in evaluation.judgements if judgement.name not in left_out}


def shifts(evaluation: Evaluation, groupings: Sequence[Grouping] | None = None) -> tuple[GroupShift, ...]:
    """Every group that may be shown and can be compared with others, the most shifted first."""
    form, limit = evaluation.plan.trimmed, THRESHOLDS["largest_dsm"]
    compared = [
        GroupShift(grouping.column, group, dsm, limit.verdict(dsm))
        for grouping in (evaluation.groupings if groupings is None else groupings)
        if len(grouping.groups) > 1
        for group in grouping.groups
        if group.shown
        for dsm in (group.system[form].metrics["dsm"],)
    ]
    return tuple(sorted(compared, key=lambda s: (not s.dsm.defined, -abs(s.dsm.value) if s.dsm.defined else 0)))


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
