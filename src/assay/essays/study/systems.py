"""Tables 5 and 6 of the paper: kinds of models compared on essays they have not seen.

Prompt-specific models, v.1.3 among them, are built on one half of a prompt's essays and judged on the other, both ways;
generic ones on all other prompts of the program. Figures are per prompt, then averaged over the prompts of a program.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import nan

import numpy as np

from assay.errors import InputError
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.cutoffs import cutoff_rule
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.erater.model import KIND_FEATURES, TrainingPlan
from assay.essays.models.erater.v1_equation import fit_v1
from assay.essays.models.erater.v1_measures import content_of, topical_of, topical_out_of_fold
from assay.essays.models.erater.weights import fit_weights
from assay.essays.study.corpus import Missing, PreparedCorpus, varying
from assay.metrics.agreement import exact_agreement
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa

WEIGHTS: tuple[float | None, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, None)
"""Shares of essay length in the weights; None leaves length to the regression."""
REPORTED = (0.2, 0.3)
"""The weights of Table 6."""
LEAST_HALF = 20
"""Essays a half of a prompt needs for a model of its own."""
LEAST_JUDGED = 10
"""Essays on which agreement can be judged at all."""
LEAST_GENERIC = 40
MOST_OWN_SPREADS = 12
"""Score points up to which signal detection estimates a spread of raw scores for each, as the paper does on 1 to 6."""
ERATER = ("specific", "generic10", "generic12")
SYSTEMS = (*ERATER, "v1", "human")


@dataclass(frozen=True, slots=True)
class PromptFigures:
    """Agreement with the resolved score on the essays of one prompt."""

    prompt: str
    n: int
    kappa: float
    exact: float
    """A share, not per cent."""
    qwk: float


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """One system in one program, with one weight of essay length."""

    system: str
    program: str
    length_weight: float | None
    """None: free, or not a matter of weights (v.1.3, human raters)."""
    prompts: tuple[PromptFigures, ...]
    n: int = field(init=False)
    mean_kappa: float = field(init=False)
    sd_kappa: float = field(init=False)
    mean_exact: float = field(init=False)
    mean_qwk: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", len(self.prompts))
        for name in ("kappa", "exact", "qwk"):
            known = [value for own in self.prompts if np.isfinite(value := getattr(own, name))]
            object.__setattr__(self, f"mean_{name}", float(np.mean(known)) if known else nan)
            if name == "kappa":
                object.__setattr__(self, "sd_kappa", float(np.std(known, ddof=1)) if len(known) > 1 else nan)


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """All systems in all programs, and why some are missing."""

    figures: tuple[SystemFigures, ...]
    missing: Mapping[str, Mapping[str, str]]
    """Program -> system -> why."""

    def of(self, system: str, program: str, length_weight: float | None = None) -> SystemFigures | None:
        """The figures of one system in one program."""
        key = (system, program, length_weight)
        return next((f for f in self.figures if (f.system, f.program, f.length_weight) == key), None)


Judged = dict[float | None, PromptFigures]


@dataclass(frozen=True, eq=False, slots=True)
class StudyTask:
    """One system to be judged on one prompt."""

    prepared: PreparedCorpus
    shaped: Floats
    """(essays, 12): features in the shape models take them."""
    plan: TrainingPlan
    seed: int
    system: str
    program: str
    prompt: str
    rows: Rows
    """The essays of the program that have a resolved score."""
    own: Rows
    """Those of the prompt."""


SystemResult = tuple[str, str, str, Judged | Missing]
"""System, program, prompt, and what came out."""


def compare_systems(prepared: PreparedCorpus, plan: TrainingPlan, seed: int) -> Iterator[SystemResult]:
    """Every system judged on every prompt, one after another.

    Systems are judged by the resolved score, where there is one; two human raters by each other, wherever both read.
    """
    shared, judged = (prepared, prepared.shaped(plan.shapes), plan, seed), np.isfinite(prepared.resolved)
    for program, rows in prepared.program_rows():
        for system in SYSTEMS:
            for prompt, own in prepared.prompt_rows(rows):
                by_resolved = own if system == "human" else own[judged[own]]
                task = StudyTask(*shared, system, program, prompt, rows[judged[rows]], by_resolved)
                try:
                    yield system, program, prompt, _judge(task)
                except InputError as problem:
                    yield system, program, prompt, Missing(str(problem))


def gathered(results: Iterable[SystemResult]) -> SystemComparison:
    """The figures of each prompt put together by program."""
    prompts: dict[tuple[str, str, float | None], list[PromptFigures]] = {}
    reasons: dict[tuple[str, str], list[str]] = {}
    judged: set[tuple[str, str]] = set()
    for system, program, prompt, result in results:
        if isinstance(result, Missing):
            reasons.setdefault((program, system), []).extend((prompt, result.reason))
            continue
        judged.add((program, system))
        for weight, figures in result.items():
            prompts.setdefault((system, program, weight), []).append(figures)
    missing: dict[str, dict[str, str]] = {}
    for (program, system), (prompt, reason, *_) in reasons.items():
        # where some prompts were judged, the one that was not is named
        missing.setdefault(program, {})[system] = f"{prompt}: {reason}" if (program, system) in judged else reason
    return SystemComparison(tuple(SystemFigures(*key, tuple(own)) for key, own in prompts.items()), missing)


def _judge(task: StudyTask) -> Judged | Missing:
    count = len(task.own)
    if count < LEAST_JUDGED:
        return Missing(f"{count} essays; at least {LEAST_JUDGED} are needed to judge a system")
    if task.system == "human":
        return _human(task)
    if task.system in ("generic10", "generic12"):
        return _generic(task)
    if count < 2 * LEAST_HALF:
        return Missing(f"{count} essays; two halves of at least {LEAST_HALF} are needed")
    # two halves by chance; the same whatever else is in the corpus
    order = np.random.default_rng([task.seed, *task.prompt.encode()]).permutation(count)
    halves = (np.sort(task.own[order[: count // 2]]), np.sort(task.own[order[count // 2 :]]))
    return _v1(task, halves) if task.system == "v1" else _specific(task, halves)


def _human(task: StudyTask) -> Judged | Missing:
    human = task.prepared.corpus.table.human
    if human.second is None:
        return Missing("no second rater. Name one with --second-score.")
    twice = task.own[task.prepared.read_twice[task.own]]
    if len(twice) < LEAST_JUDGED:
        return Missing(f"{len(twice)} essays with two ratings; at least {LEAST_JUDGED} are needed")
    return {None: _figures(task.prompt, human.first[twice], human.second[twice])}


def _specific(task: StudyTask, halves: tuple[Rows, Rows]) -> Judged:
    """Both halves judged by the model of the other, vocabulary and all."""
    prepared, rule = task.prepared, task.plan.vocabulary
    scored = {weight: np.full(len(prepared.average), np.nan) for weight in WEIGHTS}
    places = [prepared.names.index(name) for name in prompt_vocabulary.VOCABULARY_FEATURES]
    contents = prepared.corpus.table.contents
    for train, test in (halves, halves[::-1]):
        learnt, seen = [contents[row] for row in train.tolist()], prepared.resolved[train]
        values, new = task.shaped[train].copy(), task.shaped[test].copy()
        values[:, places] = prompt_vocabulary.vocabulary_out_of_fold(learnt, seen, rule)
        vectors = prompt_vocabulary.content_vectors(learnt, seen, rule)
        new[:, places] = prompt_vocabulary.vocabulary_of([contents[row] for row in test.tolist()], vectors, rule)
        for weight in WEIGHTS:
            scored[weight][test] = _scores(task, weight, train, values, new)
    rows = np.concatenate(halves)
    return {w: _figures(task.prompt, prepared.resolved[rows], system[rows]) for w, system in scored.items()}


def _generic(task: StudyTask) -> Judged | Missing:
    """The prompt judged by a model of the other prompts of its program.

    Vocabulary features of a prompt compare its essays with others of the same prompt (five folds): the paper computes
    them from a sample of the prompt too, and only the weights are generic (decision 0222).
    """
    train = np.setdiff1d(task.rows, task.own)
    if not len(train):
        return Missing("one prompt in the program; a generic model learns from others")
    if len(train) < LEAST_GENERIC:
        return Missing(f"{len(train)} essays on other prompts; at least {LEAST_GENERIC} are needed")
    values, new = task.shaped[train], task.shaped[task.own]
    scored = {weight: _scores(task, weight, train, values, new) for weight in WEIGHTS}
    return {w: _figures(task.prompt, task.prepared.resolved[task.own], system) for w, system in scored.items()}


def _scores(task: StudyTask, weight: float | None, train: Rows, values: Floats, new: Floats) -> Floats:
    """Scores of new essays from a model of the training essays, both as (essays, 12)."""
    plan, prepared = task.plan, task.prepared
    of_kind = np.array([name in KIND_FEATURES[task.system] for name in prepared.names])
    places = np.flatnonzero(of_kind & varying(values))
    weights = fit_weights(
        [prepared.names[place] for place in places.tolist()],
        values[:, places],
        prepared.average[train],
        fixed={} if weight is None else {"length": weight},
        keep_wrong_signs=plan.keep_wrong_signs,
        ridge=plan.ridge,
    )
    scale = prepared.scales[task.program]
    raw = weights.predict(values[:, places])
    # on long scales distribution matching in place of signal detection (decision 0225)
    long = plan.cutoffs == "signal-detection" and len(scale.points()) > MOST_OWN_SPREADS
    cuts = cutoff_rule("distribution" if long else plan.cutoffs)(raw, prepared.resolved[train], scale)
    return cuts.assign(weights.predict(new[:, places]))


def _v1(task: StudyTask, halves: tuple[Rows, Rows]) -> Judged | Missing:
    """Both halves judged by the v.1.3 model of the other."""
    corpus, resolved = task.prepared.corpus, task.prepared.resolved
    if corpus.v1_values is None or not corpus.arguments:
        return Missing("the features of v.1.3 were not measured")
    scored = np.full(len(resolved), np.nan)
    for train, test in (halves, halves[::-1]):
        learnt, seen = [corpus.arguments[row] for row in train.tolist()], resolved[train]
        values = np.hstack([corpus.v1_values[train], topical_out_of_fold(learnt, seen)])
        vectors = content_of(learnt, seen)
        new = np.hstack([corpus.v1_values[test], topical_of([corpus.arguments[row] for row in test.tolist()], vectors)])
        scored[test] = fit_v1(values, seen, task.prepared.scales[task.program]).score(new)
    rows = np.concatenate(halves)
    return {None: _figures(task.prompt, resolved[rows], scored[rows])}


def _figures(prompt: str, human: Floats, system: Floats) -> PromptFigures:
    kappa, qwk = cohen_kappa(human, system), quadratic_weighted_kappa(human, system)
    return PromptFigures(prompt, len(human), kappa, exact_agreement(human, system) / 100, qwk)
