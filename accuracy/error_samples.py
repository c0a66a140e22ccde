"""Findings to judge by hand: `python -m accuracy.error_samples [type ...]` writes them below /tmp/error_samples.

Essays are drawn from ELLIPSE, ASAP and ASAP 2.0 with a seed, so that rules can be judged on essays they were not
written on: `--seed N` changes the draw, `--essays N` the number of essays of each corpus.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path

import polars as pl

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_texts

DATA = Path(__file__).resolve().parents[2] / "shared/data"
CORPORA = {
    "ellipse/ellipse_train.parquet": "full_text",
    "asap/asap_public.parquet": "text",
    "asap2/asap2_public.parquet": "text",
}
OUT = Path("/tmp/error_samples")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("types", nargs="*")
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("--essays", type=int, default=150)
    options.add_argument("--sample", type=int, default=20)
    chosen = options.parse_args()
    wanted = frozenset(chosen.types or CATALOGUE)
    shown: defaultdict[str, list[str]] = defaultdict(list)
    for file, column in CORPORA.items():
        essays = pl.read_parquet(DATA / file)[column].sample(chosen.essays, seed=chosen.seed).to_list()
        for text in read_texts(essays):
            for f in findings(text, types=frozenset(CATALOGUE)):
                if f.type in wanted:
                    before, after = text.raw[max(0, f.start - 70) : f.start], text.raw[f.end : f.end + 50]
                    line = f"{before}[[{f.words}]]{after}  => {f.suggestion}"
                    shown[f.type].append(" ".join(line.split()))
    OUT.mkdir(exist_ok=True)
    for kind, lines in shown.items():
        random.Random(chosen.seed).shuffle(lines)
        (OUT / f"{kind}.txt").write_text("\n".join([f"{kind}: {len(lines)} findings", *lines[: chosen.sample]]) + "\n")
        print(kind, len(lines))


if __name__ == "__main__":
    main()
