"""Stored experiments evaluated anew from their scores, and compared on the responses they share."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from assay.evaluation.compare import Comparison, Contender, Difference, compare_engines
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.metrics.intervals import Estimate
from assay.rsm.stored import StoredExperiment, StoredScores
from assay.scale import ScoreScale

ROUNDING = 1e-9


def evaluate_stored(experiment: StoredExperiment, *, groups: Sequence[str] | None = None) -> Evaluation | None:
    """Every figure of a stored experiment with its interval; None when its scores or their scale are not there.

    `groups` names the subgroup columns that count; None: all of the experiment.
    """
    scores = experiment.scores
    low, high, tolerance = experiment.trimming()
    system = scores.forms.get(experiment.primary) if scores is not None else None
    if scores is None or system is None or isnan(low) or isnan(high) or not low < high:
        return None
    human = scores.human[:, None] if scores.second is None else np.column_stack([scores.human, scores.second])
    columns = [name for name in scores.groups if groups is None or name in groups]
    ratings = Ratings(
        human=human,
        system=system,
        groups=tuple(GroupColumn.of(name, scores.groups[name].tolist()) for name in columns),
    )
    variance = experiment.settings.get("rater_error_variance")
    plan = Plan(
        scale=ScoreScale(low, high),
        trim_tolerance=tolerance,
        leave_out_zeros=bool(experiment.settings.get("exclude_zero_scores", True)),
        error_variance=None if variance is None else float(variance),
        base=experiment.primary,
    )
    raters = ("first human score", "second human score")[: human.shape[1]]
    return evaluate_engine(ratings, plan, engine=experiment.name, raters=raters)


def compare_stored(experiments: Sequence[StoredExperiment]) -> tuple[Comparison | None, int]:
    """Experiments on the responses that all of them scored, and how many these are.

    Without any in common each is taken on its own responses. None when an experiment has no scores to compare.
    """
    if len(experiments) < 2 or any(experiment.scores is None for experiment in experiments):
        return None, 0
    shared = set.intersection(*(set(e.scores.ids) for e in experiments if e.scores is not None))
    common = [_on(experiment, shared) for experiment in experiments] if shared else list(experiments)
    contenders = []
    for experiment in common:
        evaluation = evaluate_stored(experiment, groups=())
        if evaluation is None or evaluation.plan.rounded is None:
            return None, 0
        blocks = evaluation.blocks
        contenders.append(Contender(experiment.name, blocks[evaluation.plan.trimmed], blocks[evaluation.plan.rounded]))
    comparison = compare_engines(contenders)
    return replace(comparison, differences=tuple(map(_without_noise, comparison.differences))), len(shared)


def _without_noise(difference: Difference) -> Difference:
    """No difference, where two programs merely round differently: such a one would look certain."""
    e = difference.estimate
    if not abs(e.value) < ROUNDING:
        return difference
    return replace(difference, estimate=Estimate(0.0, 0.0, 0.0, e.reason), p=1.0, p_adjusted=1.0)


def _on(experiment: StoredExperiment, shared: set[str]) -> StoredExperiment:
    """The experiment on some responses, in the order of their ids: so those of two experiments face each other."""
    scores = experiment.scores
    assert scores is not None
    chosen = sorted((i for i, identity in enumerate(scores.ids) if identity in shared), key=lambda i: scores.ids[i])
    shared_scores = StoredScores(
        ids=scores.ids[chosen],
        human=scores.human[chosen],
        second=None if scores.second is None else scores.second[chosen],
        forms={form: values[chosen] for form, values in scores.forms.items()},
        groups={name: values[chosen] for name, values in scores.groups.items()},
    )
    return replace(experiment, scores=shared_scores)
