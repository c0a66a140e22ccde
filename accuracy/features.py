"""How features go with human scores, and how often advisories are raised: `python -m accuracy.features [--every N]`.

Correlations are within each prompt, then averaged, as in Table 2 of Attali & Burstein (2005); "equal length" holds the
logarithm of the number of words constant. Prompt-specific features are leave-one-out. The discourse model in the
package was trained on most of these essays' discourse labels, never on their scores; `accuracy.discourse` measures
development on unseen topics. The thresholds of advisories, the choice of words that count for vocabulary and the
measure of topic were chosen on these same essays: their figures here are not those of an independent test. Essays are
read once and kept (`accuracy.feature_cache`).
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from accuracy.feature_cache import CORPORA, SETS, Corpus, corpus, there
from assay.essays.features.content import ContentModel, content_words, train_content
from assay.essays.features.features import FEATURES, Measured, PackedContents, with_content
from assay.essays.feedback.advisories import TITLES, WORD, Advisory, advisories
from assay.essays.text.text import Essay
from assay.io.essays.features_table import SCHEMA, features_row

TITLES_OF = {"ASAP 2.0": "asap2", "ASAP": "asap"}

PAPER: Mapping[str, tuple[float, float]] = {
    "grammar": (-0.38, -0.13),
    "usage": (-0.26, -0.11),
    "mechanics": (-0.46, -0.22),
    "style": (-0.58, -0.40),
    "development": (0.51, 0.67),
    "element_length": (0.08, 0.25),
    "type_token": (-0.49, -0.28),
    "vocabulary": (-0.58, -0.36),
    "word_length": (0.08, 0.38),
    "max_cos": (0.07, 0.42),
    "cos_highest": (0.31, 0.58),
    "length": (0.71, 0.83),
}
"""Lowest and highest of the ten programs in Table 2."""


def main() -> None:
    """Print Markdown tables for each corpus that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so many essays")
    parser.add_argument("--keep", type=Path, help="folder for the features tables")
    chosen = parser.parse_args()
    found = {title: name for title, name in TITLES_OF.items() if there(name)}
    if not found:
        sys.exit(f"{CORPORA} holds none of {', '.join(SETS.values())}: this measurement needs them")
    for title, name in found.items():
        whole = corpus(name)
        essays = Corpus(name, whole.table.gather_every(chosen.every))
        features = measured(essays)
        if chosen.keep:
            features.write_parquet(chosen.keep / f"{name}.parquet")
        show_correlations(title, features)
        show_advisories(title, features)
        show_caught(essays.table)


def measured(essays: Corpus) -> pl.DataFrame:
    """The features table of a corpus as `assay essays features` makes it, from what was kept of its essays."""
    table, contents = essays.table, PackedContents()
    for content in essays.contents():
        contents.append(content)
    kept = list(map(_kept, table.iter_rows(named=True)))
    prompts, scores = table["prompt"].cast(pl.String).to_list(), table["score"].cast(pl.Float64).to_list()
    names = map(Essay, table["essay_id"].cast(pl.String).to_list(), [""] * table.height, prompts)
    rows = map(features_row, names, scores, with_content(kept, contents, prompts, scores))
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row").with_columns(pl.col(list(FEATURES)).fill_nan(None))


def _kept(row: Mapping[str, Any]) -> Measured:
    values = {name: float("nan") if row[name] is None else row[name] for name in FEATURES}
    return Measured(values, tuple(Advisory(name, "") for name in row["advisories"].split()), {})


