"""FRONT DOOR `train_model`: features and human scores of essays -> an `EssayModel`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES
from assay.essays.models.cutoffs import cutoff_rule
from assay.essays.models.erater.curves import BENDS
from assay.essays.models.erater.equation import Equation, fit_equation
from assay.essays.models.erater.model import KIND_FEATURES, EssayModel, Grouping
from assay.essays.models.erater.prompt_vocabulary import (
    PAPER_VOCABULARY,
    SMOOTHED,
    VOCABULARY_FEATURES,
    VocabularyRule,
    content_vectors,
    vocabulary_out_of_fold,
)
from assay.essays.models.erater.shapes import SHAPE_OF, model_values
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.programs import fit_common_scale
from assay.essays.models.resolution import HumanScores, check_levels, check_on_scale, observed_scale
from assay.essays.models.scoring_model import TrainingSummary
from assay.essays.models.v1.equation import TYPICAL_FEATURES, v1_equation
from assay.essays.models.v1.fit import V1_FEATURES
from assay.essays.models.v1.table import v1_training_values
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

LEAST_PER_FEATURE = 5
"""Essays that each weight to be estimated needs; the paper used 265 essays and more for about 12 features."""
FEW_ESSAYS = 250
"""Below this many training essays a model says that it has seen few."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How a model is to be built; the defaults are what we advise, `TrainingPlan.paper()` what the paper did."""

    kind: str = "generic12"
    fixed: Mapping[str, float] = field(default_factory=lambda: {"length": 0.2})
    """Share of the sum of all weights that a feature gets, whatever the essays say; 0 leaves it out."""
    cutoffs: str = "balanced"
    shapes: Mapping[str, str] = field(default_factory=lambda: SHAPE_OF)
    """The shape of each feature, as measured where it is not named."""
    vocabulary: VocabularyRule = SMOOTHED
    keep_wrong_signs: bool = False
    ridge: float = 10.0
    curved: bool = False
    """Whether each feature enters by its curve: what its values are worth among the training essays."""

    @classmethod
    def paper(cls, kind: str = "generic12", *, length_weight: float = 0.2) -> "TrainingPlan":
        """The paper's own: features as measured, max. cos. as a score point, cutoffs by signal detection."""
        return cls(
            kind=kind,
            fixed={"length": length_weight},
            cutoffs="signal-detection",
            shapes=MappingProxyType({}),
            vocabulary=PAPER_VOCABULARY,
            ridge=0.0,
        )


def train_model(
    table: EssayFeatures,
    plan: TrainingPlan | None = None,
    *,
    scale: ScoreScale | None = None,
    features: Sequence[str] | None = None,
    version: str = "",
) -> EssayModel:
    """A model from essays that people scored.

    `scale` is the observed one unless given. `features` are those of the kind unless given. Essays without a human
    score, without a resolved score or without words are left out and counted. Kind `specific` makes an equation for
    each prompt; a table with programs, one for each program; else there is one for all.
    """
    plan = plan or TrainingPlan()
    if plan.kind == "v1":
        return _train_v1(table, scale, version)
    names = tuple(features or _features_of(plan.kind))
    used, left_out = trainable(table, scale)
    own_scale = scale or observed_scale(used.human.resolved())
    average, resolved = used.human.average(), used.human.resolved(own_scale.step)
    _check_scale(resolved, own_scale)
    shaped, content = _matrix(used, names, plan, resolved)
    grouping, groups = _groups(used, plan.kind)
    bends = len(names) * len(BENDS) if plan.curved else 0
    _check_enough(groups, len(names) - len(plan.fixed) + bends, curved=plan.curved)
    if plan.curved and grouping == "program":
        raise InputError(
            "a scale common to several programs needs straight features",
            field="curves",
            remedy=("Leave out ", Field("curves"), " or ", Field("program"), "."),
        )
    rule = cutoff_rule(plan.cutoffs)
    fixed = _fixed(plan.fixed, names)
    equations: dict[str, Equation] = {}
    for group, rows in groups.items():
        equations[group] = fit_equation(
            names,
            shaped[rows],
            average[rows],
            resolved[rows],
            scale=own_scale,
            fixed=fixed,
            cutoffs=rule,
            keep_wrong_signs=plan.keep_wrong_signs,
            ridge=plan.ridge,
            curved=plan.curved,
        )
    common = None
    if grouping == "program" and len(equations) > 1:
        common = fit_common_scale(shaped, resolved, used.programs, {g: e.weights for g, e in equations.items()})
    summary = TrainingSummary(
        essays=len(used),
        prompts=tuple(sorted(set(used.prompts))),
        left_out=left_out,
        digest=_digest(used),
        cutoffs=plan.cutoffs,
        version=version,
        notes=_notes(equations, resolved, own_scale),
    )
    shapes = tuple(plan.shapes.get(name, "as_measured") for name in names)
    return EssayModel(
        plan.kind, own_scale, names, shapes, grouping, equations, plan.vocabulary, content, summary, common
    )


