"""`panel_of`: ratings of people and judges -> every answer of a panel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.evaluation.exclusions import Exclusions
from assay.evaluation.panels.design import LongRatings, linked_raters
from assay.evaluation.raters.agreement import RaterAgreement, agreement_of
from assay.evaluation.raters.calibrated import EquatedScale, JudgeCalibration, calibrations_of, equatings_of
from assay.evaluation.raters.corrections import (
    Corrected,
    CorrectionPlan,
    JudgeJury,
    NextItem,
    PassRate,
    corrected_means,
    items_next,
    jury_of,
    pass_rates,
)
from assay.evaluation.raters.group_bias import GroupBias, group_bias_of
from assay.evaluation.raters.judge_errors import Errors, errors_of
from assay.evaluation.raters.more_items import MoreItems, more_items_of
from assay.evaluation.raters.panel_ratings import Codes, Labels, Numbers, PanelRatings
from assay.evaluation.raters.rater_models import Models, models_of
from assay.evaluation.raters.replacement import JudgeReplacement, Replacement, ReplacementPlan, replacement_of
from assay.metrics.intervals import Estimate

CAUTION_SHARE = 0.05
"""A reason that leaves out more than this share of the ratings is said first."""


@dataclass(frozen=True, slots=True)
class Design:
    """How many of what."""

    items: int
    ratings: int
    people: tuple[str, ...]
    judges: tuple[str, ...]
    criteria: tuple[str, ...]
    items_by_people: Mapping[int, int]
    """How many items (or criteria of items) have no human rating, one, two, ..."""


@dataclass(frozen=True, slots=True)
class PanelUse:
    """Question 6 of a panel: what makes judges usable."""

    corrected: tuple[Corrected, ...]
    pass_rates: tuple[PassRate, ...]
    calibration: tuple[JudgeCalibration, ...]
    equating: tuple[EquatedScale, ...]
    jury: JudgeJury
    more_items: tuple[MoreItems, ...]
    """For each judge whose verdict is uncertain."""
    next_items: tuple[NextItem, ...]


@dataclass(frozen=True, eq=False, slots=True)
class PanelItems:
    """What is known of each item (or criterion of it); NaN where it is not."""

    names: tuple[str, ...]
    people: Codes
    """How many people rated it."""
    human_mean: Numbers
    judges: Codes
    judge_mean: Numbers


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything a panel says."""

    labels: Labels
    design: Design
    exclusions: Exclusions
    notices: tuple[str, ...]
    cautions: tuple[str, ...]
    plan: ReplacementPlan
    replacement: Replacement
    """With every rater."""
    agreement: RaterAgreement
    errors: Errors
    models: Models
    use: PanelUse
    group_bias: tuple[GroupBias, ...] = ()
    """Each judge and each group of items, at equal human scores."""
    items: PanelItems | None = field(default=None, metadata={"json": ""}, repr=False)
    without: Replacement | None = None
    """Without the people who agree with nobody, where there are such and two or more others."""
    families: Mapping[str, str] = field(default_factory=dict)

    def figures(self) -> dict[str, Estimate]:
        """Every figure that a gate can name."""
        figures: dict[str, Estimate] = {"people.agreement": self.replacement.ceiling}
        for judge in self.replacement.judges:
            figures |= {
                f"{judge.name}.agreement": judge.agreement,
                f"{judge.name}.difference": judge.difference,
                f"{judge.name}.winning_rate": judge.test.winning_rate,
                f"{judge.name}.advantage": judge.test.advantage,
                f"{judge.name}.exact": judge.exact,
            }
        for one in self.agreement.reliability:
            figures |= {f"{one.who}.{name}": figure for name, figure in one.figures.items()}
        for errors in self.errors.judges:
            figures |= {f"{errors.name}.severity": errors.severity, f"{errors.name}.spread": errors.spread}
            effects = ("halo", "length", "order", "own_family", "run_noise", "version_drift")
            figures |= {f"{errors.name}.{name}": getattr(errors, name) for name in effects}
        for rater in self.models.rasch.raters:
            figures[f"{rater.name}.rasch_severity"] = rater.severity
        return figures | self._preference_figures() | self._use_figures()

    def _preference_figures(self) -> dict[str, Estimate]:
        figures = {}
        for one in self.models.preferences:
            figures[f"{one.who}.first_wins"] = one.first_wins
            if one.with_people is not None:
                figures[f"{one.who}.same_preference"] = one.with_people.same
            if one.swaps is not None:
                figures[f"{one.who}.consistent_when_swapped"] = one.swaps.consistent
        return figures

    def _use_figures(self) -> dict[str, Estimate]:
        use, figures = self.use, {}
        for corrected in use.corrected:
            figures[f"{corrected.judge}.corrected_mean"] = corrected.mean
        for rate in use.pass_rates:
            figures |= {
                f"{rate.judge}.corrected_rate": rate.rate,
                f"{rate.judge}.sensitivity": rate.sensitivity,
                f"{rate.judge}.specificity": rate.specificity,
            }
        for calibration in use.calibration:
            best = next((m for m in calibration.methods if m.name == calibration.best), None)
            if best is not None and calibration.raw is not None:
                figures[f"{calibration.judge}.error"] = calibration.raw.error
                figures[f"{calibration.judge}.calibrated_error"] = best.error
                figures[f"{calibration.judge}.calibration_error"] = Estimate(best.calibration_error)
        if use.jury.members:
            figures |= {"jury.error": use.jury.error, "jury.gain": use.jury.gain}
        return figures


