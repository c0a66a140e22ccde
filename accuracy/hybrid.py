"""How well the hybrid agrees with people: `python -m accuracy.hybrid [--prompts 1,2] [--asap2]`.

ASAP: for each prompt train on three of the four public folds (60 % of the corpus) and test on the fourth; mean over
folds, then over prompts. Scores of both raters are averaged for training where their mean is the score (prompts 2 to
6); cutoffs and figures use the resolved score. ASAP 2.0: five random folds over all prompts, one model for all.

All is learned from the training folds: vocabularies, topics, cutoffs. What the hybrid is made of (kernels, trees,
their settings and blend) was chosen on these same four ASAP folds, first by a prototype and then by us; differences
below .003 are noise. ASAP 2.0 played no part in the choice.
"""

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from accuracy.cross_prompt import hybrid_essays
from accuracy.essay_models import ASAP_SCALES
from accuracy.feature_cache import there
from accuracy.hybrid_cache import essays, measured
from assay.essays.models.erater.equation import agreement
from assay.essays.models.hybrid.model import score_read
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.models.hybrid.train import fit_hybrid
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

FIGURES = ("qwk", "exact", "kappa", "r")
MEAN_OF_TWO = ("2", "3", "4", "5", "6")
"""Prompts whose two raters score on the scale of the resolved score."""
ASAP2_FOLDS = 5


def judged(
    given: HybridEssays,
    average: Floats,
    resolved: Floats,
    fold: NDArray[np.integer],
    number: int,
    scale: ScoreScale,
) -> dict[str, float]:
    """The figures on one fold of a model trained on the others."""
    started = time.process_time()
    train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
    model = fit_hybrid(given.at(train), average[train], resolved[train], scale)
    trained = time.process_time()
    raw = np.array([score.raw for score in score_read(given.at(test), model)])
    found = agreement(resolved[test], raw, model.cutoffs.assign(raw), step=scale.step)
    seconds = (
        f"trained in {trained - started:.0f} s, {1000 * (time.process_time() - trained) / len(test):.0f} ms a score"
    )
    print(f"  fold {number}: {_words(found)}; {len(train):,} essays {seconds}", file=sys.stderr, flush=True)
    return found


def _words(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {found[name]:.4f}" for name in FIGURES)


def mean_of(each: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of every figure over folds, and the spread of kappa."""
    means = {name: float(np.mean([one[name] for one in each])) for name in FIGURES}
    return means | {"sd": float(np.std([one["qwk"] for one in each]))}


def on_asap(prompts: Sequence[str]) -> None:
    """A row per prompt."""
    table, measures = essays("asap"), measured("asap")
    own_prompt = table["prompt"].cast(pl.String).to_numpy()
    print("\n| ASAP prompt | QWK | SD of folds | exact (%) | kappa | r |\n|---|---|---|---|---|---|")
    found = []
    for prompt in prompts:
        rows = np.flatnonzero(own_prompt == prompt)
        own = table[rows.tolist()]
        resolved = own["score"].to_numpy().astype(np.float64)
        both = (own["rater1"].to_numpy().astype(np.float64) + own["rater2"].to_numpy()) / 2
        average = both if prompt in MEAN_OF_TWO else resolved
        given, fold = hybrid_essays(own, measures[rows]), own["fold"].to_numpy()
        scale = ScoreScale(*ASAP_SCALES[prompt])
        found.append(mean_of([judged(given, average, resolved, fold, number, scale) for number in range(4)]))
        show(prompt, found[-1])
    show("mean", {name: float(np.mean([one[name] for one in found])) for name in found[0]})


def on_asap2() -> None:
    """All prompts together, five random folds."""
    table, measures = essays("asap2"), measured("asap2")
    given = hybrid_essays(table, measures)
    scores = table["score"].to_numpy().astype(np.float64)
    fold = np.random.default_rng(5).permutation(len(scores)) % ASAP2_FOLDS
    print("\n| ASAP 2.0 | QWK | SD of folds | exact (%) | kappa | r |\n|---|---|---|---|---|---|")
    each = [judged(given, scores, scores, fold, number, ScoreScale(1, 6)) for number in range(ASAP2_FOLDS)]
    show("pooled", mean_of(each))


def show(name: str, found: dict[str, float]) -> None:
    """One row."""
    exact, kappa, r = found["exact"], found["kappa"], found["r"]
    print(f"| {name} | {found['qwk']:.4f} | {found['sd']:.3f} | {exact:.1f} | {kappa:.3f} | {r:.3f} |", flush=True)


def main() -> None:
    """Print Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", default=",".join(ASAP_SCALES), help="ASAP prompts; none for no ASAP")
    parser.add_argument("--asap2", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    if not there("asap") or not there("asap2"):
        sys.exit("../shared/data holds no ASAP and ASAP 2.0: this measurement needs them")
    if asked.prompts != "none":
        on_asap(asked.prompts.split(","))
    if asked.asap2:
        on_asap2()


if __name__ == "__main__":
    main()