def _train_v1(table: EssayFeatures, scale: ScoreScale | None, version: str) -> EssayModel:
    """A model of e-rater v.1.3: an equation for each prompt, from some 50 features, with half points as cutoffs."""
    used, left_out = trainable(table, scale)
    own_scale = scale or observed_scale(used.human.resolved())
    resolved = used.human.resolved(own_scale.step)
    _check_scale(resolved, own_scale)
    grouping, groups = _groups(used, "v1")
    _check_enough(groups, TYPICAL_FEATURES)
    values, content = v1_training_values(used, resolved)
    equations = {group: v1_equation(values[rows], resolved[rows], own_scale) for group, rows in groups.items()}
    prompts, notes = tuple(sorted(set(used.prompts))), _notes(equations, resolved, own_scale)
    summary = TrainingSummary(len(used), prompts, left_out, _digest(used), "rounding", version, notes)
    shapes = ("as_measured",) * len(V1_FEATURES)
    return EssayModel("v1", own_scale, V1_FEATURES, shapes, grouping, equations, PAPER_VOCABULARY, content, summary)


def trainable(table: EssayFeatures, scale: ScoreScale | None = None) -> tuple[EssayFeatures, dict[str, int]]:
    """The essays a model can learn from, and how many of the others there are by reason."""
    step = scale.step if scale else 1.0
    first = np.isfinite(table.human.average())
    resolved = np.isfinite(table.human.resolved(step))
    written = ~np.isnan(table.columns([name for name in table.names if name not in VOCABULARY_FEATURES])).all(axis=1)
    if "length" in table.position:
        written &= table.column("length") > 0
    left_out = {
        "no human score": int((~first).sum()),
        "two scores more than a point apart and no third": int((first & ~resolved).sum()),
        "no words": int((first & resolved & ~written).sum()),
    }
    rows = np.flatnonzero(first & resolved & written)
    if not len(rows):
        raise InputError(
            "no essay has both words and a human score",
            field="score",
            remedy=("Check the columns named with ", Field("text"), " and ", Field("score"), "."),
        )
    return table.at(rows), {reason: count for reason, count in left_out.items() if count}


def check_scores(human: HumanScores, scale: ScoreScale | None = None) -> None:
    """InputError where no model can be trained on these human scores, whatever the essays: asked before they are read.

    Without scores at all nothing is said: `train_model` knows more about why.
    """
    resolved = human.resolved(scale.step if scale else 1.0)
    given = resolved[np.isfinite(resolved)]
    if len(given):
        _check_scale(given, scale or observed_scale(given))


def _features_of(kind: str) -> tuple[str, ...]:
    if kind not in KIND_FEATURES:
        raise InputError(
            f"no model is called {kind!r}", field="kind", remedy=f"Choose one of: {', '.join(KIND_FEATURES)}, v1."
        )
    return KIND_FEATURES[kind]


def _fixed(shares: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """The shares of features of this model; InputError for one that no model of this kind has."""
    for name, share in shares.items():
        left_out_anyway = name in FEATURES and share == 0
        if name not in names and name != "length" and not left_out_anyway:
            raise InputError(
                f"no feature is called {name!r}", field="fix", remedy=f"A weight can be fixed for: {', '.join(names)}."
            )
    return {name: share for name, share in shares.items() if name in names}


def _check_scale(scores: Floats, scale: ScoreScale) -> None:
    check_on_scale(scores, scale)
    check_levels(scores)


def _matrix(
    table: EssayFeatures, names: Sequence[str], plan: TrainingPlan, resolved: Floats
) -> tuple[Floats, dict[str, ContentModel]]:
    """The features in their shapes, and the content vectors of each prompt where they are among them."""
    shapes = [plan.shapes.get(name, "as_measured") for name in names]
    wanted = any(name in VOCABULARY_FEATURES and plan.fixed.get(name) != 0 for name in names)
    if not wanted:
        return model_values(table, names, shapes), {}
    prompts = np.array(table.prompts)
    vocabulary = np.full((len(table), 2), np.nan)
    content = {}
    for prompt in sorted(set(table.prompts)):
        rows = np.flatnonzero(prompts == prompt)
        own = [table.contents[row] for row in rows.tolist()]
        vocabulary[rows] = vocabulary_out_of_fold(own, resolved[rows], plan.vocabulary)
        content[prompt] = content_vectors(own, resolved[rows], plan.vocabulary)
    return model_values(table, names, shapes, vocabulary), content


def _groups(table: EssayFeatures, kind: str) -> tuple[Grouping, dict[str, NDArray[np.intp]]]:
    """Which essays share an equation."""
    grouping: Grouping = "prompt" if kind in ("specific", "v1") else "program" if table.programs else "all"
    keys = {"prompt": table.prompts, "program": table.programs, "all": ("",) * len(table)}[grouping]
    return grouping, {key: np.flatnonzero(np.array(keys) == key) for key in sorted(set(keys))}


def _check_enough(groups: Mapping[str, NDArray[np.intp]], free: int, *, curved: bool = False) -> None:
    least = max(LEAST_PER_FEATURE * max(free, 1), 10)
    small = {group: len(rows) for group, rows in groups.items() if len(rows) < least}
    if small:
        group, count = next(iter(small.items()))
        where = f" for {group!r}" if group else ""
        straight = ("leave out ", Field("curves"), ", ") if curved else ()
        raise InputError(
            f"{count} scored essays{where} are too few to estimate {free} weights: at least {least} are needed",
            field="essays",
            remedy=(
                *("Give more essays, ", *straight, "fix weights with ", Field("fix"), ", or pool prompts with "),
                *(Field("kind"), " generic12 or generic10."),
            ),
        )


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


def _digest(table: EssayFeatures) -> str:
    rows = zip(table.essay_ids, table.human.average().tolist(), table.values.tolist(), strict=True)
    return sha256("\n".join(map(repr, rows)).encode()).hexdigest()
