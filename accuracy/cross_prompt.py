"""Essays of a prompt nobody or hardly anybody has scored: `python -m accuracy.cross_prompt`.

ASAP, one prompt left out at a time. The ranking model is trained on the other seven; the target's essays are seen
without their scores, as published cross-prompt systems see them too. Source prompts of the target's genre (argument,
source-dependent, narrative) weigh 1, others 1/10. Then 10, 30 or 50 essays of the target are drawn at random, 30 times,
the model is calibrated with their scores and tested on the rest of the prompt.

The recipe (features within prompt, self-training, placing, Bayesian line and Gaussian process, and their constants) was
chosen by a prototype on these same eight prompts; the ridge on features and their squares and the weight of other
genres by us, by leaving out a second prompt (decision 0219).
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from accuracy.essay_models import ASAP_SCALES
from accuracy.feature_cache import there
from accuracy.hybrid_cache import essays, measured
from assay.essays.models.calibrated.calibrate import expected_placement, placed_scores
from assay.essays.models.calibrated.cross_prompt import (
    OTHER_GENRE,
    CrossPromptModel,
    LinearScore,
    SourcePrompt,
    UnlabeledPrompt,
    fit_ranker,
    median_words,
)
from assay.essays.models.calibrated.scale_placement import Placement, prompt_level, spread_before_rounding
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.text.text import Essay
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

GENRES = {"1": "argument", "2": "argument", "7": "narrative", "8": "narrative"}
"""The others answer a question on a text."""
DRAWS = 30
LABELS = (10, 30, 50)


@dataclass(frozen=True, eq=False, slots=True)
class Target:
    """A prompt with its pool and its human scores."""

    pool: UnlabeledPrompt
    scores: Floats
    fold: NDArray[np.int64]
    scale: ScoreScale


def hybrid_essays(table: pl.DataFrame, measures: Floats) -> HybridEssays:
    """Rows of a corpus as the hybrid takes them."""
    ids, prompts = table["essay_id"].cast(pl.String), table["prompt"].cast(pl.String)
    found = tuple(map(Essay, ids.to_list(), table["text"].to_list(), prompts.to_list()))
    return HybridEssays(found, measures, ((),) * len(found))


def targets() -> dict[str, Target]:
    """The eight prompts of ASAP."""
    table, measures = essays("asap"), measured("asap")
    prompts = table["prompt"].cast(pl.String).to_numpy()
    found = {}
    for prompt, ends in ASAP_SCALES.items():
        rows = np.flatnonzero(prompts == prompt)
        own = table[rows.tolist()]
        pool = UnlabeledPrompt.of(hybrid_essays(own, measures[rows]))
        scores = own["score"].to_numpy().astype(np.float64)
        found[prompt] = Target(pool, scores, own["fold"].to_numpy(), ScoreScale(*ends))
        print(f"\rread prompt {prompt}", end="", file=sys.stderr, flush=True)
    return found


def transfer_without(left_out: str, prompts: Mapping[str, Target]) -> CrossPromptModel:
    """What the other prompts teach."""
    others = {name: target for name, target in prompts.items() if name != left_out}
    genre = GENRES.get(left_out)
    sources = [
        SourcePrompt(t.pool.z, t.scores, 1.0 if GENRES.get(name) == genre else OTHER_GENRE)
        for name, t in others.items()
    ]
    levels = tuple(prompt_level(t.scores, median_words(t.pool.essays), t.scale) for t in others.values())
    return CrossPromptModel(fit_ranker(sources), levels, None)


def given(raw: Floats, scale: ScoreScale) -> Floats:
    """Raw scores rounded to the points of the scale."""
    return np.clip(np.rint(raw), scale.lowest, scale.highest)


def by_fold(target: Target, raw: Floats) -> float:
    """Quadratic weighted kappa in each public fold, averaged."""
    system = given(raw, target.scale)
    folds = [target.fold == number for number in np.unique(target.fold)]
    return float(np.mean([quadratic_weighted_kappa(target.scores[inside], system[inside]) for inside in folds]))


def with_labels(target: Target, rank: LinearScore, expected: Placement, n: int) -> Sequence[float]:
    """Kappa on the rest of the prompt for each draw of n scored essays."""
    found = []
    for draw in range(DRAWS):
        chosen = np.random.default_rng(draw).choice(len(target.scores), n, replace=False)
        scores = np.full(len(target.scores), np.nan)
        scores[chosen] = target.scores[chosen]
        placed, _ = placed_scores(target.pool, rank, scores, expected, target.scale)
        rest = np.isnan(scores)
        found.append(quadratic_weighted_kappa(target.scores[rest], given(placed.pool[rest], target.scale)))
    return found


def main() -> None:
    """Print a Markdown table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    if not there("asap"):
        sys.exit("../shared/data/asap is not there: this measurement needs it")
    prompts = targets()
    print("\n| prompt | r | no labels | mean and sd known |" + "".join(f" {n} labels (sd) |" for n in LABELS))
    print("|---" * (4 + len(LABELS)) + "|")
    rows = []
    for name, target in prompts.items():
        transfer = transfer_without(name, prompts)
        rank = target.pool.ranked(transfer)
        expected = expected_placement(transfer, target.pool.essays, target.scale)
        none = np.full(len(target.scores), np.nan)
        unlabelled, _ = placed_scores(target.pool, rank, none, expected, target.scale)
        known = target.scores.mean() + spread_before_rounding(target.scores.std(), target.scale) * rank.pool
        labelled = [with_labels(target, rank, expected, n) for n in LABELS]
        means = [float(np.mean(each)) for each in labelled]
        row = [pearson_r(target.scores, rank.pool), by_fold(target, unlabelled.pool), by_fold(target, known), *means]
        rows.append(row)
        spread = [f"{mean:.3f} ({np.std(each):.3f})" for mean, each in zip(means, labelled, strict=True)]
        print(f"| {name} | {row[0]:.3f} | {row[1]:.3f} | {row[2]:.3f} | {' | '.join(spread)} |", flush=True)
    print(f"| mean | {' | '.join(f'{value:.4f}' for value in np.mean(rows, axis=0))} |")


if __name__ == "__main__":
    main()
