"""The features of e-rater v.1.3 that need no scored essays: some fifty counts and rates of one essay."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from assay.essays.features.analysis import Analysis
from assay.essays.models.v1.arguments import ArgumentPartition, partition
from assay.essays.models.v1.clauses import KINDS, count_clauses
from assay.essays.models.v1.cues import CUES

LONG = 7
"""Letters of a long word."""


@dataclass(frozen=True, slots=True)
class V1Measured:
    """The counts and rates of an essay by name, and the content words of each of its arguments."""

    values: Mapping[str, float]
    arguments: tuple[Mapping[str, int], ...]


def measure_v1(essay: Analysis) -> V1Measured:
    """What v.1.3 sees in an essay by itself; counts and rates of an essay without words are all 0."""
    arguments = partition(essay.text.raw)
    values = {**_size(essay), **_syntax(essay), **_discourse(essay, arguments)}
    return V1Measured(MappingProxyType(values), arguments.contents)


def _size(essay: Analysis) -> dict[str, float]:
    words, sentences = len(essay.words), essay.text.sentence_count
    letters = sum(sum(c.isalnum() for c in word) for word in essay.words)
    long = sum(len(word) >= LONG for word in essay.words)
    return {
        "words": float(words),
        "sentences": float(sentences),
        "paragraphs": float(essay.text.paragraph_count),
        "words_per_sentence": _per(words, sentences),
        "types": float(len(essay.word_counts)),
        "types_per_word": _per(len(essay.word_counts), words),
        "letters_per_word": _per(letters, words),
        "long_words": float(long),
        "long_words_per_word": _per(long, words),
    }


def _syntax(essay: Analysis) -> dict[str, float]:
    counts = count_clauses(essay.text)
    clauses = sum(counts[kind] for kind in KINDS if kind.endswith("_clauses")) + essay.text.sentence_count
    every = {"clauses": clauses, **counts}
    per_sentence = {f"{name}_per_sentence": _per(count, essay.text.sentence_count) for name, count in every.items()}
    return {**{name: float(count) for name, count in every.items()}, **per_sentence}


def _discourse(essay: Analysis, arguments: ArgumentPartition) -> dict[str, float]:
    cues = sum(arguments.cues.values())
    return {
        **{f"{kind}_cues": float(arguments.cues.get(kind, 0)) for kind in CUES},
        "cues": float(cues),
        "distinct_cues": float(arguments.distinct_cues),
        "cues_per_sentence": _per(cues, essay.text.sentence_count),
        "opening_cues": float(arguments.opening_cues),
        "arguments": float(len(arguments.words)),
        "supported_arguments": float(arguments.supported),
        "words_per_argument": _per(sum(arguments.words), len(arguments.words)),
        "longest_argument": float(max(arguments.words, default=0)),
    }


def _per(count: float, whole: float) -> float:
    return count / whole if whole else 0.0


NAMES: tuple[str, ...] = (
    "words",
    "sentences",
    "paragraphs",
    "words_per_sentence",
    "types",
    "types_per_word",
    "letters_per_word",
    "long_words",
    "long_words_per_word",
    "clauses",
    *KINDS,
    "clauses_per_sentence",
    *(f"{kind}_per_sentence" for kind in KINDS),
    *(f"{kind}_cues" for kind in CUES),
    "cues",
    "distinct_cues",
    "cues_per_sentence",
    "opening_cues",
    "arguments",
    "supported_arguments",
    "words_per_argument",
    "longest_argument",
)
"""The keys of `V1Measured.values`, in order."""
