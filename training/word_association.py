"""How content words go with their neighbors: `python -m training.word_association` writes integrity/association.tsv.

The drafts of ArgRewrite V.2 (CC BY 4.0, Kashefi et al.) are counted as they are, and five times with 70 % of their
content words replaced by others of the same drafts drawn at random. Each cell holds the logarithm of the ratio of both
shares, at most 2 either way; few counts are drawn towards the mean over all words.
"""

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.essays.errors.runs import word_runs
from assay.essays.integrity import word_choice as measure
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text

ROOT = Path(__file__).resolve().parents[1]
DRAFTS = ROOT.parent / "shared/data/argrewrite/argrewrite2.parquet"
OUT = ROOT / "src/assay/essays/integrity/association.tsv"
SHAPE = (len(measure.COMMON) + 1, measure.NEIGHBOR_CELLS**2)
ROUNDS, REPLACED, PRIOR, MOST = 5, 0.7, 16.0, 2.0


def main() -> None:
    rng = np.random.default_rng(0)
    texts = [_numbers(text) for text in read_texts(pl.read_parquet(DRAFTS)["text"].to_list())]
    pool = np.concatenate([numbers[_content(numbers)] for numbers in texts])
    written, random = np.zeros(SHAPE), np.zeros(SHAPE)
    for numbers in texts:
        _count(written, numbers, _content(numbers))
        for _ in range(ROUNDS):
            places = np.flatnonzero(_content(numbers))
            places = places[rng.random(len(places)) < REPLACED]
            replaced = numbers.copy()
            replaced[places] = rng.choice(pool, len(places))
            counted = np.zeros(len(numbers), dtype=np.bool_)
            counted[places] = True
            _count(random, replaced, counted)
    table = np.clip(np.log(_shares(written) / _shares(random)), -MOST, MOST)
    head = "# log(share in essays / share among words at random): rows how common, columns left by right neighbor\n"
    head += "# Counted in ArgRewrite V.2 (Kashefi et al., CC BY 4.0) by training/word_association.py\n"
    OUT.write_text(head + "\n".join("\t".join(f"{value:.3f}" for value in row) for row in table) + "\n")
    print(int(written.sum()), int(random.sum()), OUT.stat().st_size)


def _numbers(text: Text) -> measure.Numbers:
    sentences = [measure.words_of(text, sentence) for sentence in text.sentences()]
    return measure.numbered([words for words in sentences if words], word_runs())


def _content(numbers: measure.Numbers) -> NDArray[np.bool_]:
    runs = word_runs()
    bounds = [runs.numbers["<s>"], runs.numbers["</s>"]]
    return (numbers < runs.size) & ~np.isin(numbers, bounds) & ~measure.function_words()[numbers]


def _count(counts: measure.Floats, numbers: measure.Numbers, counted: NDArray[np.bool_]) -> None:
    runs = word_runs()
    a, b, c, d = numbers[:-3], numbers[1:-2], numbers[2:-1], numbers[3:]
    pair, after = runs.pair(b, c), runs.pair(c, d)
    left = runs.log_p_between(runs.pair(a, b), pair, b, c) - runs.one[c]
    np.add.at(counts.ravel(), measure.cells_of(runs, numbers, left, pair, after)[counted[2:-1]], 1)


def _shares(counts: measure.Floats) -> measure.Floats:
    """By row, few counts drawn towards all rows together, and these towards no difference."""
    overall = (counts.sum(axis=0) + 1) / (counts.sum() + counts.shape[1])
    return (counts + PRIOR * overall) / (counts.sum(axis=1, keepdims=True) + PRIOR)


if __name__ == "__main__":
    main()
