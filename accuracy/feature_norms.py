"""What typical essays measure: `python -m accuracy.feature_norms [--every N]` writes norms.tsv.

Mean, standard deviation and deciles of each feature over essays of ASAP 2.0, for packages/assay-essays-nc. The free
norms in src/assay/essays/norms are those that the paper printed. Feedback holds an essay against them. Run
it again when an error type is switched on or off, or when the discourse model changes: both move the rates.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.essays.features.features import analyse_all, features_of
from assay.essays.feedback.norms import DECILES
from assay.io.models.scoring_models import bundled_discourse_model

ESSAYS = Path(__file__).resolve().parents[2] / "shared" / "data" / "asap2" / "asap2_public.parquet"
OUT = Path(__file__).resolve().parents[1] / "packages/assay-essays-nc/src/assay_essays_nc/norms.tsv"
ALONE = (
    "grammar", "usage", "mechanics", "style", "development", "element_length",
    "type_token", "vocabulary", "word_length", "length",
)  # fmt: skip
"""The features that need no other essays."""

NOTICE = """\
# Mean, standard deviation and deciles of essay features; made by accuracy/feature_norms.py.
# Measured on {essays:,} student essays of ASAP 2.0, grades 6 to 12.
# ASAP 2.0: S. Crossley and others, The Learning Agency Lab, CC BY-NC-SA 4.0. No text of it is in this file.
"""


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so many essays")
    parser.add_argument("--features", type=Path, help="a features table kept by accuracy.features, to save the reading")
    chosen = parser.parse_args()
    if chosen.features:
        table = pl.read_parquet(chosen.features)
        columns = {name: table[name].drop_nulls().to_numpy() for name in ALONE}
    elif ESSAYS.exists():
        columns = measured(pl.read_parquet(ESSAYS)["text"].gather_every(chosen.every))
    else:
        sys.exit(f"{ESSAYS} is not there: this measurement needs it")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text("\n".join(lines(columns)) + "\n", encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


def measured(texts: pl.Series) -> dict[str, NDArray[np.float64]]:
    """The values of each feature, undefined ones left out."""
    rows = [features_of(analysis) for analysis in analyse_all(texts, bundled_discourse_model())]
    found = {name: np.array([row[name] for row in rows]) for name in ALONE}
    return {name: values[~np.isnan(values)] for name, values in found.items()}


def lines(columns: dict[str, NDArray[np.float64]]) -> Iterator[str]:
    """The table: a notice, a head, a row per feature."""
    yield NOTICE.format(essays=max(map(len, columns.values()))).rstrip()
    yield "\t".join(["feature", "mean", "sd", *(f"p{decile}" for decile in DECILES)])
    for name, values in columns.items():
        numbers = [values.mean(), values.std(), *np.percentile(values, DECILES)]
        yield "\t".join([name, *(f"{number:.5g}" for number in numbers)])


if __name__ == "__main__":
    main()
