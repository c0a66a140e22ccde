"""The topic of every essay, and folds in which no topic of the test essays is seen in training.

The corpus does not name its prompts. Five are known for the essays that ASAP 2.0 has too; the others are told apart by
words of the task, refined by k-means on tf-idf. The clusters are clean: 13 prompts, of 404 to 1,455 essays.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

ASAP2 = "asap2/asap2_public.parquet"
COWBOY = '"A Cowboy Who Rode the Waves"'
CUES: Mapping[str, str] = {
    "Phones and driving": "texting driving driver drivers crash",
    "Summer projects": "summer project projects teacher-designed student-designed designed",
    "Extracurricular activities": "activity extracurricular activities required",
    "Community service": "community service volunteer",
    "Grades and sports": "average grade policy sports",
    "Phones at school": "phones cell policy lunch class",
    "Distance learning": "online home classes video conferencing distance",
    "Several opinions": "advice opinions opinion multiple someone",
}
FOLDS: Sequence[frozenset[str]] = (
    frozenset({"Does the electoral college work?", "Summer projects"}),
    frozenset({"Driverless cars", "Phones and driving", "Phones at school"}),
    frozenset({"Facial action coding system", "Distance learning"}),
    frozenset({"Car-free cities", "Extracurricular activities", "Grades and sports"}),
    frozenset({COWBOY, "Several opinions", "Community service"}),
)
"""Test topics of each fold: one of ASAP 2.0 and one or two others; like topics share a fold."""

ROUNDS = 6


def known_prompts(data: Path) -> dict[str, str]:
    """The prompt of each essay that ASAP 2.0 has."""
    table = pl.read_parquet(data / ASAP2, columns=["persuade_id", "prompt"])
    return dict(zip(table["persuade_id"], table["prompt"], strict=True))


def human_scores(data: Path) -> dict[str, int]:
    """The holistic score, 1 to 6, of each essay that ASAP 2.0 has."""
    table = pl.read_parquet(data / ASAP2, columns=["persuade_id", "score"])
    return dict(zip(table["persuade_id"], table["score"], strict=True))


def topics(raws: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """The topic of every essay id: the known prompt, else the nearest of the clusters grown from `CUES`."""
    ids = list(raws)
    vectors, vocabulary = tf_idf([raws[i] for i in ids])
    names = [*sorted(set(known.values())), *CUES]
    labels = np.array([names.index(known[i]) if i in known else -1 for i in ids])
    centres = np.stack([_first_centre(name, vectors, vocabulary, labels == k) for k, name in enumerate(names)])
    nearest = labels
    for _ in range(ROUNDS):
        lengths = np.linalg.norm(centres, axis=1, keepdims=True)
        nearest = np.where(labels >= 0, labels, (vectors @ (centres / lengths).T).argmax(axis=1))
        centres = np.stack([np.asarray(vectors[nearest == k].mean(axis=0)).ravel() for k in range(len(names))])
    return {i: names[k] for i, k in zip(ids, nearest.tolist(), strict=True)}


def _first_centre(
    name: str, vectors: sparse.csr_matrix, vocabulary: Mapping[str, int], members: NDArray[np.bool_]
) -> NDArray[np.float64]:
    if name in CUES:
        centre = np.zeros(len(vocabulary))
        centre[[vocabulary[word] for word in CUES[name].split() if word in vocabulary]] = 1
        return centre
    return np.asarray(vectors[members].mean(axis=0)).ravel()


def tf_idf(raws: Sequence[str]) -> tuple[sparse.csr_matrix, dict[str, int]]:
    """Rows of length 1, of (1 + log count) log(n / essays with the word), words in 30 essays to 40 % of them."""
    counts = [Counter(re.findall(r"[a-z][a-z'-]+", raw.lower())) for raw in raws]
    essays_with = Counter(word for count in counts for word in count)
    n = len(raws)
    kept = sorted(word for word, k in essays_with.items() if 30 <= k <= 0.4 * n)
    vocabulary = {word: column for column, word in enumerate(kept)}
    rows, columns, values = [], [], []
    for row, count in enumerate(counts):
        for word, k in count.items():
            if word in vocabulary:
                rows.append(row)
                columns.append(vocabulary[word])
                values.append((1 + np.log(k)) * np.log(n / essays_with[word]))
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(n, len(kept)))
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.csr_matrix(sparse.diags(1 / np.maximum(lengths, 1e-12)) @ matrix), vocabulary
