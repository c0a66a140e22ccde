"""FRONT DOOR `train_model`: features and human scores of essays -> an `EssayModel`.

`refit_model`: a model moved towards what teachers said: a new revision from scores that replace the model's own.

The paper refits from scratch; a teacher has a few dozen overrides and no training essays. So the old equation is kept
as what is believed before, worth a number of essays, and the new scores pull at it (ours, decision 0207).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from assay.errors import Field, InputError
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.cutoffs import Cutoffs, cutoff_rule
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.erater.equation import Equation, fit_common_scale, fit_equation
from assay.essays.models.erater.model import (
    KIND_FEATURES,
    EssayModel,
    Grouping,
    TrainingPlan,
    model_features,
    score_table,
)
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.v1_equation import TYPICAL_FEATURES, V1_FEATURES, v1_equation
from assay.essays.models.erater.v1_measures import v1_training_values
from assay.essays.models.erater.weights import BENDS, FeatureWeights
from assay.essays.models.feature_table import EssayFeatures, model_values
from assay.essays.models.resolution import HumanScores, check_levels, check_on_scale, observed_scale
from assay.essays.models.scoring_model import ScoringModel, TrainingSummary
from assay.scale import ScoreScale

LEAST_PER_FEATURE = 5
"""Essays that each weight to be estimated needs; the paper used 265 essays and more for about 12 features."""
FEW_ESSAYS = 250
"""Below this many training essays a model says that it has seen few."""


def train_model(
    table: EssayFeatures, plan: TrainingPlan | None = None, *, scale: ScoreScale | None = None, version: str = ""
) -> EssayModel:
    """A model from essays that people scored.

    `scale` is the observed one unless given. Essays without a human score, without a resolved score or without words
    are left out and counted. Kinds `specific` and `v1` make an equation for each prompt, v1 from some 50 features with
    half points as cutoffs; a table with programs, one for each program; else there is one for all.
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
        values, content = _matrix(used, names, plan, resolved)
        equations = _equations(used, names, plan, values, resolved, own_scale, groups, grouping)
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
) -> dict[str, Equation]:
    """The equation of each group of essays; InputError for too few essays, and for shares of features there are not."""
    bends = len(names) * len(BENDS) if plan.curved else 0
    _check_enough(groups, len(names) - len(plan.fixed) + bends, curved=plan.curved)
    if plan.curved and grouping == "program":
        problem = "a scale common to several programs needs straight features"
        raise InputError(problem, field="curves", remedy=("Leave out ", Field("curves"), " or ", Field("program"), "."))
    rule = cutoff_rule(plan.cutoffs)
    for name, share in plan.fixed.items():
        left_out_anyway = name in FEATURES and share == 0
        if name not in names and name != "length" and not left_out_anyway:
            remedy = f"A weight can be fixed for: {', '.join(names)}."
            raise InputError(f"no feature is called {name!r}", field="fix", remedy=remedy)
    average = used.human.average()
    return {
        group: fit_equation(
            names,
            values[rows],
            average[rows],
            resolved[rows],
            scale=scale,
            fixed={name: share for name, share in plan.fixed.items() if name in names},
            cutoffs=rule,
            keep_wrong_signs=plan.keep_wrong_signs,
            ridge=plan.ridge,
            curved=plan.curved,
        )
        for group, rows in groups.items()
    }


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
    table: EssayFeatures, names: Sequence[str], plan: TrainingPlan, resolved: Floats
) -> tuple[Floats, dict[str, ContentModel]]:
    """The features in their shapes, and the content vectors of each prompt where they are among them."""
    shapes = [plan.shapes.get(name, "as_measured") for name in names]
    if not any(name in prompt_vocabulary.VOCABULARY_FEATURES and plan.fixed.get(name) != 0 for name in names):
        return model_values(table, names, shapes), {}
    prompts = np.array(table.prompts)
    vocabulary = np.full((len(table), 2), np.nan)
    content = {}
    for prompt in sorted(set(table.prompts)):
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


WEIGHTS_WORTH = 200.0
"""How many essays the old weight of a feature is worth."""
LINE_WORTH = 10.0
"""How many essays the old place and spread of scores are worth: teachers differ in strictness before all else."""
CUTOFFS_WORTH = 200.0
LEAST_OVERRIDES = 10
FOLDS = 5


def refittable(model: ScoringModel) -> EssayModel:
    """The model as one of weighted features; InputError for a kind that cannot be moved."""
    if isinstance(model, EssayModel) and model.can_refit:
        return model
    problem = f"a {model.kind} model cannot be refitted: only models of weighted features can"
    raise InputError(problem, field="model", remedy="Train a new one on the scored essays instead.")


