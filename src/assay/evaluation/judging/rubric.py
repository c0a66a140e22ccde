"""`JudgeRubric`: the criteria a judge goes by, their levels, examples, and what a token costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import isclose, isfinite

import numpy as np

from assay.errors import InputError
from assay.scale import ScoreScale

MOST_CRITERIA, MOST_LEVELS, MOST_EXAMPLES = 50, 101, 50
WHOLE = "the rubric"
PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class RubricLevel:
    """A score or a label that a judge may give, and what it stands for."""

    value: float | str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that is judged, by levels that are all scores or all labels."""

    name: str
    levels: tuple[RubricLevel, ...]
    question: str = ""
    weight: float = 1.0
    """Its share in the score of an essay."""

    @property
    def is_score(self) -> bool:
        """Whether its levels are numbers."""
        return all(not isinstance(level.value, str) for level in self.levels)

    @property
    def values(self) -> tuple[float | str, ...]:
        """What a judge may give, in the order of the rubric; scores ascending."""
        values = tuple(level.value for level in self.levels)
        return tuple(sorted(values)) if self.is_score else values


@dataclass(frozen=True, slots=True)
class Example:
    """A text with the values it should get, shown to the judge."""

    text: str
    values: Mapping[str, float | str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost."""

    input: float
    output: float
    currency: str = "USD"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Of so many tokens sent and received.

        >>> Prices(2.5, 10).cost(400_000, 50_000)
        1.5
        """
        return (self.input * tokens_in + self.output * tokens_out) / PER_MILLION


@dataclass(frozen=True, slots=True)
class JudgeRubric:
    """What a judge goes by. A rubric that exists is sound: `rubric_mistakes` lists what would not be."""

    criteria: tuple[Criterion, ...]
    task: str = ""
    """What is judged and for whom, in the words of whoever wrote the rubric."""
    examples: tuple[Example, ...] = ()
    overall: str = ""
    """The criterion that is the score of an essay; empty for the weighted mean of all."""
    separate: bool = False
    """Whether each criterion is asked for by itself: no halo, more tokens."""
    temperature: float = 0.0
    most_tokens: int = 800
    """Of an answer."""
    prices: Prices | None = None
    name: str = field(default=WHOLE, compare=False)

    def __post_init__(self) -> None:
        if mistakes := list(rubric_mistakes(self)):
            raise InputError("; ".join(mistakes), source=self.name, field="rubric")

    @property
    def groups(self) -> tuple[tuple[Criterion, ...], ...]:
        """The criteria that one request asks for."""
        return tuple((criterion,) for criterion in self.criteria) if self.separate else (self.criteria,)


def rubric_mistakes(rubric: JudgeRubric) -> Iterator[str]:
    """What is wrong with a rubric, in words."""
    names = [criterion.name for criterion in rubric.criteria]
    if not names:
        yield "there are no criteria"
    if len(names) > MOST_CRITERIA:
        yield f"there are {len(names)} criteria; at most {MOST_CRITERIA} are asked for"
    yield from (f"criterion {name!r} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1)
    for criterion in rubric.criteria:
        yield from _criterion_mistakes(criterion)
    if rubric.overall and rubric.overall not in names:
        yield f"overall: there is no criterion {rubric.overall!r}"
    if not 0 <= rubric.temperature <= 2:
        yield f"temperature: {rubric.temperature:g} is not between 0 and 2"
    if not 16 <= rubric.most_tokens <= 100_000:
        yield f"most_tokens: {rubric.most_tokens} is not between 16 and 100,000"
    if rubric.prices and not all(isfinite(p) and p >= 0 for p in (rubric.prices.input, rubric.prices.output)):
        yield "prices: a price is 0 or more"
    if len(rubric.examples) > MOST_EXAMPLES:
        yield f"there are {len(rubric.examples)} examples; at most {MOST_EXAMPLES} are sent"
    by_name = {criterion.name: criterion for criterion in rubric.criteria}
    for number, example in enumerate(rubric.examples, start=1):
        for name, value in example.values.items():
            if name not in by_name:
                yield f"example {number}: there is no criterion {name!r}"
            elif value not in by_name[name].values:
                yield f"example {number}: {value!r} is no level of {name!r}"


_NAMES = "use 1 to 100 letters, without quotes, backslashes and line breaks"


def _is_name(text: str) -> bool:
    # a judge is shown it inside JSON
    return bool(text.strip()) and len(text) <= 100 and text.isprintable() and not set('"\\') & set(text)


def _criterion_mistakes(criterion: Criterion) -> Iterator[str]:
    if not _is_name(criterion.name):
        yield f"a criterion is named {criterion.name[:40]!r}: {_NAMES}"
    values = [level.value for level in criterion.levels]
    if len(values) < 2:
        yield f"criterion {criterion.name!r} has {len(values)} levels; a judge needs at least two to choose from"
    if len(values) > MOST_LEVELS:
        yield f"criterion {criterion.name!r} has {len(values)} levels; at most {MOST_LEVELS} are asked for"
    texts = [value for value in values if isinstance(value, str)]
    if texts and len(texts) < len(values):
        yield f"criterion {criterion.name!r} mixes scores and labels"
    yield from (f"criterion {criterion.name!r} has the label {t[:40]!r}: {_NAMES}" for t in texts if not _is_name(t))
    if any(not isinstance(value, str) and not isfinite(value) for value in values):
        yield f"criterion {criterion.name!r} has a score that is no number"
    folded = [value.strip().casefold() if isinstance(value, str) else value for value in values]
    yield from (
        f"criterion {criterion.name!r} has the level {value!r} twice"
        for value in dict.fromkeys(folded)
        if folded.count(value) > 1
    )
    if not (isfinite(criterion.weight) and criterion.weight > 0):
        yield f"criterion {criterion.name!r} has the weight {criterion.weight:g}; it must be above 0"


def essay_scale(rubric: JudgeRubric) -> ScoreScale:
    """The scale of an essay's score by this rubric; InputError where its criteria have no common one."""
    chosen = [c for c in rubric.criteria if not rubric.overall or c.name == rubric.overall]
    scales = {criterion.name: _scale_of(criterion) for criterion in chosen}
    remedy = 'Name the criterion that is the score of an essay: overall = "NAME".'
    for name, scale in scales.items():
        if scale is None:
            problem = f"the levels of criterion {name!r} are not evenly spaced scores, so no essay can be scored by it"
            raise InputError(problem, source=rubric.name, field="rubric", remedy=remedy)
    known = {str(scale): scale for scale in scales.values() if scale is not None}
    if len(known) > 1:
        problem = f"the criteria have different scales ({', '.join(known)}): their mean means nothing"
        raise InputError(problem, source=rubric.name, field="rubric", remedy=remedy)
    return next(iter(known.values()))


def _scale_of(criterion: Criterion) -> ScoreScale | None:
    if not criterion.is_score:
        return None
    values = [float(value) for value in criterion.values]
    step = values[1] - values[0]
    even = all(isclose(b - a, step, rel_tol=1e-9) for a, b in pairwise(values))
    scale = ScoreScale(values[0], values[-1], step)
    return scale if even and scale.has_points(np.array(values)).all() else None
