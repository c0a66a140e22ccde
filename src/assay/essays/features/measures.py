"""FRONT of the hybrid's measures: some 150 numbers about an essay, each with a title in plain words."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from assay.essays.data_files import data_file
from assay.essays.discourse.model import LABELS, element_starts
from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES
from assay.essays.features import language_measures as language
from assay.essays.features.content import content_words
from assay.essays.features.features import FEATURES, Analysis
from assay.essays.models.hybrid.ngrams import character_runs
from assay.essays.text.text import is_placeholder

VOCABULARY = "vocabulary"
SIZE_TITLES, SENTENCE_TITLES = (
    {name: title for name, (title, _) in language.MEASURES[group].items()} for group in ("size", "sentence")
)
VOWELS = frozenset("aeiouy")


def size_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; an essay without words has log 1 = 0 of them."""
    words = len(essay.words)
    content = content_words(essay.words)
    paragraphs = max(1, essay.text.paragraph_count)
    return {
        "log_words": log1p(words),
        "sqrt_words": words**0.5,
        "fourth_root_words": words**0.25,
        "log_characters": log1p(sum(map(len, essay.text.words))),
        "log_types": log1p(len(essay.word_counts)),
        "log_content_types": log1p(len(content)),
        "log_content_words": log1p(sum(content.values())),
        "log_sentences": log1p(essay.text.sentence_count),
        "log_paragraphs": log(paragraphs),
        "words_per_paragraph": log1p(words / paragraphs),
    }


def sentence_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; NaN without sentences that have words."""
    lengths = essay.discourse.words[essay.discourse.words > 0].astype(float)
    if not len(lengths):
        return dict.fromkeys(SENTENCE_TITLES, float("nan"))
    openings = [essay.text.words[sentence[0]].casefold() for sentence in essay.text.sentences() if len(sentence)]
    syllables = sum(map(syllable_count, essay.words)) / max(1, len(essay.words))
    return {
        "sentence_length": float(np.log(lengths.mean())),
        "sentence_length_sd": float(np.log1p(lengths.std())),
        "longest_sentence": float(np.log(lengths.max())),
        "short_sentence_share": float((lengths < 8).mean()),
        "long_sentence_share": float((lengths > 30).mean()),
        "sentence_openings": len(set(openings)) / len(openings) ** 0.5,
        "reading_grade": float(np.clip(0.39 * lengths.mean() + 11.8 * syllables - 15.59, 0.0, 30.0)),
    }


def syllable_count(word: str) -> int:
    """Runs of vowels, without a silent e at the end; at least one.

    >>> [syllable_count(word) for word in ("house", "reading", "rhythm", "create")]
    [1, 2, 1, 1]
    """
    letters = word.casefold().removesuffix("e")
    runs = sum(a in VOWELS and b not in VOWELS for a, b in pairwise(letters + " "))
    return max(1, runs)


MARKS = language.MEASURES["mark"]
PUNCTUATION_TITLES: Mapping[str, str] = {
    **{name: f"{title} per 100 words" for name, (title, _) in MARKS.items()},
    "comma_count": "Commas",
    "quotation_count": "Quotation marks",
    "kinds_of_marks": "Different marks of punctuation",
}


def punctuation_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name: log(1 + uses per 100 words), and a few counts. Names taken out (@CAPS1) do not count."""
    signs = Counter("".join(word for word in essay.text.words if not is_placeholder(word)))
    words = max(1, len(essay.words))
    counts = {name: sum(signs[sign] for sign in signs_of) for name, (_, signs_of) in MARKS.items()}
    return {
        **{name: log1p(100 * count / words) for name, count in counts.items()},
        "comma_count": log1p(counts["commas"]),
        "quotation_count": log1p(counts["quotation_marks"]),
        "kinds_of_marks": float(sum(not (sign.isalnum() or sign.isspace()) for sign in signs)),
    }


ERROR_TITLES: Mapping[str, str] = {
    **{f"{category}_rate": f"{category.capitalize()} findings per word" for category in CATEGORIES},
    **{f"error_{name}": f"{kind.title} per 100 words" for name, kind in CATALOGUE.items()},
    "clean_sentences": "Share of sentences without an error",
    "error_kinds": "Different types of error",
    "misspelled_types": "Different misspelled words",
    "lower_case_i": "i written small",
}