def panel_of(ratings: PanelRatings, plan: ReplacementPlan, corrections: CorrectionPlan | None = None) -> Panel:
    """Every answer."""
    corrections = corrections or CorrectionPlan(seed=plan.seed)
    replacement = replacement_of(ratings, plan)
    unrelated = [ratings.raters.index(person.name) for person in replacement.unrelated]
    enough = len(replacement.people) - len(unrelated) >= 2
    trusted = ratings.without(unrelated) if unrelated and enough else ratings
    without = replacement_of(trusted, plan) if unrelated and enough else None
    return Panel(
        labels=ratings.labels,
        design=design_of(ratings),
        exclusions=ratings.exclusions,
        notices=ratings.notices,
        cautions=cautions_of(ratings, replacement),
        plan=plan,
        replacement=replacement,
        agreement=agreement_of(ratings),
        errors=errors_of(ratings),
        models=models_of(ratings),
        use=use_of(trusted, without or replacement, plan, corrections),
        group_bias=group_bias_of(trusted, corrections.pass_mark),
        items=items_of(ratings),
        without=without,
        families=ratings.family,
    )


def use_of(ratings: PanelRatings, shown: Replacement, plan: ReplacementPlan, corrections: CorrectionPlan) -> PanelUse:
    """Question 6, without the people who agree with nobody."""
    return PanelUse(
        corrected_means(ratings, corrections),
        pass_rates(ratings, corrections),
        calibrations_of(ratings, plan.seed),
        equatings_of(ratings),
        jury_of(ratings, plan.seed),
        more_items_of(ratings, shown.judges, plan),
        items_next(ratings, corrections),
    )


def items_of(ratings: PanelRatings) -> PanelItems:
    """How many people and judges rated each item, and their means; no means for categories."""
    judged, size = ratings.judges[ratings.rater], ratings.unit_count
    sides = []
    for marked in (~judged, judged):
        count = np.bincount(ratings.unit[marked], minlength=size)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.bincount(ratings.unit[marked], ratings.value[marked], minlength=size) / count
        sides.append((count, mean if ratings.labels.ordered else np.full(size, np.nan)))
    criteria = ratings.criteria
    names = tuple(f"{i}, {c}" for i in ratings.items for c in criteria) if criteria else tuple(ratings.items)
    return PanelItems(names, *sides[0], *sides[1])


def design_of(ratings: PanelRatings) -> Design:
    """How many of what there is."""
    human = ~ratings.judges[ratings.rater]
    by_people = np.bincount(np.bincount(ratings.unit[human], minlength=ratings.unit_count)[np.unique(ratings.unit)])
    return Design(
        items=int(np.unique(ratings.item).size),
        ratings=len(ratings),
        people=tuple(ratings.raters[p] for p in ratings.people),
        judges=tuple(ratings.raters[j] for j in ratings.judge_numbers),
        criteria=ratings.criteria,
        items_by_people={number: int(count) for number, count in enumerate(by_people) if count},
    )


def cautions_of(ratings: PanelRatings, replacement: Replacement) -> tuple[str, ...]:
    """What a reader must know before the figures: much left out, few people, raters without anything in common."""
    cautions = list(ratings.cautions)
    read = max(ratings.exclusions.read, 1)
    for reason, count in ratings.exclusions.left_out.items():
        if count / read > CAUTION_SHARE:
            cautions.append(f"{count:,} of {read:,} ratings ({count / read:.0%}) are left out: {reason}.")
    people = len(replacement.people)
    if people == 0:
        cautions.append("There are no human ratings: nothing says whether a judge is right.")
    elif people == 1:
        cautions.append("There is one human rater: how well people agree with each other is unknown.")
    elif people == 2:
        cautions.append("There are two human raters; the alternative annotator test is meant for three or more.")
    cautions += _alone(replacement.judges)
    return (*cautions, *_thin(ratings))


def _thin(ratings: PanelRatings) -> list[str]:
    """Designs that leave little to see: one item, equal ratings, single ratings, raters who share nothing."""
    cautions = []
    if np.unique(ratings.item).size == 1:
        cautions.append("There is one item: no interval and no verdict can be given.")
    if np.ptp(ratings.value) == 0 and len(ratings) > 1:
        tied = ratings.preferences is not None and bool((ratings.preferences.outcome == 0.5).all())
        what = "Every comparison is a tie" if tied else "All ratings are equal"
        cautions.append(f"{what}: nothing tells a good rater from a bad one.")
    single = [ratings.raters[r] for r in np.flatnonzero(ratings.counts == 1)]
    if single and np.unique(ratings.item).size > 1:
        names = f"{', '.join(single[:5])}{' and others' if len(single) > 5 else ''}"
        noun = "rater" if len(single) == 1 else "raters"
        cautions.append(f"{len(single):,} {noun} gave one rating ({names}): nothing can be said of them.")
    groups = linked_raters(LongRatings.of_long(ratings.item, ratings.rater, ratings.value))
    parts = int(groups.max()) + 1
    if parts > 1:
        cautions.append(
            f"The raters form {parts:,} groups that share no item: raters of different groups cannot be compared."
        )
    return cautions


def _alone(judges: Sequence[JudgeReplacement]) -> list[str]:
    return [f"{judge.name} has no item in common with people." for judge in judges if not judge.pairs]
