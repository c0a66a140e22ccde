"""`Evaluation`: all numbers of one evaluation, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.evaluation.exclusions import Exclusions
from assay.evaluation.plan import Plan
from assay.evaluation.thresholds import THRESHOLDS, VERDICTS, Judgement
from assay.metrics.fairness import Fairness
from assay.metrics.intervals import Estimate
from assay.metrics.tally import PairTally

Estimates = Mapping[str, Estimate]

COMPARED = ("r", "kappa", "qwk", "exact_agreement", "adjacent_agreement", "smd")
"""The metrics for which human-system is held against human-human, as in RSMTool."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How one rater's scores lie."""

    mean: float
    sd: float
    min: float
    max: float


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two raters against each other: first the one judged by, then the one judged."""

    n: int
    first: Summary
    second: Summary
    metrics: Estimates


@dataclass(frozen=True, slots=True)
class TrueScore:
    """How well one form of the system score predicts the true score."""

    error_variance: Estimate
    true_variance: Estimate
    mse: Estimate
    prmse: Estimate


@dataclass(frozen=True, slots=True)
class Readings:
    """How many responses were read how often."""

    raters: int
    single: int
    multiple: int


@dataclass(frozen=True, slots=True)
class Disattenuated:
    """The correlation with the system, corrected for how well two raters agree."""

    human_system: float
    human_human: float
    corrected: Estimate


@dataclass(frozen=True, slots=True)
class Crossed:
    """How often each point of one rater met each point of the other: rows the first, columns the second."""

    points: tuple[float, ...]
    counts: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class PointShare:
    """How often people and system give one score point, in per cent."""

    point: float
    human: Estimate
    system: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class LevelError:
    """The error of the system on responses with one human score."""

    point: float
    n: int
    bias: Estimate
    rmse: Estimate


@dataclass(frozen=True, slots=True)
class CutDecision:
    """Pass or fail at a cut score, by raters and by the system."""

    cut: float
    human_pass: Estimate
    system_pass: Estimate
    accuracy: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """One group of responses."""

    name: str
    n: int
    shown: bool
    """False when the group is smaller than asked for: its figures exist, but are not to be shown."""
    system: Mapping[str, PairFigures]
    """By form; metrics include `dsm`."""
    raters: PairFigures | None
    disattenuated: Disattenuated | None
    joint: Estimates = field(default_factory=dict)
    """`qwk` and `dsm` with intervals that hold for all groups shown together; DSM is shrunken (decision 0486).

    Empty for a group that is not shown, or that has no other group beside it.
    """


@dataclass(frozen=True, slots=True)
class Grouping:
    """The groups of one column, and whether the error depends on them."""

    column: str
    groups: tuple[GroupFigures, ...]
    fairness: Fairness


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two human raters."""

    first: str
    second: str
    figures: PairFigures


@dataclass(frozen=True, eq=False, slots=True)
class Evaluation:
    """All numbers of one evaluation."""

    engine: str
    raters: tuple[str, ...]
    plan: Plan
    exclusions: Exclusions
    variants: Mapping[str, PairFigures] = field(metadata={"json": "forms"})
    """Human against each form of the system score."""
    further: Estimates
    """Further agreement of human and final system score: rank correlations, alpha, ICC and their kin."""
    consistency: PairFigures | None
    """The first two human raters."""
    rater_pairs: tuple[RaterPair, ...]
    reliability: Estimates
    """All human raters together."""
    readings: Readings
    true_score: Mapping[str, TrueScore]
    degradation: Mapping[str, Estimates]
    """By form: human-system minus human-human."""
    degradation_common: Mapping[str, Estimates]
    """The same for the forms that decide, both on the responses that the first two raters read."""
    disattenuated: Mapping[str, Disattenuated]
    crossed: Crossed | None
    crossed_raters: Crossed | None
    distribution: tuple[PointShare, ...]
    levels: tuple[LevelError, ...]
    cuts: tuple[CutDecision, ...]
    groupings: tuple[Grouping, ...]
    judgements: tuple[Judgement, ...]
    bootstrap_draws: int
    """How many bootstrap draws the intervals come from; 0 for the jackknife."""
    blocks: Mapping[str, PairTally]
    """The decisive forms per block of responses: with them two evaluations of the same responses compare."""

    @property
    def n(self) -> int:
        return self.exclusions.used

    def figures(self) -> dict[str, Estimate]:
        """Every headline figure by name: of the decisive forms by plain name, of every form as `form.name`."""
        plan = self.plan
        trimmed = self.variants[plan.trimmed].metrics
        rounded = self.variants[plan.rounded or plan.trimmed].metrics
        on_points = ("kappa", "linear_kappa", "exact_agreement", "adjacent_agreement")
        figures: dict[str, Estimate] = {"n": Estimate(float(self.n))}
        figures |= {name: (rounded if name in on_points else trimmed)[name] for name in trimmed}
        figures |= self.further
        if plan.trimmed in self.true_score:
            true_score = self.true_score[plan.trimmed]
            figures["prmse"] = true_score.prmse
            figures["rater_error_variance"] = true_score.error_variance
            figures["true_score_variance"] = true_score.true_variance
        people = {**(self.consistency.metrics if self.consistency else {}), **self.reliability}
        figures |= {f"human_{name}": value for name, value in people.items()}
        for head, by_form in (("degradation", self.degradation), ("degradation_common", self.degradation_common)):
            for name in by_form.get(plan.trimmed, {}):
                form = plan.rounded if name in on_points and plan.rounded else plan.trimmed
                figures[f"{head}_{name}"] = by_form[form][name]
        if plan.trimmed in self.disattenuated:
            figures["disattenuated_r"] = self.disattenuated[plan.trimmed].corrected
        worst = largest_group_difference(self)
        if worst is not None:
            figures["largest_dsm"] = worst[2]
        for form, pair in self.variants.items():
            figures |= {f"{form}.{name}": value for name, value in pair.metrics.items()}
        for column, group, dsm in _group_differences(self):
            figures[f"dsm[{column}={group}]"] = dsm
        return figures


def largest_group_difference(evaluation: Evaluation) -> tuple[str, str, Estimate] | None:
    """The group the system shifts most, as surely as can be said: column, group, joint DSM; None without groups.

    Groups are ordered by their verdict first: what is certain of a large group goes before what chance may do to a
    small one.
    """
    limit = THRESHOLDS["largest_dsm"]
    defined = [
        (grouping.column, group.name, group.joint["dsm"])
        for grouping in evaluation.groupings
        for group in grouping.groups
        if "dsm" in group.joint and group.joint["dsm"].defined
    ]
    return max(defined, key=lambda row: (VERDICTS.index(limit.verdict(row[2]) or "met"), abs(row[2])), default=None)


def _group_differences(evaluation: Evaluation) -> list[tuple[str, str, Estimate]]:
    return [
        (grouping.column, group.name, group.system[evaluation.plan.trimmed].metrics["dsm"])
        for grouping in evaluation.groupings
        for group in grouping.groups
        if group.shown
    ]
