"""Correlation of the four error rates with the human score within prompts: `python -m accuracy.error_features [n]`.

A rate is the number of findings of a category, over the types that are on, divided by the number of words.
Correlations are taken within each prompt, over n essays of it, and averaged; the partial one holds the number of words
constant.
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.errors.merge import findings
from assay.essays.reader import read_texts
from assay.essays.text import Text

DATA = Path(__file__).resolve().parents[2] / "shared/data"
CORPORA = {"ASAP 2.0": "asap2/asap2_public.parquet", "ASAP": "asap/asap_public.parquet"}


def partial(r_xy: float, r_xz: float, r_yz: float) -> float:
    """The correlation of x and y with z held constant."""
    return float((r_xy - r_xz * r_yz) / ((1 - r_xz**2) * (1 - r_yz**2)) ** 0.5)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    for corpus, file in CORPORA.items():
        table = pl.read_parquet(DATA / file)
        shown: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        means: defaultdict[str, list[float]] = defaultdict(list)
        for prompt in sorted(table["prompt"].unique()):
            rows = table.filter(pl.col("prompt") == prompt)
            rows = rows.sample(min(most, rows.height), seed=17)
            measured = [measure(text) for text in read_texts(rows["text"])]
            columns = np.array(measured)  # (essays, 1 + categories)
            score, words = rows["score"].to_numpy().astype(float), columns[:, 0]
            length = np.corrcoef(words, score)[0, 1]
            for k, category in enumerate(CATEGORIES, start=1):
                rate = columns[:, k] / words
                r = np.corrcoef(rate, score)[0, 1]
                shown[category].append((r, partial(r, np.corrcoef(rate, words)[0, 1], length)))
                means[category].append(float(rate.mean()))
        for category, pairs in shown.items():
            each = " ".join(f"{r:+.2f}" for r, _ in pairs)
            mean, held = np.mean(pairs, axis=0)
            heading = f"{corpus:9} {category:10} mean rate {np.mean(means[category]):.4f}"
            print(f"{heading}  r {mean:+.3f}  at equal length {held:+.3f}  by prompt {each}")


def measure(text: Text) -> list[float]:
    """Words, then the findings of each category."""
    found = findings(text)
    return [float(max(1, len(text.words_only()))), *(float(sum(f.category == c for f in found)) for c in CATEGORIES)]


if __name__ == "__main__":
    main()
