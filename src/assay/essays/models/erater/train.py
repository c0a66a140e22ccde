"""FRONT DOOR `train_model`: features and human scores of essays -> an `EssayModel`.

`refit_model`: a model moved towards what teachers said: a new revision from scores that replace the model's own.

The paper refits from scratch; a teacher has a few dozen overrides and no training essays. So the old equation is kept
as what is believed before, worth a number of essays, and the new scores pull at it (ours, decision 0207).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from assay.errors import Field, InputError, go_on
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.cutoffs import cutoff_rule
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.erater.common_scale import fit_common_scale
from assay.essays.models.erater.equation import Equation, fit_equation
from assay.essays.models.erater.model import (
    KIND_FEATURES,
    EssayModel,
    Grouping,
    TrainingPlan,
)
from assay.essays.models.erater.v1_equation import TYPICAL_FEATURES, V1_FEATURES, v1_equation
from assay.essays.models.erater.v1_measures import v1_training_values
from assay.essays.models.erater.weights import BENDS, check_shares
from assay.essays.models.feature_table import EssayFeatures, model_values
from assay.essays.models.resolution import HumanScores, check_levels, check_on_scale, observed_scale
from assay.essays.models.scoring_model import TrainingSummary
from assay.scale import ScoreScale

LEAST_PER_FEATURE = 5
"""Essays that each weight to be estimated needs; the paper used 265 essays and more for about 12 features."""
FEW_ESSAYS = 250
"""Below this many training essays a model says that it has seen few."""


def train_model(
    table: EssayFeatures,
    plan: TrainingPlan | None = None,
    *,
    scale: ScoreScale | None = None,
    version: str = "",
    check: Callable[[], None] = go_on,
) -> EssayModel:
    """A model from essays that people scored.

    `scale` is the observed one unless given. Essays without a human score, without a resolved score or without words
    are left out and counted. Kinds `specific` and `v1` make an equation for each prompt, v1 from some 50 features with
    half points as cutoffs; a table with programs, one for each program; else there is one for all. `check` is called
    before each equation and each prompt: it raises Cancelled where the model is no longer asked for.
    """
    plan = plan or TrainingPlan()
    if plan.kind != "v1" and plan.kind not in KIND_FEATURES:
        choices = f"Choose one of: {', '.join(KIND_FEATURES)}, v1."
        raise InputError(f"no model is called {plan.kind!r}", field="kind", remedy=choices)
    names = V1_FEATURES if plan.kind == "v1" else KIND_FEATURES[plan.kind]
    used, left_out = trainable(table, scale)
    own_scale = scale or observed_scale(used.human.resolved())
    resolved = used.human.resolved(own_scale.step)
    check_on_scale(resolved, own_scale)
    check_levels(resolved)
    grouping: Grouping = "prompt" if plan.kind in ("specific", "v1") else "program" if used.programs else "all"
    keys = np.array({"prompt": used.prompts, "program": used.programs, "all": ("",) * len(used)}[grouping])
    groups = {key: np.flatnonzero(keys == key) for key in sorted(set(keys.tolist()))}
    common = None
    if plan.kind == "v1":
        plan = replace(TrainingPlan.paper("v1"), cutoffs="rounding")
        _check_enough(groups, TYPICAL_FEATURES)
        values, content = v1_training_values(used, resolved)
        equations = {group: v1_equation(values[rows], resolved[rows], own_scale) for group, rows in groups.items()}
    else:
        values, content = _matrix(used, names, plan, resolved, check)
        equations = _equations(used, names, plan, values, resolved, own_scale, groups, grouping, check)
        if grouping == "program" and len(equations) > 1:
            weights = {group: equation.weights for group, equation in equations.items()}
            common = fit_common_scale(values, resolved, used.programs, weights)
    rows = zip(used.essay_ids, used.human.average().tolist(), used.values.tolist(), strict=True)
    digest = sha256("\n".join(map(repr, rows)).encode()).hexdigest()
    prompts, notes = tuple(sorted(set(used.prompts))), _notes(equations, resolved, own_scale)
    return EssayModel(
        kind=plan.kind,
        scale=own_scale,
        features=names,
        shapes=tuple(plan.shapes.get(name, "as_measured") for name in names),
        grouping=grouping,
        equations=equations,
        vocabulary=plan.vocabulary,
        content=content,
        training=TrainingSummary(len(used), prompts, left_out, digest, plan.cutoffs, version, notes),
        common_scale=common,
    )


def _equations(
    used: EssayFeatures,
    names: Sequence[str],
    plan: TrainingPlan,
    values: Floats,
    resolved: Floats,
    scale: ScoreScale,
    groups: Mapping[str, Rows],
    grouping: Grouping,
    check: Callable[[], None],
) -> dict[str, Equation]:
    """The equation of each group of essays; InputError for too few essays, and for shares of features there are not."""
    bends = len(names) * len(BENDS) if plan.curved else 0
    _check_enough(groups, len(names) - len(plan.fixed) + bends, curved=plan.curved)
    if plan.curved and grouping == "program":
        problem = "a scale common to several programs needs straight features"
        raise InputError(problem, field="curves", remedy=("Leave out ", Field("curves"), " or ", Field("program"), "."))
    rule, fixed, average = cutoff_rule(plan.cutoffs), fixed_shares(names, plan.fixed), used.human.average()
    equations = {}
    for group, rows in groups.items():
        check()
        equations[group] = fit_equation(
            names,
            values[rows],
            average[rows],
            resolved[rows],
            scale=scale,
            fixed=fixed,
            cutoffs=rule,
            keep_wrong_signs=plan.keep_wrong_signs,
            ridge=plan.ridge,
            curved=plan.curved,
        )
    return equations


def fixed_shares(names: Sequence[str], fixed: Mapping[str, float]) -> dict[str, float]:
    """The shares that features of these names get; InputError where there is no such feature, or no such share."""
    own = {name: share for name, share in fixed.items() if name in names}
    left_out_anyway = {name for name, share in fixed.items() if name in FEATURES and share == 0}
    check_shares(names, {name: share for name, share in fixed.items() if name in own or name not in left_out_anyway})
    return own


def trainable(table: EssayFeatures, scale: ScoreScale | None = None) -> tuple[EssayFeatures, dict[str, int]]:
    """The essays a model can learn from, and how many of the others there are by reason."""
    step = scale.step if scale else 1.0
    first = np.isfinite(table.human.average())
    resolved = np.isfinite(table.human.resolved(step))
    written = ~np.isnan(
        table.columns([name for name in table.names if name not in prompt_vocabulary.VOCABULARY_FEATURES])
    ).all(axis=1)
    if "length" in table.position:
        written &= table.column("length") > 0
    left_out = {
        "no human score": int((~first).sum()),
        "two scores more than a point apart and no third": int((first & ~resolved).sum()),
        "no words": int((first & resolved & ~written).sum()),
    }
    rows = np.flatnonzero(first & resolved & written)
    if not len(rows):
        problem = "no essay has both words and a human score"
        remedy = ("Check the columns named with ", Field("text"), " and ", Field("score"), ".")
        raise InputError(problem, field="score", remedy=remedy)
    return table.at(rows), {reason: count for reason, count in left_out.items() if count}


def check_scores(human: HumanScores, scale: ScoreScale | None = None) -> None:
    """InputError where no model can be trained on these human scores, whatever the essays: asked before they are read.

    Without scores at all nothing is said: `train_model` knows more about why.
    """
    resolved = human.resolved(scale.step if scale else 1.0)
    given = resolved[np.isfinite(resolved)]
    if len(given):
        check_on_scale(given, scale or observed_scale(given))
        check_levels(given)


def _matrix(
    table: EssayFeatures, names: Sequence[str], plan: TrainingPlan, resolved: Floats, check: Callable[[], None]
) -> tuple[Floats, dict[str, ContentModel]]:
    """The features in their shapes, and the content vectors of each prompt where they are among them."""
    shapes = [plan.shapes.get(name, "as_measured") for name in names]
    if not any(name in prompt_vocabulary.VOCABULARY_FEATURES and plan.fixed.get(name) != 0 for name in names):
        return model_values(table, names, shapes), {}
    prompts = np.array(table.prompts)
    vocabulary = np.full((len(table), 2), np.nan)
    content = {}
    for prompt in sorted(set(table.prompts)):
        check()
        rows = np.flatnonzero(prompts == prompt)
        own = [table.contents[row] for row in rows.tolist()]
        vocabulary[rows] = prompt_vocabulary.vocabulary_out_of_fold(own, resolved[rows], plan.vocabulary)
        content[prompt] = prompt_vocabulary.content_vectors(own, resolved[rows], plan.vocabulary)
    return model_values(table, names, shapes, vocabulary), content


def _check_enough(groups: Mapping[str, Rows], free: int, *, curved: bool = False) -> None:
    least = max(LEAST_PER_FEATURE * max(free, 1), 10)
    small = [(group, len(rows)) for group, rows in groups.items() if len(rows) < least]
    if small:
        group, count = small[0]
        where = f" for {group!r}" if group else ""
        straight = ("leave out ", Field("curves"), ", ") if curved else ()
        problem = f"{count} scored essays{where} are too few to estimate {free} weights: at least {least} are needed"
        remedy = (
            *("Give more essays, ", *straight, "fix weights with ", Field("fix"), ", or pool prompts with "),
            *(Field("kind"), " generic12 or generic10."),
        )
        raise InputError(problem, field="essays", remedy=remedy)


def _notes(equations: Mapping[str, Equation], resolved: Floats, scale: ScoreScale) -> tuple[str, ...]:
    notes = []
    for group, equation in equations.items():
        where = f"{group}: " if group else ""
        if equation.essays < FEW_ESSAYS:
            notes.append(f"{where}trained on {equation.essays} essays only; the paper used 265 and more")
        if equation.weights.dropped:
            names = ", ".join(equation.weights.dropped)
            notes.append(f"{where}without weight, since others say the same or more: {names}")
    if any(equation.curves for equation in equations.values()):
        notes.append("features enter by curves: a weight is for what a feature is worth, so that none is below zero")
    missing = [point for point in scale.points().tolist() if not np.isclose(resolved, point).any()]
    if missing:
        notes.append(f"no training essay has the score {', '.join(f'{point:g}' for point in missing)}")
    return tuple(notes)
