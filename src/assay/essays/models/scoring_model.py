"""`ScoringModel`: what every model of essay scores offers, whatever it is made of, and the `EssayScore` it gives.

And what bears on a score beside the model itself, each named by version or digest, so that none is changed unseen.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from math import isfinite, nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.errors import Field, InputError
from assay.essays.data_files import data_file
from assay.essays.discourse.model import DiscourseModel
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.features.features import Analysis, analyse_all
from assay.essays.feedback.advisories import TITLES, Advisory
from assay.essays.integrity.consequences import CAP, CONSEQUENCES, WARN, WITHHOLD, highest_score
from assay.essays.integrity.detectors import text_advisories
from assay.essays.integrity.unique_text import unique_text
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.text.reader import MODEL
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

if TYPE_CHECKING:
    from assay.essays.models.cutoffs import Cutoffs
    from assay.essays.models.erater.equation import Equation


RAW_DECIMALS = 4
"""Decimals of a raw score; what lies beyond may differ from machine to machine."""
TELLING_WORDS = 12
"""Words and pairs of words kept of an explanation, the most telling first."""
NINE_TENTHS = 1.645
"""Standard deviations around the middle of a normal distribution that hold nine in ten."""

SCORE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        **TITLES,
        "unknown_prompt": "A prompt the model was not trained on",
        "unknown_program": "A program the model was not trained on",
        "feature_undefined": "A feature could not be measured",
        "beyond_training": "Unlike any essay the model was trained on",
        "no_rating": "The judge gave no rating that can be used",
        "unstated_parts": "The model does not say what it was trained with",
    }
)
"""Every advisory a score may carry, by name."""


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
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Words that were not scored, by reason: repeated, copied, quoted."""
    withheld_raw: float = nan
    """The raw score that an advisory withholds; NaN where none does."""
    withheld_score: float = nan
    """The score that an advisory withholds, or the one that it caps; NaN where none does."""

    @property
    def scored(self) -> bool:
        return isfinite(self.score)

    @property
    def consequence(self) -> str:
        """What advisories did to the score, with their names; empty where they did nothing.

        >>> from dataclasses import replace
        >>> score = EssayScore("1", "", 3.0, 3.0, 2, 4, 50, {}, {}, 3.0, (Advisory("nonsense", "", "withhold"),))
        >>> score.consequence, replace(score, score=nan, withheld_score=3.0).consequence
        ('', 'withheld: nonsense')
        """
        if not isfinite(self.withheld_score):
            return ""
        word = CAP if self.scored else WITHHOLD  # a cap may name its point
        names = " ".join(doubt.name for doubt in self.advisories if doubt.consequence.startswith(word))
        return f"{'capped' if self.scored else 'withheld'}: {names}"


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
class ErrorBand(ReadOnlyArrays):
    """How far human scores lie from raw scores, by the score point given: what an interval for a score is made of."""

    points: Floats
    low: Floats
    high: Floats
    """The 5th and the 95th percentile of human minus raw score among training essays that got the point."""

    @classmethod
    def even(cls, points: Floats, spread: float) -> "ErrorBand":
        """The same for all points: nine in ten of a normal distribution with this standard deviation."""
        reach = np.full(len(points), NINE_TENTHS * spread)
        return cls(points.copy(), -reach, reach.copy())