def show_correlations(name: str, features: pl.DataFrame) -> None:
    """Each feature's correlation within prompts against the range of the paper."""
    prompts = features["prompt"].unique(maintain_order=True).sort().to_list()
    print(f"\n## {name}: correlation with the human score, {features.height:,} essays of {len(prompts)} prompts\n")
    print(f"| feature | paper | mean r | equal length | {' | '.join(p[:12] for p in prompts)} | mean | SD |")
    print("|---" * (len(prompts) + 6) + "|")
    for feature in FEATURES:
        pairs = [correlation(features.filter(prompt=prompt), feature) for prompt in prompts]
        low, high = PAPER[feature]
        each = " | ".join(f"{r:.2f}" for r, _ in pairs)
        mean, held = np.mean(pairs, axis=0)
        known = features[feature].drop_nulls().to_numpy()
        spread = f"{known.mean():.4f} | {known.std():.4f}"
        print(f"| {feature} | {low:.2f} to {high:.2f} | {mean:.3f} | {held:.3f} | {each} | {spread} |")


def correlation(essays: pl.DataFrame, feature: str) -> tuple[float, float]:
    """Pearson r with the score over the essays where the feature is defined; and that at a given length."""
    known = essays.filter(pl.col("length") > 0).select(pl.col(feature).alias("value"), "score", pl.col("length").log())
    r = np.corrcoef(known.drop_nulls().to_numpy().T)
    held = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    return float(r[0, 1]), float(held) if feature != "length" else float("nan")


def show_advisories(name: str, features: pl.DataFrame) -> None:
    """How often each advisory is raised on essays that people scored."""
    raised = Counter(word for cell in features["advisories"].drop_nulls() for word in cell.split())
    print(f"\n{name}: advisories on {features.height:,} scored essays\n\n| advisory | essays | share |\n|---|---|---|")
    for advisory in TITLES:
        print(f"| {advisory} | {raised[advisory]} | {raised[advisory] / features.height:.2%} |")


def show_caught(essays: pl.DataFrame) -> None:
    """How often spoiled essays raise the advisory that fits."""
    print("\n| spoiled essays | caught |\n|---|---|")
    texts = essays["text"].gather_every(max(1, essays.height // 300)).to_list()
    for title, (advisory, spoil) in SPOILED.items():
        rng = random.Random(5)
        found = [advisory in names(WORD.findall(spoil(text, rng))) for text in texts]
        print(f"| {title} | {np.mean(found):.0%} |")
    found = list(strangers(essays))
    print(f"| essay on another prompt | {f'{np.mean(found):.0%}' if found else 'n/a: too few essays'} |", flush=True)


def names(words: Sequence[str]) -> set[str]:
    return {advisory.name for advisory in advisories(words)}


def strangers(essays: pl.DataFrame) -> Iterator[bool]:
    """Whether essays of other prompts are found off topic, 100 for each prompt."""
    contents = [content_words(WORD.findall(text)) for text in essays["text"]]
    prompts = essays["prompt"].cast(pl.String).to_numpy()
    rng = np.random.default_rng(5)
    for prompt in np.unique(prompts):
        model = _model(contents, np.flatnonzero(prompts == prompt), essays["score"].cast(pl.Float64).to_numpy())
        if np.isnan(model.least_familiarity):
            continue
        for row in rng.choice(np.flatnonzero(prompts != prompt), 100):
            yield model.familiarity(contents[row]) < model.least_familiarity


def _model(contents: Sequence[Mapping[str, int]], rows: NDArray[np.intp], scores: NDArray[np.float64]) -> ContentModel:
    return train_content([contents[row] for row in rows], scores[rows].tolist())


def _repeated(text: str, _: random.Random) -> str:
    words = text.split()
    return " ".join(words[: len(words) // 3] * 3)


def _mashed(text: str, rng: random.Random) -> str:
    return " ".join("".join(rng.sample(word, len(word))) for word in text.split())


SPOILED: Mapping[str, tuple[str, Callable[[str, random.Random], str]]] = {
    "first third written three times": ("repeated", _repeated),
    "letters of every word shuffled": ("gibberish", _mashed),
    "first 20 words only": ("too_short", lambda text, _: " ".join(text.split()[:20])),
}

if __name__ == "__main__":
    main()
