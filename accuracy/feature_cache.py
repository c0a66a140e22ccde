"""Corpora of scored essays with what was measured in them, kept between runs: `python -m accuracy.feature_cache`.

Measuring 14,550 essays takes minutes, building a model seconds. The cache lies in `out/cache`, which git ignores. It
notes a digest of the code that measures, and says when that has changed since; `--fresh` measures anew.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import polars as pl

from assay.essays.data_files import has_non_commercial
from assay.essays.features.content import content_words
from assay.essays.features.features import FEATURES, Analysis, analyse_all, features_of
from assay.essays.feedback.advisories import advisories
from assay.essays.models.scoring_model import LEARNED_LISTS
from assay.execution.executor import open_executor
from assay.io.models.scoring_models import bundled_discourse_model

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT.parent / "shared" / "data"
SETS = {"asap": "asap/asap_public.parquet", "asap2": "asap2/asap2_public.parquet"}
CACHE = ROOT / "out" / ("cache" if has_non_commercial() else "cache_free")
LEARNED = ROOT / "packages/assay-essays-nc/src/assay_essays_nc"
BLOCK = 32
MEASURING = ("text/*.py", "text/lexicons/*", "discourse/*.py", "errors/**/*", "features/*.py")
"""What decides the values, below `src/assay/essays`."""


@dataclass(frozen=True, eq=False, slots=True)
class Corpus:
    """A corpus as its file has it (text, score, prompt, fold ...), with the measured columns beside, in file order.

    Measured: the twelve features (prompt-specific ones empty: they depend on the training essays), `advisories`,
    `content_words` and `content_counts` (lists), `findings` (list of error types, one entry per finding), `tags` and
    `deps` (one string each, blanks between tokens), `sentences`, `paragraphs`, `labels` (discourse label per sentence).
    """

    name: str
    table: pl.DataFrame

    def contents(self) -> list[dict[str, int]]:
        """The content words of each essay with their counts."""
        words, counts = self.table["content_words"].to_list(), self.table["content_counts"].to_list()
        return [dict(zip(w, n, strict=True)) for w, n in zip(words, counts, strict=True)]


def there(name: str) -> bool:
    """Whether the corpus is on this machine."""
    return (CORPORA / SETS[name]).exists()


def corpus(name: str, *, fresh: bool = False, every: int = 1) -> Corpus:
    """A corpus with its measurements, or every so many of its essays; from the cache if there, or measured now."""
    kept = CACHE / f"{name}.parquet"
    if fresh or not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        digest = code_digest()  # before: the code may change while essays are measured
        measured = measure(pl.read_parquet(CORPORA / SETS[name]).gather_every(every))
        part = kept.with_suffix(".part")
        measured.with_columns(measured_by=pl.lit(digest)).write_parquet(part)
        part.replace(kept)
    table = pl.read_parquet(kept)
    if table["measured_by"][0] != code_digest():
        print(f"note: {kept.name} was measured by other code than today's; --fresh measures anew", file=sys.stderr)
    return Corpus(name, table)


def measure(essays: pl.DataFrame) -> pl.DataFrame:
    """The essays with the measured columns beside."""
    rows: list[dict[str, object]] = []
    with open_executor() as executor:
        for block in executor.map_ordered(measure_block, blocks(essays["text"].to_list())):
            rows.extend(block)
            print(f"\r{len(rows):,} of {essays.height:,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    schema = {"content_words": pl.List(pl.String), "content_counts": pl.List(pl.Int32), "findings": pl.List(pl.String)}
    return essays.hstack(pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None))


def blocks(texts: Sequence[str]) -> Iterator[list[str]]:
    for first in range(0, len(texts), BLOCK):
        yield [text or "" for text in texts[first : first + BLOCK]]


def measure_block(texts: Sequence[str]) -> list[dict[str, object]]:
    """What a worker process does."""
    return [_row(analysis) for analysis in analyse_all(texts, bundled_discourse_model())]


def _row(analysis: Analysis) -> dict[str, object]:
    values = features_of(analysis)
    content: Counter[str] = content_words(analysis.words)
    return {
        **{name: values[name] for name in FEATURES},
        "advisories": " ".join(doubt.name for doubt in advisories(analysis.words)),
        "content_words": list(content),
        "content_counts": list(content.values()),
        "findings": [finding.type for finding in analysis.findings],
        "tags": " ".join(tag.replace(" ", "_") for tag in analysis.text.tags),
        "deps": " ".join(analysis.text.deps),
        "sentences": analysis.text.sentence_count,
        "paragraphs": analysis.text.paragraph_count,
        "labels": " ".join(label.replace(" ", "_") for label in analysis.discourse.label_names),
    }


@cache
def code_digest(*more: str) -> str:
    """Ten hex digits that change when the code or the lists that measure an essay do; `more` names further files."""
    folder = ROOT / "src" / "assay" / "essays"
    found = sorted({path for pattern in (*MEASURING, *more) for path in folder.glob(pattern) if path.is_file()})
    if has_non_commercial():
        found += [LEARNED / name for name in ("discourse.npz", "traits.npz", *LEARNED_LISTS)]
    return sha256(b"".join(path.read_bytes() for path in found)).hexdigest()[:10]


def main() -> None:
    """Measure the corpora that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="measure again what is in the cache")
    parser.add_argument("--only", choices=list(SETS), help="one corpus")
    parser.add_argument("--every", type=int, default=1, help="take every so many essays")
    asked = parser.parse_args()
    for name in SETS:
        if there(name) and asked.only in (None, name):
            measured = corpus(name, fresh=asked.fresh, every=asked.every)
            print(f"{name}: {measured.table.height:,} essays in {CACHE / name}.parquet")


if __name__ == "__main__":
    main()