def placed_score(
    raw: float, cutoffs: "Cutoffs", percentiles: Floats, errors: ErrorBand, scale: ScoreScale
) -> tuple[float, float, float, float]:
    """The score point of a raw score, the ends of its interval within the scale, and its percentile."""
    score = float(cutoffs.points[np.searchsorted(cutoffs.cuts, raw, side="right")])
    place = int(np.abs(errors.points - score).argmin())
    ends = np.clip([raw + errors.low[place], raw + errors.high[place]], scale.lowest, scale.highest)
    return score, float(ends[0]), float(ends[1]), float(np.interp(raw, percentiles, np.arange(101.0)))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ScoringModel(ReadOnlyArrays, ABC):
    """A model of essay scores: e-rater's kinds, v.1.3, hybrid, calibrated. All that a shell knows of it is here."""

    kind: str
    """specific, generic12, generic10, v1, hybrid or calibrated: also how its file is read."""
    scale: ScoreScale
    """The scores it gives."""
    training: TrainingSummary
    """Essays, prompts, revision and notes."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """Free remarks: name, license of the training essays."""
    reads_with: Mapping[str, str] = field(default_factory=dict)
    """All that bears on a score beside the model: name of the part -> version or digest; empty if unstated."""
    equations: "Mapping[str, Equation]" = field(default_factory=dict)
    """By prompt or program, under the empty name where there is one for all; empty for models of another make."""
    agreement: Mapping[str, float] = field(default_factory=dict)
    """qwk, kappa, exact and r with human scores of essays it had not seen; empty where it was not measured."""
    consequences: Mapping[str, str] = field(default_factory=dict)
    """Advisory -> warn, cap or withhold, where the model departs from `CONSEQUENCES`."""
    basis: str = field(default="", init=False)
    """What the scores rest on, in a sentence; empty where `equations` say it."""
    columns: tuple[str, ...] = field(default=(), init=False)
    """The features that have columns in a table of scores."""
    explains_by: Literal["feature", "family"] = field(default="family", init=False)
    """Whether a report tells shares feature by feature, or by family since there are some 180."""
    has_common_scale: bool = field(default=False, init=False)
    """Whether scores have a place on a scale common to several programs."""
    known_prompts: tuple[str, ...] = field(default=(), init=False)
    """The prompts of which an essay must name one to be scored; empty where it need not."""
    known_programs: tuple[str, ...] = field(default=(), init=False)
    """The programs of which an essay must name one to be scored; empty where it need not."""
    can_refit: bool = field(default=False, init=False)
    """Whether `refit` can move it towards what people decided."""
    can_calibrate: bool = field(default=False, init=False)
    """Whether `calibrate` can take it to a prompt it has not seen."""

    @abstractmethod
    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:
        """The score of an essay that was read with the parts the model states."""

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> EssayScore | None:  # noqa: ARG002
        """The score the essay would have with these features; None where the model cannot tell.

        Some 180 features of a hybrid follow from one text: what a change of a few is worth cannot be told.
        """
        return None


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
        yield score_essay(essay, analysis, model, programs[number] if programs else "", labeller=labeller)


def score_essay(
    essay: Essay,
    analysis: Analysis,
    model: ScoringModel,
    program: str = "",
    *,
    labeller: DiscourseModel | None,
    wording: str = "",
) -> EssayScore:
    """The score of an essay that was read, after what follows from its advisories.

    What it repeats, copies from the prompt or quotes at length is left out of what is scored; advisories are on the
    whole. `wording` is that of the prompt, where the essay only names it. By a model whose file says nothing of the
    parts it reads with a score is doubtful.
    """
    asked = wording or essay.prompt
    unique = unique_text(analysis.text, asked)
    if unique.differs:
        scored = model.score(replace(essay, text=unique.text), next(analyse_all([unique.text], labeller)), program)
    else:
        scored = model.score(essay, analysis, program)
    doubts = scored.advisories
    if unique.differs or wording:
        by_text = text_advisories(analysis.text, analysis.words, prompt=asked)
        names = {*TITLES} - {"off_topic", "empty"} | {doubt.name for doubt in by_text}
        doubts = (*by_text, *(doubt for doubt in doubts if doubt.name not in names))
    if not model.reads_with:
        evidence = "the model file is of before models named them; train it again to be sure"
        doubts = (*doubts, Advisory("unstated_parts", evidence))
    by_name = {doubt.name: doubt for doubt in reversed(doubts)}  # of two by one name the first
    doubts = tuple(doubt for doubt in doubts if by_name.get(doubt.name) is doubt)
    return with_consequences(replace(scored, advisories=doubts, left_out=unique.left_out), model)


def with_consequences(score: EssayScore, model: ScoringModel) -> EssayScore:
    """The score withheld or capped where an advisory says so; what it would have been stays beside."""
    table = {**CONSEQUENCES, **model.consequences}
    doubts = tuple(replace(doubt, consequence=table.get(doubt.name, WARN)) for doubt in score.advisories)
    score = replace(score, advisories=doubts)
    if not score.scored:
        return score
    if any(doubt.consequence == WITHHOLD for doubt in doubts):
        withheld = unscored(Essay(score.essay_id, "", score.prompt), score.features, doubts)
        return replace(withheld, left_out=score.left_out, withheld_raw=score.raw, withheld_score=score.score)
    most = min((highest_score(doubt.consequence, model.scale) for doubt in doubts), default=np.inf)
    if score.score <= most:
        return score
    return replace(score, score=most, low=min(score.low, most), high=min(score.high, most), withheld_score=score.score)


def check_known(model: ScoringModel, *, prompts: Iterable[str], programs: Iterable[str]) -> None:
    """InputError if the model knows none of these prompts, or none of these programs: nothing could be scored."""
    both = {"prompt": (model.known_prompts, prompts), "program": (model.known_programs, programs)}
    for name, (known, asked) in ((name, map(set, names)) for name, names in both.items()):
        if known and asked and not asked & known:
            trained, given = (
                f"{name} {', '.join(map(repr, sorted(names)[:3]))}"
                + (f" and {len(names) - 3} more" if len(names) > 3 else "")
                for names in (known, asked)
            )
            these = f"name no {name}" if asked == {""} else f"are on {given}"
            problem = f"the model was trained on {trained}, and these essays {these}"
            otherwise = f", or train a model that needs no {name}, such as generic10."
            raise InputError(problem, field=name, remedy=("Name the column with ", Field(name), otherwise))


def only_prompt(model: ScoringModel) -> str:
    """The prompt of a model that knows a single one: an essay that names none is taken to answer it."""
    return model.known_prompts[0] if len(model.known_prompts) == 1 else ""


LEARNED_LISTS = ("bare_nouns.tsv", "proposal_weights.tsv", "trigrams.npz")
"""Lists of errors that were learned from texts."""
RULES = "rules"
"""Names the labeller that needs no weights; of another, the SHA-256 of its weights is stated."""
PART_TITLES: Mapping[str, str] = {
    "reader": "the parser",
    "lexicons": "the word lists and rules of errors",
    "discourse": "the labeller of discourse elements",
    "traits": "the weights of language traits",
    "frequencies": "the word frequencies",
}
BY_TRAITS = ("hybrid", "calibrated", "generic")
"""The kinds of model that look at traits of language."""
ARRAYS = ("embedding", "embedding_bias", "mixing", "mixing_bias", "output", "links", "start", "end")


def reading_parts(labeller: DiscourseModel | None, kind: str = "hybrid") -> dict[str, str]:
    """The parts of this program, with the labeller given, that bear on scores by models of a kind."""
    return {part: value for part, value in _parts(labeller).items() if part != "traits" or kind in BY_TRAITS}


@cache
def _parts(labeller: DiscourseModel | None) -> Mapping[str, str]:
    versions = {}
    for package in (MODEL.replace("_", "-"), "wordfreq"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "unknown"
    lexicons = [files(f"assay.essays.{folder}") / "lexicons" for folder in ("errors", "text")]
    of_errors, of_text = ({file.name: file for file in place.iterdir()} for place in lexicons)
    of_errors |= {name: file for name in LEARNED_LISTS if (file := data_file(name))}
    lists = [folder[name] for folder in (of_errors, of_text) for name in sorted(folder)]
    traits = data_file("traits.npz")
    digests = []
    for contents in (lists, [traits] if traits else []):
        digest = sha256("\n".join(sorted(CATALOGUE)).encode())
        for file in contents:
            if not file.name.startswith(("NOTICE", ".", "__")):
                digest.update(file.name.encode())
                digest.update(file.read_bytes())
        digests.append(digest.hexdigest())
    discourse = RULES
    if labeller is not None:
        digest = sha256("\n".join(sorted(labeller.names, key=labeller.names.__getitem__)).encode())
        digest.update("\n".join(sorted(labeller.common)).encode())
        for array in ARRAYS:
            digest.update(getattr(labeller, array).astype("<f4").tobytes())
        discourse = digest.hexdigest()
    return {
        "reader": f"{MODEL} {versions[MODEL.replace('_', '-')]}",
        "lexicons": digests[0],
        "traits": digests[1],
        "frequencies": f"wordfreq {versions['wordfreq']}",
        "discourse": discourse,
    }


def check_parts(stated: Mapping[str, str], labeller: DiscourseModel | None) -> None:
    """InputError if a model states other parts than this program has; a file that states none passes."""
    own = _parts(labeller)
    first = next((part for part, value in stated.items() if own.get(part) != value), None)
    if first is None:
        return
    if first == "discourse" and labeller is None:
        problem = "the model was trained with a labeller of discourse elements, and this copy of assay comes without"
        remedy = "Install assay with its weights, or train the model again here."
    else:
        problem = (
            f"the model was trained with another version of {PART_TITLES.get(first, first)} "
            f"({stated[first][:40]}; here it is {own.get(first, 'missing')[:40]})"
        )
        remedy = "Train the model again, or use the version of assay that wrote it."
    raise InputError(problem, field="model", remedy=remedy)
