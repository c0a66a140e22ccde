"""FRONT DOOR `score_essays`: essays and an `EssayModel` -> an `EssayScore` each, with its reasons."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.features import FEATURES
from assay.essays.features.measure import measure_essays
from assay.essays.feedback.advisories import TITLES, Advisory, off_topic
from assay.essays.models.erater.model import Equation, EssayModel
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES, vocabulary_of
from assay.essays.models.erater.train import model_values
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.v1.table import v1_table, with_topical
from assay.essays.text.essay import Essay

Floats = NDArray[np.float64]

RAW_DECIMALS = 4
"""Decimals of a raw score; what lies beyond may differ from machine to machine."""

SCORE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        **TITLES,
        "unknown_prompt": "A prompt the model was not trained on",
        "unknown_program": "A program the model was not trained on",
        "feature_undefined": "A feature could not be measured",
        "beyond_training": "Unlike any essay the model was trained on",
    }
)
"""Every advisory a score may carry, by name."""
NO_SCORE = frozenset({"empty", "unknown_prompt", "unknown_program"})
"""Advisories of essays that get no score at all."""
FAR_OUT = 6.0
"""Standard deviations from the mean of the training essays beyond which a feature is like none of theirs."""


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

    @property
    def scored(self) -> bool:
        return isfinite(self.score)


def score_essays(
    essays: Iterable[Essay],
    model: EssayModel,
    discourse_model: DiscourseModel | None = None,
    *,
    programs: Sequence[str] = (),
) -> Iterator[EssayScore]:
    """The score of each essay in turn.

    Every essay is read by itself: the parser's last digits depend on what else it reads at the same time, and a score
    must not.
    """
    for number, essay in enumerate(essays):
        if model.kind == "v1":
            table = v1_table([essay], discourse_model)
        else:
            measured = list(measure_essays([essay], discourse_model))
            compared = essay if model.content else replace(essay, text="")  # its words are looked at by no one then
            table = EssayFeatures.of_measured([compared], measured)
        yield from score_table(table, model, programs=programs[number : number + 1])


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
        if equation is None or refused:
            scored.append(_unscored(table, row, features, doubts))
        else:
            scored.append(_scored(table, row, features, doubts, values[row], equation, model, float(common[row])))
    return scored


def check_prompts(prompts: Iterable[str], model: EssayModel) -> None:
    """InputError if the model knows none of these prompts, so that nothing could be scored."""
    known = set(model.equations) if model.grouping == "prompt" else set(model.content)
    asked = set(prompts)
    if not model.needs_prompt or not asked or asked & known:
        return
    raise InputError(
        f"the model was trained on {_some(known)}, and these essays are on {_some(asked)}. Name the prompt column with "
        "--prompt, or train a model that needs no prompt with --model generic10."
    )


def _some(names: set[str]) -> str:
    shown = ", ".join(repr(name) for name in sorted(names)[:3])
    return f"prompt {shown}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def model_features(table: EssayFeatures, model: EssayModel) -> Floats:
    """(essays, features): what the equations of a model take, prompt-specific vocabulary among it."""
    return model_values(table, model.features, model.shapes, _vocabulary(table, model))


def _vocabulary(table: EssayFeatures, model: EssayModel) -> Floats | None:
    """(essays, 2): prompt-specific vocabulary; None for a model without it."""
    if not model.content:
        return None
    found = np.full((len(table), 2), nan)
    for row, (prompt, content) in enumerate(zip(table.prompts, table.contents, strict=True)):
        if prompt in model.content:
            found[row] = vocabulary_of([content], model.content[prompt], model.vocabulary)[0]
    return found


def _measured(table: EssayFeatures, names: Sequence[str], vocabulary: Floats | None) -> Floats:
    values = table.columns(names).copy()
    for place, name in enumerate(names):
        if vocabulary is not None and name in VOCABULARY_FEATURES:
            values[:, place] = vocabulary[:, VOCABULARY_FEATURES.index(name)]
    return values


def _doubts(table: EssayFeatures, row: int, model: EssayModel, program: str) -> Iterator[Advisory]:
    """What the model itself has against scoring an essay."""
    prompt = table.prompts[row]
    told = {doubt.name for doubt in table.advisories[row]} if table.advisories else set()
    if "empty" not in told and "length" in table.position and not table.column("length")[row] > 0:
        yield Advisory("empty", "the essay holds no words")
    if (model.grouping == "prompt" and prompt not in model.equations) or (
        model.content and prompt not in model.content
    ):
        yield Advisory("unknown_prompt", f"no essays on {prompt!r} were among the training essays")
    if model.grouping == "program" and program not in model.equations:
        yield Advisory("unknown_program", f"no essays of {program!r} were among the training essays")
    if prompt in model.content:
        content = model.vocabulary.counted(table.contents[row])
        if content:
            vectors = model.content[prompt]
            yield from off_topic(vectors.familiarity(content), vectors.least_familiarity)


def _scored(
    table: EssayFeatures,
    row: int,
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
    shares = dict(zip(model.features, weights.shares(values[None])[0].tolist(), strict=True))
    return EssayScore(
        table.essay_ids[row],
        table.prompts[row],
        raw,
        score,
        low,
        high,
        equation.percentile(raw),
        features,
        shares,
        weights.average_score,
        (*doubts, *_odd_features(features, values, equation)),
        common,
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


def _unscored(
    table: EssayFeatures, row: int, features: Mapping[str, float], doubts: tuple[Advisory, ...]
) -> EssayScore:
    shares = dict.fromkeys(features, nan)
    return EssayScore(table.essay_ids[row], table.prompts[row], nan, nan, nan, nan, nan, features, shares, nan, doubts)
