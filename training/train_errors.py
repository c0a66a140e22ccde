"""Counts behind the statistical parts of error detection: `python -m training.train_errors [--free]`.

Reads 6,000 PERSUADE essays (CC BY-NC-SA 4.0) and writes two files into packages/assay-essays-nc: trigrams.npz (tags
and function words in a row) and bare_nouns.tsv (how often a singular noun stands without a determiner). With --free it
reads the essays of ArgRewrite V.2 (CC BY 4.0) and writes the free ones, under src/assay/essays/errors/lexicons. Both
hold counts only; words of fewer than 20 uses are left out.
"""

import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import polars as pl

from assay.essays.errors.lexicon import BOUNDARY, symbol
from assay.essays.errors.nouns import FRAMES, bare_candidates
from assay.essays.errors.reading import RuleContext, read
from assay.essays.text.reader import read_texts

HERE = Path(__file__).resolve().parents[1]
CORPUS = HERE.parent / "shared/data/persuade_discourse/elements_public.jsonl.gz"
FREE_CORPUS = HERE.parent / "shared/data/argrewrite/argrewrite2.parquet"
NON_COMMERCIAL = HERE / "packages/assay-essays-nc/src/assay_essays_nc"
FREE = HERE / "src/assay/essays/errors/lexicons"
LEAST_TRIGRAM, LEAST_NOUN = 3, 20


def free_essays() -> Iterator[RuleContext]:
    """All drafts: what they share is counted more than once, and that a writer kept it speaks for it."""
    yield from map(read, read_texts(pl.read_parquet(FREE_CORPUS)["text"].to_list()))


def essays(count: int) -> Iterator[RuleContext]:
    """A sample of the essays, always the same."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    random.Random(5).shuffle(texts)
    yield from map(read, read_texts(texts[:count]))


def count(readings: Iterable[RuleContext]) -> tuple[Counter[tuple[str, ...]], dict[str, list[int]]]:
    """Runs of one to three symbols; per noun its uses and bare uses in each frame."""
    runs: Counter[tuple[str, ...]] = Counter()
    nouns: dict[str, list[int]] = {}
    for r in readings:
        for first, end in zip(r.bounds, r.bounds[1:], strict=False):
            row = [BOUNDARY, BOUNDARY, *(symbol(r.lower[i], r.tags[i]) for i in range(first, end))]
            for k in range(2, len(row)):
                runs.update([(row[k],), (row[k - 1], row[k]), tuple(row[k - 2 : k + 1])])
            runs[BOUNDARY, BOUNDARY] += 1
            runs[BOUNDARY,] += 2
        for noun, _, frame, bare in bare_candidates(r):
            row_counts = nouns.setdefault(r.lower[noun], [0] * (2 * len(FRAMES)))
            row_counts[2 * frame] += 1
            row_counts[2 * frame + 1] += bare
    return runs, nouns


def write_trigrams(runs: Counter[tuple[str, ...]], folder: Path) -> None:
    names = sorted({name for run in runs for name in run})
    place = {name: k for k, name in enumerate(names)}
    size = len(names)

    def keys(length: int, least: int) -> tuple[np.ndarray, np.ndarray]:
        chosen = sorted(
            (sum(place[name] * size ** (length - 1 - k) for k, name in enumerate(run)), n)
            for run, n in runs.items()
            if len(run) == length and n >= least
        )
        found = np.array([key for key, _ in chosen], dtype=np.int64)
        return np.diff(found, prepend=0).astype(np.uint32), np.array([n for _, n in chosen], dtype=np.uint32)

    two, two_counts = keys(2, 2)
    three, three_counts = keys(3, LEAST_TRIGRAM)
    np.savez_compressed(
        folder / "trigrams.npz",
        symbols=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        one=np.array([runs[name,] for name in names], dtype=np.uint32),
        two=two, two_counts=two_counts, three=three, three_counts=three_counts,
    )  # fmt: skip


def write_nouns(nouns: dict[str, list[int]], folder: Path, source: str) -> None:
    header = "# noun\t" + "\t".join(f"{frame}, bare" for frame in FRAMES) + f"; counts from {source}, see NOTICE.txt"
    rows = [
        "\t".join([noun, *map(str, counts)])
        for noun, counts in sorted(nouns.items())
        if sum(counts[::2]) >= LEAST_NOUN and noun.isalpha() and noun.isascii()
    ]
    (folder / "bare_nouns.tsv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def main() -> None:
    free = "--free" in sys.argv
    runs, nouns = count(free_essays() if free else essays(6000))
    write_trigrams(runs, FREE if free else NON_COMMERCIAL)
    write_nouns(nouns, FREE if free else NON_COMMERCIAL, "ArgRewrite" if free else "PERSUADE")


if __name__ == "__main__":
    main()
