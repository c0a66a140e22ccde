"""What the sections of an evaluation report ask an evaluation, in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.evaluation.ratings import NO_INFO
from assay.evaluation.result import Evaluation, GroupFigures, Grouping, PairFigures
from assay.evaluation.thresholds import THRESHOLDS, Judgement, Verdict
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.document.phrases import shortened

FORM_WORDS = {
    "raw": "as it is",
    "raw_trim": "trimmed to the scale",
    "raw_trim_round": "trimmed and rounded",
    "scale": "scaled",
    "scale_trim": "scaled, trimmed",
    "scale_trim_round": "scaled, trimmed and rounded",
}


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
    plan = evaluation.plan
    trimmed = evaluation.forms[plan.trimmed].metrics
    rounded = evaluation.forms[plan.rounded].metrics if plan.rounded else {}
    found = {name: rounded.get(name) if metric.on_points else trimmed[name] for name, metric in PAIR_METRICS.items()}
    return {name: estimate for name, estimate in found.items() if estimate is not None}


def judgements(evaluation: Evaluation) -> dict[str, Judgement]:
    """The judgements that mean something.

    Agreement in per cent of unrounded scores is near 0 by construction, and a single group cannot differ from
    everyone: neither is held against its threshold.
    """
    found = {judgement.name: judgement for judgement in evaluation.judgements}
    left_out = set()
    if evaluation.plan.rounded is None:
        left_out |= {name for name, metric in PAIR_METRICS.items() if metric.on_points}
    if not any(len(grouping.groups) > 1 for grouping in evaluation.groupings):
        left_out.add("largest_dsm")
    return {name: judgement for name, judgement in found.items() if name not in left_out}


def shifts(evaluation: Evaluation, groupings: Sequence[Grouping] | None = None) -> tuple[GroupShift, ...]:
    """Every group that may be shown and can be compared with others, the most shifted first."""
    form = evaluation.plan.trimmed
    limit = THRESHOLDS["largest_dsm"]
    found = [
        GroupShift(grouping.column, group, dsm, limit.verdict(dsm))
        for grouping in (evaluation.groupings if groupings is None else groupings)
        if len(grouping.groups) > 1
        for group in grouping.groups
        if group.shown
        for dsm in (group.system[form].metrics["dsm"],)
    ]
    return tuple(sorted(found, key=lambda s: (not s.dsm.defined, -abs(s.dsm.value) if s.dsm.defined else 0)))


def main_figures(evaluation: Evaluation) -> PairFigures:
    """Human against the real-valued form that decides."""
    return evaluation.forms[evaluation.plan.trimmed]


def form_words(form: str) -> str:
    """A form of the system score in words."""
    return FORM_WORDS.get(form, form)


def weighted(evaluation: Evaluation) -> bool:
    """Whether responses had weights other than 1."""
    blocks = evaluation.blocks[evaluation.plan.trimmed]
    return bool((blocks.weight != blocks.n).any())


def group_name(name: str) -> str:
    """The group as the reader knows it."""
    return "no information" if name == NO_INFO else name


def on_form(evaluation: Evaluation, by_form: Mapping[str, Mapping[str, Estimate]], name: str) -> Estimate:
    """The figure of that name on the form it is meant for."""
    plan = evaluation.plan
    form = plan.rounded if plan.rounded and PAIR_METRICS[name].on_points else plan.trimmed
    return by_form[form][name]
