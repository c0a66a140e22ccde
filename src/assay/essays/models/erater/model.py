"""`EssayModel`: a score as the weighted sum of an essay's features, as frozen data that a JSON file can hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from types import MappingProxyType
from typing import Literal

import numpy as np

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES, Analysis, features_of
from assay.essays.feedback.advisories import Advisory, off_topic
from assay.essays.integrity.consequences import NO_SCORE
from assay.essays.integrity.detectors import text_advisories
from assay.essays.models import scoring_model as scoring
from assay.essays.models.arrays import Floats
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.erater.common_scale import CommonScale
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.v1_measures import v1_table, with_topical
from assay.essays.models.feature_table import SHAPE_OF, EssayFeatures, model_values
from assay.essays.text.text import Essay

Grouping = Literal["all", "prompt", "program"]

KIND_FEATURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "specific": tuple(FEATURES),
        "generic12": tuple(FEATURES),
        "generic10": tuple(name for name in FEATURES if name not in prompt_vocabulary.VOCABULARY_FEATURES),
    }
)
"""The features of each kind of model that is made of e-rater's own. Other kinds bring names of their own."""
FAR_OUT = 6.0
"""Standard deviations from the mean of the training essays beyond which a feature is like none of theirs."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How a model is to be built; the defaults are what we advise, `TrainingPlan.paper()` what the paper did."""

    kind: str = "generic12"
    fixed: Mapping[str, float] = field(default_factory=lambda: {"length": 0.2})
    """Share of the sum of all weights that a feature gets, whatever the essays say; 0 leaves it out."""
    cutoffs: str = "balanced"
    shapes: Mapping[str, str] = field(default_factory=lambda: SHAPE_OF)
    """The shape of each feature, as measured where it is not named."""
    vocabulary: prompt_vocabulary.VocabularyRule = prompt_vocabulary.SMOOTHED
    keep_wrong_signs: bool = False
    ridge: float = 10.0
    curved: bool = False
    """Whether each feature enters by its curve: what its values are worth among the training essays."""

    @classmethod
    def paper(cls, kind: str = "generic12") -> "TrainingPlan":
        """The paper's own: features as measured, max. cos. as a score point, cutoffs by signal detection."""
        rule, as_measured = prompt_vocabulary.PAPER_VOCABULARY, MappingProxyType[str, str]({})
        return cls(kind, cutoffs="signal-detection", shapes=as_measured, vocabulary=rule, ridge=0.0)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class EssayModel(scoring.ScoringModel):
    """A model of weighted features: e-rater's three kinds, and v.1.3."""

    features: tuple[str, ...]
    shapes: tuple[str, ...]
    """The shape in which each feature enters, a name of `SHAPES`."""
    grouping: Grouping
    """Whether there is one equation for all essays, or one for each prompt or program."""
    vocabulary: prompt_vocabulary.VocabularyRule
    content: Mapping[str, ContentModel]
    """Content vectors by prompt; empty for models without prompt-specific vocabulary."""
    common_scale: CommonScale | None = None
    """A scale on which scores of different programs can be compared."""

    def __post_init__(self) -> None:
        if len(self.shapes) != len(self.features) or not self.equations:
            raise InputError("a model needs a shape for each feature and at least one equation")
        groups, curved = tuple(self.equations), any(equation.curves for equation in self.equations.values())
        derived = {
            "agreement": self.equations[groups[0]].agreement,
            "columns": self.features,
            "explains_by": "feature",
            "has_common_scale": self.common_scale is not None,
            "known_prompts": groups if self.grouping == "prompt" else tuple(self.content),
            "known_programs": groups if self.grouping == "program" else (),
            "can_refit": self.kind != "v1",
            "can_calibrate": self.grouping == "all" and not self.content and not curved,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> scoring.EssayScore:
        """See `ScoringModel.score`."""
        if self.kind == "v1":
            table = v1_table(essay, analysis)
        else:
            doubts = text_advisories(analysis.text, analysis.words, prompt=essay.prompt)
            compared = bool(self.content)  # else no one looks at its words
            table = EssayFeatures.of([essay], [features_of(analysis)], advisories=[doubts], with_contents=compared)
        return score_table(table, self, programs=[program])[0]

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> scoring.EssayScore | None:
        """See `ScoringModel.score_if`."""
        table = EssayFeatures.of([essay], [values], with_contents=bool(self.content))
        return None if self.kind == "v1" else score_table(table, self, programs=[program])[0]


def score_table(table: EssayFeatures, model: EssayModel, *, programs: Sequence[str] = ()) -> list[scoring.EssayScore]:
    """The score of each essay of a table; InputError if the table lacks a feature of the model."""
    if model.kind == "v1":
        table = with_topical(table, model.content)
    vocabulary = _vocabulary(table, model) if model.content else None
    values = model_values(table, model.features, model.shapes, vocabulary)
    common = model.common_scale.values(values) if model.common_scale else np.full(len(table), nan)
    own_programs = tuple(programs) or table.programs or ("",) * len(table)
    scored = []
    for row, measured in enumerate(table.columns(model.features, vocabulary).tolist()):
        prompt, program = table.prompts[row], own_programs[row]
        # a model with one equation only, trained without naming prompts, takes essays of any
        equation = model.equations.get({"all": "", "prompt": prompt, "program": program}[model.grouping])
        features = dict(zip(model.features, measured, strict=True))
        essay, doubts = Essay(table.essay_ids[row], "", prompt), _doubts(table, row, model, program)
        if equation is None or any(doubt.name in NO_SCORE for doubt in doubts):
            scored.append(scoring.unscored(essay, features, doubts))
        else:
            scored.append(_scored(essay, features, doubts, values[row], equation, model, float(common[row])))
    return scored


def model_features(table: EssayFeatures, model: EssayModel) -> Floats:
    """(essays, features): what the equations of a model take, prompt-specific vocabulary among it."""
    return model_values(table, model.features, model.shapes, _vocabulary(table, model) if model.content else None)


def _vocabulary(table: EssayFeatures, model: EssayModel) -> Floats:
    """(essays, 2): prompt-specific vocabulary; NaN for a prompt that is not known."""
    values = np.full((len(table), 2), nan)
    for row, (prompt, content) in enumerate(zip(table.prompts, table.contents, strict=True)):
        if prompt in model.content:
            values[row] = prompt_vocabulary.vocabulary_of([content], model.content[prompt], model.vocabulary)[0]
    return values


def _doubts(table: EssayFeatures, row: int, model: EssayModel, program: str) -> tuple[Advisory, ...]:
    """Why a score may be wrong, and what the model itself has against scoring an essay."""
    prompt, doubts = table.prompts[row], list(table.advisories[row] if table.advisories else ())
    empty = "length" in table.position and not table.values[row, table.position["length"]] > 0
    if empty and "empty" not in [doubt.name for doubt in doubts]:
        doubts.append(Advisory("empty", "the essay holds no words"))
    if model.known_prompts and prompt not in model.known_prompts:
        doubts.append(Advisory("unknown_prompt", f"no essays on {prompt!r} were among the training essays"))
    if model.known_programs and program not in model.known_programs:
        unnamed = f"the essay names no program, and the model scores by {', '.join(model.known_programs[:5])}"
        untrained = f"no essays of {program!r} were among the training essays"
        doubts.append(Advisory("unknown_program", untrained if program else unnamed))
    if prompt in model.content and (content := model.vocabulary.counted(table.contents[row])):
        vectors = model.content[prompt]
        doubts += off_topic(vectors.familiarity(content), vectors.least_familiarity)
    return tuple(doubts)


def _scored(
    essay: Essay,
    features: Mapping[str, float],
    doubts: tuple[Advisory, ...],
    values: Floats,
    equation: Equation,
    model: EssayModel,
    common: float,
) -> scoring.EssayScore:
    weights = equation.weights
    weighed = equation.curves.worth(values[None]) if equation.curves else values[None]
    raw = round(float(weights.predict(weighed)[0]), scoring.RAW_DECIMALS)
    names, used = list(features), np.flatnonzero(weights.raw != 0).tolist()
    missing = [names[place] for place in used if isnan(weighed[0, place])]
    if missing:
        why = "; ".join(f"{name}: {FEATURES[name].undefined}" if name in FEATURES else name for name in missing)
        evidence = f"{why}. The average of the training essays stands in."
        doubts = (*doubts, Advisory("feature_undefined", evidence))
    away = np.abs(weighed[0] - weights.mean) / weights.sd
    far = ", ".join(f"{names[place]} is {features[names[place]]:.3g}" for place in used if away[place] > FAR_OUT)
    if far:
        evidence = f"{far}: more than {FAR_OUT:g} standard deviations from the training essays"
        doubts = (*doubts, Advisory("beyond_training", evidence))
    return scoring.EssayScore(
        essay.essay_id,
        essay.prompt,
        raw,
        *scoring.placed_score(raw, equation.cutoffs, equation.percentiles, equation.errors, model.scale),
        features,
        shares=dict(zip(model.features, weights.shares(weighed)[0].tolist(), strict=True)),
        average=weights.average_score,
        advisories=doubts,
        common=common,
    )
