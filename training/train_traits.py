"""Weights that tell six traits of language from characters: `python -m training.train_traits`.

Kernel ridge on runs of up to five characters of the ELLIPSE essays (3,911 essays by English learners, scores 1 to 5),
turned into a weight per bucket, to 255 steps. Writes traits.npz into
packages/assay-essays-nc; see NOTICE.txt beside it.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

from assay.essays.features.measures import LONGEST_TRAIT_RUN, TRAIT_BITS, TRAITS
from assay.essays.models.hybrid.ngrams import character_runs, run_matrix
from assay.essays.models.hybrid.parts import centred, fit_kernel_ridge, gram

ROOT = Path(__file__).resolve().parents[1]
ESSAYS = ROOT.parent / "shared" / "data" / "ellipse" / "ellipse_train.parquet"
OUT = ROOT / "packages/assay-essays-nc/src/assay_essays_nc/traits.npz"
RIDGE = 1.0


def main() -> None:
    """Train and write."""
    if not ESSAYS.exists():
        sys.exit(f"{ESSAYS} is not there: the weights are learned from it")
    table = pl.read_parquet(ESSAYS)
    rows = run_matrix(
        [character_runs(text, LONGEST_TRAIT_RUN, bits=TRAIT_BITS) for text in table["full_text"]], 2**TRAIT_BITS
    )
    kernel = centred(gram(rows))
    scale = float(np.trace(kernel)) / len(kernel)
    middle = np.asarray(rows.mean(axis=0)).ravel()
    weights, intercepts = [], []
    for trait in TRAITS:
        scores = table[trait].to_numpy().astype(np.float64)
        fit = fit_kernel_ridge(kernel / scale, scores, [RIDGE])
        own = (np.asarray(rows.T @ fit.dual).ravel() - fit.dual.sum() * middle) / scale
        weights.append(own)
        intercepts.append(fit.intercept - float(own @ middle))
        print(f"{trait}: r {np.corrcoef(scores, fit.left_out)[0, 1]:.3f} with human scores of essays left out")
    steps = np.abs(weights).max(axis=1) / 127
    counts = np.rint(np.array(weights) / steps[:, None]).astype(np.int8)
    np.savez_compressed(OUT, counts=counts, steps=steps, intercepts=np.array(intercepts))
    print(f"{OUT}: {OUT.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