def error_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name.

    Of a category log((findings + 1/2) / words), of a type log(1 + findings per 100 words).
    """
    words = max(1, len(essay.words))
    types = Counter(finding.type for finding in essay.findings)
    categories = Counter(finding.category for finding in essay.findings)
    begins = essay.text.starts[essay.text.sentence_starts[:-1]].tolist()
    marked = {bisect_right(begins, finding.start) for finding in essay.findings if finding.category != "style"}
    misspelled = {finding.words.casefold() for finding in essay.findings if finding.type == "spelling"}
    return {
        **{f"{category}_rate": log((categories[category] + 0.5) / words) for category in CATEGORIES},
        **{f"error_{name}": log1p(100 * types[name] / words) for name in CATALOGUE},
        "clean_sentences": 1 - len(marked) / len(begins) if begins else float("nan"),
        "error_kinds": float(sum(CATALOGUE[name].category != "style" for name in types)),
        "misspelled_types": log1p(len(misspelled)),
        "lower_case_i": log1p(100 * sum(word == "i" for word in essay.text.words) / words),
    }


ORGANIZATION_TITLES: Mapping[str, str] = {
    **{f"elements_{label.replace(' ', '_')}": f"Elements of {label}" for label in LABELS},
    **{f"words_{label.replace(' ', '_')}": f"Share of words in {label}" for label in LABELS},
    "development": "Development (thesis, main points, support, conclusion)",
    "element_length": "Words per discourse element",
    "label_changes": "Different kinds of elements",
}


def organization_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name, as expectations over the labeller's probabilities; NaN without sentences."""
    discourse = essay.discourse
    if not len(discourse.labels) or not discourse.words.sum():
        return dict.fromkeys(ORGANIZATION_TITLES, float("nan"))
    names = [label.replace(" ", "_") for label in LABELS]
    counts = element_starts(discourse.one_paragraph.single, discourse.one_paragraph.pair).sum(axis=0)
    shares = discourse.words @ discourse.posteriors / discourse.words.sum()
    present = 1 - np.prod(1 - discourse.posteriors, axis=0)
    return {
        **{f"elements_{name}": log1p(count) for name, count in zip(names, counts.tolist(), strict=True)},
        **{f"words_{name}": share for name, share in zip(names, shares.tolist(), strict=True)},
        "development": discourse.expected_development,
        "element_length": float(np.log(max(1.0, discourse.expected_average_element_length))),
        "label_changes": float(present.sum()),
    }


TRAITS = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")
TRAIT_TITLES = {f"trait_{trait}": f"{trait.capitalize()}, as raters of learner essays see it" for trait in TRAITS}
TRAIT_BITS, LONGEST_TRAIT_RUN = 15, 5


def trait_measures(essay: Analysis) -> dict[str, float]:
    """Six traits of language on their scale of 1 to 5, as far as characters tell; NaN without words or weights.

    The weights come from ELLIPSE (training/train_traits.py; `data_files`): its raters judged these traits from 1 to 5.
    What they foretell is no score: it tells a model how the language of an essay looks to people who were asked about
    language, whatever the prompt.
    """
    learned = _trait_weights()
    if not essay.words or learned is None:
        return dict.fromkeys(TRAIT_TITLES, float("nan"))
    weights, intercepts = learned
    runs = character_runs(essay.text.raw, LONGEST_TRAIT_RUN, bits=TRAIT_BITS)
    values = intercepts + weights[:, runs].sum(axis=1) / np.sqrt(len(runs))
    return dict(zip(TRAIT_TITLES, values.tolist(), strict=True))


@cache
def _trait_weights() -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """(traits, buckets) and (traits,); None without the data they were learned from."""
    place = data_file("traits.npz")
    if place is None:
        return None
    with place.open("rb") as file, np.load(file) as stored:
        return stored["counts"] * stored["steps"][:, None], stored["intercepts"]


GROUPS: Sequence[tuple[str, Callable[[Analysis], Mapping[str, float]], Mapping[str, str]]] = (
    ("Length", size_measures, SIZE_TITLES),
    ("Sentences", sentence_measures, SENTENCE_TITLES),
    ("Punctuation", punctuation_measures, PUNCTUATION_TITLES),
    ("Vocabulary", language.word_measures, language.WORD_TITLES),
    ("Errors", error_measures, ERROR_TITLES),
    ("Wording", language.wording_measures, language.WORDING_TITLES),
    ("Grammar", language.grammar_measures, language.GRAMMAR_TITLES),
    ("Organization", organization_measures, ORGANIZATION_TITLES),
    ("Language as a whole", trait_measures, TRAIT_TITLES),
    (
        "Vocabulary",
        lambda essay: {VOCABULARY: FEATURES[VOCABULARY].value(essay)},
        {VOCABULARY: FEATURES[VOCABULARY].title},
    ),
)
"""What each group of measures is about, its function and the titles of what it measures, in report order."""

TITLES: Mapping[str, str] = {name: title for _, _, titles in GROUPS for name, title in titles.items()}
NAMES: tuple[str, ...] = tuple(TITLES)
FAMILY: Mapping[str, str] = {name: family for family, _, titles in GROUPS for name in titles}
"""Measure -> what it is about."""


def measures_of(essay: Analysis) -> NDArray[np.float64]:
    """Every measure of an essay, in the order of `NAMES`; NaN where it is undefined."""
    values = {name: value for _, group, _ in GROUPS for name, value in group(essay).items()}
    return np.array([values[name] for name in NAMES])
