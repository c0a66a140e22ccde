"""`StudyCorpus`: scored essays of some programs and prompts, ready for the tables of the paper."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES, VocabularyRule, vocabulary_out_of_fold
from assay.essays.models.feature_table import EssayFeatures, model_values
from assay.essays.models.resolution import check_on_scale
from assay.metrics.correlation import pearson_r
from assay.scale import ScoreScale

Arguments = Sequence[Mapping[str, int]]

ALL = "all essays"
"""The one program of a corpus that names none."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a table, or a figure of it, cannot be made from this corpus."""

    reason: str


@dataclass(frozen=True, eq=False, slots=True)
class StudyCorpus:
    """Essays with human scores; entry i of every column belongs to essay i."""

    table: EssayFeatures
    """The twelve features as measured; the two of prompt-specific vocabulary may be NaN, they are made here."""
    candidates: tuple[str, ...] = ()
    """Who wrote each essay; empty where nobody says."""
    v1_values: Floats | None = None
    """(essays, `v1_measures.NAMES`); None where the features of v.1.3 were not measured."""
    arguments: tuple[Arguments, ...] = ()
    """The content words of each argument of each essay, for v.1.3."""

    @property
    def programs(self) -> tuple[str, ...]:
        return self.table.programs or (ALL,) * len(self.table)

    def at(self, rows: Rows) -> "StudyCorpus":
        """Some of the essays."""
        picked = rows.tolist()
        return StudyCorpus(
            self.table.at(rows),
            tuple(self.candidates[row] for row in picked) if self.candidates else (),
            None if self.v1_values is None else self.v1_values[rows],
            tuple(self.arguments[row] for row in picked) if self.arguments else (),
        )


@dataclass(frozen=True, eq=False, slots=True)
class PreparedCorpus:
    """A corpus with all that several tables need."""

    corpus: StudyCorpus
    names: tuple[str, ...]
    """The twelve features, in the order of the paper."""
    measured: Floats
    """(essays, 12): features as measured, prompt-specific vocabulary against the other essays of the prompt."""
    average: Floats
    """AHS: the mean of the first two human scores."""
    resolved: Floats
    """HRS, by which agreement is judged; NaN where two raters disagree and no third was asked."""
    scales: Mapping[str, ScoreScale]
    """Of each program."""
    left_out: Mapping[str, int]
    """Essays that play no part, by reason."""

    def program_rows(self) -> Iterator[tuple[str, Rows]]:
        """Each program and its essays."""
        return _groups(self.corpus.programs, np.arange(len(self.average)))

    def prompt_rows(self, rows: Rows | None = None) -> Iterator[tuple[str, Rows]]:
        """Each prompt and its essays, among some rows."""
        return _groups(self.corpus.table.prompts, np.arange(len(self.average)) if rows is None else rows)

    @property
    def read_twice(self) -> NDArray[np.bool_]:
        """Which essays have a first and a second score."""
        human = self.corpus.table.human
        both = human.first if human.second is None else human.first + human.second
        return np.isfinite(both) & (human.second is not None)

    @property
    def one_scale(self) -> bool:
        """Whether scores of all programs mean the same."""
        return len(set(self.scales.values())) == 1

    def shaped(self, shapes: Mapping[str, str]) -> Floats:
        """(essays, 12): the features in the shape a model takes them."""
        own = [shapes.get(name, "as_measured") for name in self.names]
        places = [self.names.index(name) for name in VOCABULARY_FEATURES]
        return model_values(self.corpus.table, self.names, own, self.measured[:, places])


def _groups(keys: Sequence[str], rows: Rows) -> Iterator[tuple[str, Rows]]:
    own = np.array(keys)[rows]
    for key in sorted(set(own.tolist()), key=natural):
        yield key, rows[own == key]


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A name as people sort it: grade 8 before grade 10.

    >>> sorted(["grade 10", "grade 8"], key=natural)
    ['grade 8', 'grade 10']
    """
    parts = [part for part in re.split(r"(\d+)", name) if part] or [""]
    return tuple((not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts)


def prepare(corpus: StudyCorpus, rule: VocabularyRule, scale: ScoreScale | None = None) -> PreparedCorpus:
    """The corpus without essays nobody scored or wrote, with its vocabulary features and its scales."""
    scored, written = np.isfinite(corpus.table.human.average()), corpus.table.column("length") > 0
    if not (scored & written).any():
        problem = "no essay has both words and a human score"
        remedy = ("Check the columns named with ", Field("text"), " and ", Field("score"), ".")
        raise InputError(problem, field="score", remedy=remedy)
    counts = {"no human score": int((~scored).sum()), "no words": int((scored & ~written).sum())}
    left_out = {reason: count for reason, count in counts.items() if count}
    used = corpus.at(np.flatnonzero(scored & written))
    average = used.table.human.average()
    resolved = used.table.human.resolved(scale.step if scale else 1.0) + 0.0  # no minus zero
    measured = used.table.columns(tuple(FEATURES)).copy()
    places = [list(FEATURES).index(name) for name in VOCABULARY_FEATURES]
    for _, own in _groups(used.table.prompts, np.arange(len(average))):
        judged = own[np.isfinite(resolved[own])]
        contents = [used.table.contents[row] for row in judged.tolist()]
        measured[judged[:, None], places] = vocabulary_out_of_fold(contents, resolved[judged], rule)
    programs = _groups(used.programs, np.arange(len(average)))
    scales = {program: scale or _scale(resolved[own], program) for program, own in programs}
    if scale is not None:
        check_on_scale(resolved[np.isfinite(resolved)], scale, "Name the right one with ")
    unresolved = int((~np.isfinite(resolved)).sum())
    if unresolved:
        left_out["scores more than a point apart and no third (left out of tables 5 and 6)"] = unresolved
    return PreparedCorpus(used, tuple(FEATURES), measured, average, resolved, scales, left_out)


def _scale(scores: Floats, program: str) -> ScoreScale:
    known = scores[np.isfinite(scores)]
    scale = ScoreScale.observed(known) if len(known) else None
    if scale is None:
        where = "" if program == ALL else f" of {program!r}"
        problem = f"the human scores{where} are all equal or lie on no regular score points"
        remedy = ("A study needs essays of several levels; name the scale with ", Field("scale"), ", as 1-6.")
        raise InputError(problem, field="scale", remedy=remedy)
    return scale


def correlation(first: Floats, second: Floats) -> float:
    """Pearson's r over the pairs where both are known; NaN with fewer than three."""
    known = np.isfinite(first) & np.isfinite(second)
    return pearson_r(first[known], second[known]) if known.sum() > 2 else float("nan")


def varying(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns hold at least two different values."""
    low, high = np.nanmin(values, axis=0, initial=np.inf), np.nanmax(values, axis=0, initial=-np.inf)
    return np.asarray(high - low > 1e-9 * np.maximum(1.0, np.abs(high)))