def refit_model(model: EssayModel, table: EssayFeatures, *, version: str = "") -> EssayModel:
    """The next revision of a model, from essays and the scores people gave in place of the model's.

    Equations without new scores stay as they are; so do content vectors, percentiles and intervals.
    """
    scores, training = table.human.resolved(model.scale.step), model.training
    _check(scores, model)
    values = model_features(table, model)
    keys = {"prompt": table.prompts, "program": table.programs}.get(model.grouping) or ("",) * len(table)
    equations, used = dict(model.equations), 0
    for group, equation in model.equations.items():
        rows = np.flatnonzero((np.array(keys) == group) & np.isfinite(scores))
        if len(rows):
            equations[group], used = _refitted(equation, values[rows], scores[rows], model), used + len(rows)
    if not used:
        problem = f"the model knows no {model.grouping} of these essays"
        raise InputError(problem, field=model.grouping, remedy=("Name their column with ", Field(model.grouping), "."))
    revision = training.revision + 1
    notes = (*training.notes, f"revision {revision}: moved towards {used} new scores")
    summary = replace(training, revision=revision, notes=notes, version=version or training.version)
    return replace(model, equations=equations, training=summary)


def refitted_unseen(model: EssayModel, table: EssayFeatures) -> tuple[Floats, Floats]:
    """Scores of the same essays before and after, each new one by a model refitted without the essay (five folds)."""
    before = np.array([score.score for score in score_table(table, model)])
    after = np.full(len(table), np.nan)
    fold = dealt_folds(table.human.resolved(model.scale.step), FOLDS)
    for number in range(FOLDS):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if len(inside):
            refitted = refit_model(model, table.at(outside))
            after[inside] = [score.score for score in score_table(table.at(inside), refitted)]
    return before, after


def _check(scores: Floats, model: EssayModel) -> None:
    given = scores[np.isfinite(scores)]
    strange = given[~model.scale.holds(given)]
    if len(given) < LEAST_OVERRIDES:
        problem = f"{len(given)} new scores are too few to refit a model: at least {LEAST_OVERRIDES} are needed"
        raise InputError(problem, field="overrides", remedy="Give more essays that people scored.")
    if len(strange):
        problem = f"the new score {strange[0]:g} is no point of the model's scale, {model.scale}"
        raise InputError(problem, field="overrides", remedy="Give scores on that scale.")


def _refitted(equation: Equation, values: Floats, scores: Floats, model: EssayModel) -> Equation:
    values = equation.curves.worth(values) if equation.curves else values
    weights = refit_weights(equation.weights, values, scores)
    raw = weights.predict(values)
    fresh = cutoff_rule(model.training.cutoffs)(raw, scores, model.scale).cuts
    share = len(scores) / (len(scores) + CUTOFFS_WORTH)
    cuts = np.maximum.accumulate((1 - share) * equation.cutoffs.cuts + share * fresh)
    return replace(equation, weights=weights, cutoffs=Cutoffs(equation.cutoffs.points.copy(), cuts))


def refit_weights(weights: FeatureWeights, values: Floats, scores: Floats) -> FeatureWeights:
    """The old weights plus a ridge regression of what they miss; shares fixed in advance keep their share.

    A feature whose weight would change its sign gets zero.
    """
    z = (np.where(np.isnan(values), weights.mean, values) - weights.mean) / weights.sd
    points = weights.raw * weights.sd  # score points for one standard deviation
    free = np.array([name not in weights.fixed for name in weights.names], dtype=np.bool_)
    missed = scores - weights.predict(values)
    missed -= missed.mean()
    pull = z[:, free].T @ z[:, free] + WEIGHTS_WORTH * np.eye(int(free.sum()))
    moved = points.copy()
    moved[free] += np.linalg.solve(pull, z[:, free].T @ missed)
    moved = np.where(moved * points < 0, 0.0, moved)
    shares = np.array([weights.fixed.get(name, 0.0) for name in weights.names])
    if free.any():
        fixed = shares * np.abs(moved[free]).sum() / (1 - shares.sum())
        moved = np.where(free, moved, np.sign(points) * fixed)
    interim = weights.average_score + z @ moved
    a, b = _pulled_line(interim, scores, weights.average_score)
    raw = b * moved / weights.sd
    intercept = a + b * weights.average_score - float((raw * weights.mean).sum())
    size = np.abs(weights.raw * weights.sd)
    scale = weights.standardised[size.argmax()] / (weights.raw * weights.sd)[size.argmax()]
    return replace(weights, raw=raw, standardised=b * moved * scale, intercept=intercept)


def _pulled_line(interim: Floats, scores: Floats, centre: float) -> tuple[float, float]:
    """Intercept and slope of scores on interim scores, pulled to 0 and 1 as if so many essays lay on that line."""
    x = interim - centre
    spread = float(x.std()) or 1.0
    design = np.column_stack([np.ones(len(x)), x / spread])
    line = np.linalg.solve(design.T @ design + LINE_WORTH * np.eye(2), design.T @ (scores - interim))
    slope = max(1 + float(line[1]) / spread, 0.1)
    return float(line[0]) + centre - slope * centre, slope
