"""`EssayModel`: all that scoring an essay needs, as frozen data that a JSON file can hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.features.features import FEATURES
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.curves import Curves
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES, VocabularyRule
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.programs import CommonScale
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


@dataclass(frozen=True, eq=False, slots=True)
class ErrorBand:
    """How far human scores lie from raw scores, by the score point given: what an interval for a score is made of."""

    points: Floats
    low: Floats
    high: Floats
    """The 5th and the 95th percentile of human minus raw score among training essays that got the point."""

    def __post_init__(self) -> None:
        for column in (self.points, self.low, self.high):
            column.flags.writeable = False

    def around(self, raw: float, score: float, scale: ScoreScale) -> tuple[float, float]:
        """The interval that holds the human score of 9 in 10 such essays, within the scale."""
        place = int(np.abs(self.points - score).argmin())
        ends = np.clip([raw + self.low[place], raw + self.high[place]], scale.lowest, scale.highest)
        return float(ends[0]), float(ends[1])


@dataclass(frozen=True, eq=False, slots=True)
class Equation:
    """What turns the features of an essay into a score: one per prompt, per program, or one for all."""

    weights: FeatureWeights
    cutoffs: Cutoffs
    percentiles: Floats
    """(101,): the raw scores below which 0, 1 ... 100 % of the training essays lie."""
    errors: ErrorBand
    essays: int
    """Training essays."""
    agreement: Mapping[str, float]
    """qwk, kappa, exact agreement and r with the human scores of training essays, each scored by a model that had not
    seen it."""
    curves: Curves | None = None
    """Turns features into what they are worth, which is what the weights weigh; None where they weigh features."""

    def __post_init__(self) -> None:
        self.percentiles.flags.writeable = False

    def weighed(self, values: Floats) -> Floats:
        """(essays, features): what the weights take of features in their shapes."""
        return self.curves.worth(values) if self.curves else values

    def percentile(self, raw: float) -> float:
        """The share of training essays with a lower raw score, in percent."""
        if not np.isfinite(raw):
            return float("nan")
        return float(np.interp(raw, self.percentiles, np.arange(101.0)))


@dataclass(frozen=True, slots=True)
class TrainingSummary:
    """Where a model comes from."""

    essays: int
    prompts: tuple[str, ...]
    left_out: Mapping[str, int]
    """Essays that played no part, by reason."""
    digest: str
    """SHA-256 of ids, scores and features of the training essays: tells whether two models saw the same."""
    cutoffs: str
    """The rule that set the cutoffs."""
    version: str = ""
    """Of assay."""
    notes: tuple[str, ...] = ()
    """What a user of the model should know: features dropped, score points nobody gave, few essays."""
    revision: int = 1
    """1 for a model trained from scratch; one more each time it is refitted."""


@dataclass(frozen=True, eq=False, slots=True)
class EssayModel:
    """A model of essay scores."""

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
    """Free remarks: name, licence of the training essays."""

    def __post_init__(self) -> None:
        if len(self.shapes) != len(self.features) or not self.equations:
            raise InputError("a model needs a shape for each feature and at least one equation")

    @property
    def needs_prompt(self) -> bool:
        """Whether an essay of an unknown prompt cannot be scored."""
        return self.grouping == "prompt" or bool(self.content)

    def equation_for(self, prompt: str, program: str = "") -> Equation | None:
        """The equation for an essay; None if the model knows no such prompt or program.

        A model with one equation only, trained without naming prompts, takes essays of any.
        """
        key = {"all": "", "prompt": prompt, "program": program}[self.grouping]
        return self.equations.get(key)
