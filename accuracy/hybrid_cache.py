"""The hybrid's measures of scored corpora, kept between runs: `python -m accuracy.hybrid_cache [--fresh]`.

Reading 14,550 essays takes half an hour on two cores, a model a minute. The cache lies in `out/cache`, which git
ignores.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from accuracy.feature_cache import CACHE, CORPORA, SETS, blocks, code_digest, there
from assay.essays.features.features import analyse_all
from assay.essays.features.measures import NAMES, measures_of
from assay.execution.executor import open_executor
from assay.io.models.scoring_models import bundled_discourse_model

Floats = NDArray[np.float64]

MEASURING = ("features/*measures.*",)
"""What decides the values beside what decides the twelve features, below `src/assay/essays`."""


def essays(name: str) -> pl.DataFrame:
    """The corpus as its file has it."""
    return pl.read_parquet(CORPORA / SETS[name])


def measured(name: str, *, fresh: bool = False) -> Floats:
    """(essays, measures) of a corpus, from the cache where it is there and has today's measures, or measured now."""
    kept = CACHE / f"hybrid_{name}.npz"
    if kept.exists() and not fresh:
        with np.load(kept) as stored:
            if stored["names"].tolist() == list(NAMES):
                if str(stored["measured_by"]) != code_digest(*MEASURING):
                    print(f"note: {kept.name} was measured by other code; --fresh measures anew", file=sys.stderr)
                return np.asarray(stored["values"], dtype=np.float64)
    rows: list[Floats] = []
    digest = code_digest(*MEASURING)  # before: the code may change while essays are measured
    texts = essays(name)["text"].to_list()
    with open_executor() as executor:
        for block in executor.map_ordered(measure_block, blocks(texts)):
            rows.extend(block)
            print(f"\r{len(rows):,} of {len(texts):,}", end="", file=sys.stderr, flush=True)
    return keep(name, np.array(rows), digest)


def keep(name: str, values: Floats, measured_by: str) -> Floats:
    """The values, written to the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(CACHE / f"hybrid_{name}.npz", names=np.array(NAMES), values=values, measured_by=measured_by)
    return values


def measure_block(texts: Sequence[str]) -> list[Floats]:
    """What a worker process does."""
    return [measures_of(analysis) for analysis in analyse_all(texts, bundled_discourse_model())]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="measure again what is in the cache")
    anew = parser.parse_args().fresh
    for corpus in filter(there, SETS):
        print(corpus, measured(corpus, fresh=anew).shape)
