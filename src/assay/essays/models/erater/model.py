"""`EssayModel`: a score as the weighted sum of an essay's features, as frozen data that a JSON file can hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.analysis import Analysis
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES, features_of
from assay.essays.feedback.advisories import Advisory, advisories, off_topic
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES, VocabularyRule, vocabulary_of
from assay.essays.models.erater.shapes import model_values
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.programs import CommonScale
from assay.essays.models.scoring_model import (
    NO_SCORE,
    RAW_DECIMALS,
    EssayScore,
    TrainingSummary,
    program_doubts,
    unscored,
)
from assay.essays.models.v1.table import v1_table, with_topical
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

Floats = NDArray[np.float64]
Grouping = Literal["all", "prompt", "program"]

KIND_FEATURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "specific": tuple(FEATURES),
        "generic12": tuple(FEATURES),
        "generic10": tuple(name for name in FEATURES if name not in VOCABULARY_FEATURES),
    }
)
"""The features of each kind of model that is made of e-rater's own. Other kinds bring names of their own."""
FAR_OUT = 6.0
"""Standard deviations from the mean of the training essays beyond which a feature is like none of theirs."""


@dataclass(frozen=True, eq=False, slots=True)
class EssayModel:
    """A `ScoringModel` of weighted features: e-rater's three kinds, and v.1.3."""

    kind: str
    """specific, generic12, generic10, v1."""
    scale: ScoreScale
    features: tuple[str, ...]
    shapes: tuple[str, ...]
    """The shape in which each feature enters, a name of `SHAPES`."""
    grouping: Grouping
    """Whether there is one equation for all essays, or one for each prompt or program."""
    equations: Mapping[str, Equation]
    """By prompt or program; under the empty name where there is one for all."""
    vocabulary: VocabularyRule
    content: Mapping[str, ContentModel]
    """Content vectors by prompt; empty for models without prompt-specific vocabulary."""
    training: TrainingSummary
    common_scale: CommonScale | None = None
    """A scale on which scores of different programs can be compared."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """Free remarks: name, license of the training essays."""
    reads_with: Mapping[str, str] = field(default_factory=dict)
    """See `ScoringModel.reads_with`."""

    def __post_init__(self) -> None:
        if len(self.shapes) != len(self.features) or not self.equations:
            raise InputError("a model needs a shape for each feature and at least one equation")

    @property
    def basis(self) -> str:
        return ""

    @property
    def explains_by(self) -> Literal["feature", "family"]:
        return "feature"

    @property
    def columns(self) -> tuple[str, ...]:
        return self.features

    @property
    def agreement(self) -> Mapping[str, float]:
        """Of the first equation, where there are several."""
        return next(iter(self.equations.values())).agreement

    @property
    def has_common_scale(self) -> bool:
        return self.common_scale is not None

    @property
    def known_prompts(self) -> tuple[str, ...]:
        return tuple(self.equations) if self.grouping == "prompt" else tuple(self.content)

    @property
    def known_programs(self) -> tuple[str, ...]:
        return tuple(self.equations) if self.grouping == "program" else ()

    @property
    def can_refit(self) -> bool:
        return self.kind != "v1"

    @property
    def can_calibrate(self) -> bool:
        return self.grouping == "all" and not self.content and not any(e.curves for e in self.equations.values())

    def equation_for(self, prompt: str, program: str = "") -> Equation | None:
        """The equation for an essay; None if the model knows no such prompt or program.

        A model with one equation only, trained without naming prompts, takes essays of any.
        """
        key = {"all": "", "prompt": prompt, "program": program}[self.grouping]
        return self.equations.get(key)

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:
        """See `ScoringModel.score`."""
        if self.kind == "v1":
            table = v1_table(essay, analysis)
        else:
            doubts = advisories(analysis.words, prompt=essay.prompt)
            compared = essay if self.content else replace(essay, text="")  # its words are looked at by no one then
            table = EssayFeatures.of([compared], [features_of(analysis)], advisories=[doubts])
        return score_table(table, self, programs=[program])[0]

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> EssayScore | None:
        """See `ScoringModel.score_if`."""
        if self.kind == "v1":
            return None
        return score_table(EssayFeatures.of([essay], [values]), self, programs=[program])[0]


def score_table(table: EssayFeatures, model: EssayModel, *, programs: Sequence[str] = ()) -> list[EssayScore]:
    """The score of each essay of a table; InputError if the table lacks a feature of the model."""
    if model.kind == "v1":
        table = with_topical(table, model.content)
    own_programs = tuple(programs) or table.programs or ("",) * len(table)
    vocabulary = _vocabulary(table, model)
    values = model_values(table, model.features, model.shapes, vocabulary)
    measured = _measured(table, model.features, vocabulary)
    common = model.common_scale.values(values) if model.common_scale else np.full(len(table), nan)
    scored = []
    for row, (prompt, program) in enumerate(zip(table.prompts, own_programs, strict=True)):
        doubts = table.advisories[row] if table.advisories else ()
        doubts = (*doubts, *_doubts(table, row, model, program))
        equation = model.equation_for(prompt, program)
        refused = equation is None or any(doubt.name in NO_SCORE for doubt in doubts)
        features = dict(zip(model.features, measured[row].tolist(), strict=True))
        essay = Essay(table.essay_ids[row], "", prompt)
        if equation is None or refused:
            scored.append(unscored(essay, features, doubts))
        else:
            scored.append(_scored(essay, features, doubts, values[row], equation, model, float(common[row])))
    return scored


def model_features(table: EssayFeatures, model: EssayModel) -> Floats:
    """(essays, features): what the equations of a model take, prompt-specific vocabulary among it."""
    return model_values(table, model.features, model.shapes, _vocabulary(table, model))


def _vocabulary(table: EssayFeatures, model: EssayModel) -> Floats | None:
    """(essays, 2): prompt-specific vocabulary; None for a model without it."""
    if not model.content:
        return None
    values = np.full((len(table), 2), nan)
    for row, (prompt, content) in enumerate(zip(table.prompts, table.contents, strict=True)):
        if prompt in model.content:
            values[row] = vocabulary_of([content], model.content[prompt], model.vocabulary)[0]
    return values


def _measured(table: EssayFeatures, names: Sequence[str], vocabulary: Floats | None) -> Floats:
    values = table.columns(names).copy()
    for place, name in enumerate(names):
        if vocabulary is not None and name in VOCABULARY_FEATURES:
            values[:, place] = vocabulary[:, VOCABULARY_FEATURES.index(name)]
    return values


def _doubts(table: EssayFeatures, row: int, model: EssayModel, program: str) -> Iterator[Advisory]:
    """What the model itself has against scoring an essay."""
    prompt = table.prompts[row]
    given = {doubt.name for doubt in table.advisories[row]} if table.advisories else set()
    if "empty" not in given and "length" in table.position and not table.column("length")[row] > 0:
        yield Advisory("empty", "the essay holds no words")
    if model.known_prompts and prompt not in model.known_prompts:
        yield Advisory("unknown_prompt", f"no essays on {prompt!r} were among the training essays")
    yield from program_doubts(model, program)
    if prompt in model.content:
        content = model.vocabulary.counted(table.contents[row])
        if content:
            vectors = model.content[prompt]
            yield from off_topic(vectors.familiarity(content), vectors.least_familiarity)


def _scored(
    essay: Essay,
    features: Mapping[str, float],
    doubts: tuple[Advisory, ...],
    values: Floats,
    equation: Equation,
    model: EssayModel,
    common: float,
) -> EssayScore:
    weights, values = equation.weights, equation.weighed(values[None])[0]
    raw = round(float(weights.predict(values[None])[0]), RAW_DECIMALS)
    score = float(equation.cutoffs.assign(np.array([raw]))[0])
    low, high = equation.errors.around(raw, score, model.scale)
    return EssayScore(
        essay.essay_id,
        essay.prompt,
        raw,
        score,
        low,
        high,
        equation.percentile(raw),
        features,
        shares=dict(zip(model.features, weights.shares(values[None])[0].tolist(), strict=True)),
        average=weights.average_score,
        advisories=(*doubts, *_odd_features(features, values, equation)),
        common=common,
    )


def _odd_features(features: Mapping[str, float], values: Floats, equation: Equation) -> Iterator[Advisory]:
    weights = equation.weights
    used = np.flatnonzero(weights.raw != 0)
    names = list(features)
    missing = [names[place] for place in used.tolist() if isnan(values[place])]
    if missing:
        why = "; ".join(f"{name}: {FEATURES[name].undefined}" if name in FEATURES else name for name in missing)
        yield Advisory("feature_undefined", f"{why}. The average of the training essays stands in.")
    away = np.abs(values - weights.mean) / weights.sd
    far = [names[place] for place in used.tolist() if away[place] > FAR_OUT]
    if far:
        seen = ", ".join(f"{name} is {features[name]:.3g}" for name in far)
        yield Advisory("beyond_training", f"{seen}: more than {FAR_OUT:g} standard deviations from the training essays")
