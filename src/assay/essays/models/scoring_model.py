"""`ScoringModel`: what every model of essay scores offers, whatever it is made of, and the `EssayScore` it gives."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import Analysis, analyse_all
from assay.essays.feedback.advisories import TITLES, Advisory
from assay.essays.models.reading_parts import check_parts
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

if TYPE_CHECKING:
    from assay.essays.models.erater.equation import Equation

Floats = NDArray[np.float64]

RAW_DECIMALS = 4
"""Decimals of a raw score; what lies beyond may differ from machine to machine."""
TELLING_WORDS = 12
"""Words and pairs of words kept of an explanation, the most telling first."""

SCORE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        **TITLES,
        "unknown_prompt": "A prompt the model was not trained on",
        "unknown_program": "A program the model was not trained on",
        "feature_undefined": "A feature could not be measured",
        "beyond_training": "Unlike any essay the model was trained on",
        "unstated_parts": "The model does not say what it was trained with",
    }
)
"""Every advisory a score may carry, by name."""
NO_SCORE = frozenset({"empty", "unknown_prompt", "unknown_program"})
"""Advisories of essays that get no score at all."""


@dataclass(frozen=True, slots=True)
class EssayScore:
    """The score of one essay and where it comes from; NaN where it has none, for a reason among the advisories."""

    essay_id: str
    prompt: str
    raw: float
    """What the equation gives, to four decimals."""
    score: float
    """The point of the scale the raw score falls to."""
    low: float
    high: float
    """The interval that holds the human score of nine in ten training essays like this."""
    percentile: float
    """The percent of training essays with a lower raw score."""
    features: Mapping[str, float]
    """As measured; NaN where undefined."""
    shares: Mapping[str, float]
    """Score points each feature adds to, or takes from, `average`: raw = average + sum of shares."""
    average: float
    """The raw score of an essay whose every feature is average."""
    advisories: tuple[Advisory, ...]
    common: float = nan
    """The place on the scale common to all programs, where the model has one."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Word or pair of words -> score points it adds by itself, the most telling first; empty where no model tells."""

    @property
    def scored(self) -> bool:
        return isfinite(self.score)


def unscored(essay: Essay, features: Mapping[str, float], advisories: tuple[Advisory, ...]) -> EssayScore:
    """An essay without a score; the advisories say why."""
    shares = dict.fromkeys(features, nan)
    return EssayScore(essay.essay_id, essay.prompt, nan, nan, nan, nan, nan, features, shares, nan, advisories)


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


class ScoringModel(Protocol):
    """A model of essay scores: e-rater's kinds, v.1.3, hybrid, calibrated."""

    @property
    def kind(self) -> str:
        """specific, generic12, generic10, v1, hybrid or calibrated: also how its file is read."""

    @property
    def scale(self) -> ScoreScale:
        """The scores it gives."""

    @property
    def reads_with(self) -> Mapping[str, str]:
        """All that bears on a score beside the model: name of the part -> version or digest; empty if unstated."""

    @property
    def training(self) -> TrainingSummary:
        """Essays, prompts, revision and notes."""

    @property
    def extra(self) -> Mapping[str, str]:
        """Free remarks: name, license of the training essays."""

    @property
    def basis(self) -> str:
        """What the scores rest on, in a sentence; empty where `equations` say it."""

    @property
    def equations(self) -> "Mapping[str, Equation]":
        """The equations by prompt or program, for models that are made of such; empty for others."""

    @property
    def agreement(self) -> Mapping[str, float]:
        """qwk, kappa, exact and r with human scores of essays it had not seen; empty where it was not measured."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The features that have columns in a table of scores."""

    @property
    def explains_by(self) -> Literal["feature", "family"]:
        """Whether a report tells shares feature by feature, or by family since there are some 180."""

    @property
    def has_common_scale(self) -> bool:
        """Whether scores have a place on a scale common to several programs."""

    @property
    def known_prompts(self) -> tuple[str, ...]:
        """The prompts of which an essay must name one to be scored; empty where it need not."""

    @property
    def known_programs(self) -> tuple[str, ...]:
        """The programs of which an essay must name one to be scored; empty where it need not."""

    @property
    def can_refit(self) -> bool:
        """Whether `refit` can move it towards what people decided."""

    @property
    def can_calibrate(self) -> bool:
        """Whether `calibrate` can take it to a prompt it has not seen."""

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:
        """The score of an essay that was read with the parts the model states."""

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> EssayScore | None:
        """The score the essay would have with these features; None where the model cannot tell."""


def score_each(
    essays: Iterable[Essay],
    model: ScoringModel,
    labeller: DiscourseModel | None,
    *,
    programs: Sequence[str] = (),
) -> Iterator[EssayScore]:
    """The score of each essay in turn; InputError if the model was trained with other parts.

    Every essay is read by itself: the parser's last digits depend on what else it reads at the same time, and a score
    must not.
    """
    check_parts(model.reads_with, labeller)
    for number, essay in enumerate(essays):
        analysis = next(analyse_all([essay.text], labeller))
        yield score_essay(essay, analysis, model, programs[number] if programs else "")


def score_essay(essay: Essay, analysis: Analysis, model: ScoringModel, program: str = "") -> EssayScore:
    """The score of an essay that was read; by a model whose file says nothing of the parts it reads with, doubtful."""
    score = model.score(essay, analysis, program)
    if model.reads_with:
        return score
    doubt = Advisory("unstated_parts", "the model file is of before models named them; train it again to be sure")
    return replace(score, advisories=(*score.advisories, doubt))


def check_known(model: ScoringModel, *, prompts: Iterable[str], programs: Iterable[str]) -> None:
    """InputError if the model knows none of these prompts, or none of these programs: nothing could be scored."""
    for field_name, known, asked in (
        ("prompt", set(model.known_prompts), set(prompts)),
        ("program", set(model.known_programs), set(programs)),
    ):
        if known and asked and not asked & known:
            raise InputError(
                f"the model was trained on {_listed(field_name, known)}, and these essays are on "
                f"{_listed(field_name, asked)}",
                field=field_name,
                remedy=(
                    "Name the column with ",
                    Field(field_name),
                    f", or train a model that needs no {field_name}, such as generic10.",
                ),
            )


def _listed(what: str, names: set[str]) -> str:
    shown = ", ".join(repr(name) for name in sorted(names)[:3])
    return f"{what} {shown}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def only_prompt(model: ScoringModel) -> str:
    """The prompt of a model that knows a single one: an essay that names none is taken to answer it."""
    return model.known_prompts[0] if len(model.known_prompts) == 1 else ""


def program_doubts(model: ScoringModel, program: str) -> Iterator[Advisory]:
    """Why an essay of this program gets no score."""
    if model.known_programs and program not in model.known_programs:
        why = (
            f"no essays of {program!r} were among the training essays"
            if program
            else f"the essay names no program, and the model scores by {', '.join(model.known_programs[:5])}"
        )
        yield Advisory("unknown_program", why)
