"""The labelled essays of the PERSUADE corpus, parsed once, with a discourse label for every sentence.

Texts stay in the data folder and in a cache outside the repository; only weights derived from them are kept.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import STATES
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text

ELEMENTS = "persuade_discourse/elements_public.jsonl.gz"
ESSAYS_PER_FILE = 500
LEAST_COVERED = 0.3
DOUBLED = frozenset({"Position", "Claim", "Counterclaim", "Rebuttal"})
SEPARATOR = "\x1f"

Labels = NDArray[np.int8]
Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class RawEssay:
    """An essay as the corpus has it: its elements are character spans."""

    essay_id: str
    raw: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False, slots=True)
class LabelledEssay:
    """A parsed essay and the state (an index into `STATES`) of each of its sentences."""

    essay_id: str
    text: Text
    states: Labels


def raw_essays(data: Path) -> list[RawEssay]:
    """All essays in the order of their ids, which are random: any slice is a random sample."""
    with gzip.open(data / ELEMENTS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    essays = [RawEssay(row["id"], row["text"], tuple((t, a, b) for t, a, b in row["spans"])) for row in rows]
    return sorted(essays, key=lambda essay: essay.essay_id)


def without_line_breaks(essay: RawEssay) -> RawEssay:
    """The same essay in one paragraph: every run of white space is one blank, and the spans move along."""
    kept: list[str] = []
    moved = np.zeros(len(essay.raw) + 1, dtype=np.int64)
    for i, letter in enumerate(essay.raw):
        moved[i] = len(kept)
        if not letter.isspace():
            kept.append(letter)
        elif kept and kept[-1] != " ":
            kept.append(" ")
    moved[-1] = len(kept)
    last = len(essay.raw)
    spans = tuple((kind, int(moved[a]), int(moved[min(b, last)])) for kind, a, b in essay.spans)
    return RawEssay(essay.essay_id, "".join(kept), spans)


def sentence_states(text: Text, spans: Sequence[Span]) -> Labels:
    """The element type that covers most of each sentence.

    Letters count double for thesis and main points, which are short and often share a sentence with their evidence;
    a sentence of which less than 30 % is covered is Other. Claims, counterclaims and rebuttals compete as one.
    """
    covered = np.zeros((text.sentence_count, len(STATES)))
    letters = np.add.reduceat(text.ends - text.starts, text.sentence_starts[:-1])
    sentence_of = np.repeat(np.arange(text.sentence_count), np.diff(text.sentence_starts))
    for kind, start, end in spans:
        shared = np.clip(np.minimum(text.ends, end) - np.maximum(text.starts, start), 0, None)
        np.add.at(covered[:, STATES.index(kind)], sentence_of, shared)
    weighed = covered * [2.0 if state in DOUBLED else 1.0 for state in STATES]
    mains = [STATES.index(state) for state in ("Claim", "Counterclaim", "Rebuttal")]
    best_main = np.asarray(mains)[covered[:, mains].argmax(axis=1)]
    pooled = weighed.copy()
    pooled[:, mains] = 0
    pooled[np.arange(len(pooled)), best_main] = weighed[:, mains].sum(axis=1)
    states = pooled.argmax(axis=1)
    return np.where(covered.sum(axis=1) < LEAST_COVERED * letters, STATES.index("Other"), states).astype(np.int8)


def labelled_essays(essays: Sequence[RawEssay], cache: Path, name: str) -> Iterator[LabelledEssay]:
    """Parsed and labelled essays, from the cache where it has them."""
    cache.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(essays), ESSAYS_PER_FILE):
        part = essays[first : first + ESSAYS_PER_FILE]
        path = cache / f"{name}-{first:05}.npz"
        if not path.exists():
            _write(path, list(read_texts(essay.raw for essay in part)))
        for essay, text in zip(part, _read(path, part), strict=True):
            if text.sentence_count:
                yield LabelledEssay(essay.essay_id, text, sentence_states(text, essay.spans))


_STRINGS = ("tags", "deps")
_PLACES = ("starts", "ends", "heads", "sentence_starts", "sentence_paragraph")


def _write(path: Path, texts: Sequence[Text]) -> None:
    columns: dict[str, NDArray[np.generic]] = {}
    for name in _STRINGS:
        columns[name] = np.array([SEPARATOR.join(getattr(text, name)) for text in texts])
    for name in _PLACES:
        parts = [getattr(text, name) for text in texts]
        columns[name] = np.concatenate(parts)
        columns[f"{name}_sizes"] = np.array([len(part) for part in parts])
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, **columns)  # type: ignore[arg-type]  # numpy's stub wants allow_pickle here
    unfinished.rename(path)


def _read(path: Path, essays: Sequence[RawEssay]) -> Iterator[Text]:
    with np.load(path) as stored:
        columns = {name: stored[name] for name in stored.files}
    pieces = {n: np.split(columns[n], np.cumsum(columns[f"{n}_sizes"])[:-1]) for n in _PLACES}
    for i, essay in enumerate(essays):
        places = {name: pieces[name][i] for name in _PLACES}
        spans = zip(places["starts"].tolist(), places["ends"].tolist(), strict=True)
        tags, deps = (str(columns[name][i]).split(SEPARATOR) for name in _STRINGS)
        yield Text(
            raw=essay.raw, words=tuple(essay.raw[a:b] for a, b in spans), tags=tuple(tags), deps=tuple(deps), **places
        )
