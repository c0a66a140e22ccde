"""An essay analysed, and its twelve features of e-rater v.2.0, by name and in the order of the paper.

Source: Attali & Burstein (2005).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nsmallest
from math import isfinite, isnan, nan
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.discourse import Discourse, label_sentences
from assay.essays.discourse.model import DiscourseModel
from assay.essays.errors.catalogue import Finding
from assay.essays.errors.lexicon import words
from assay.essays.errors.merge import findings
from assay.essays.features.content import ContentModel, ContentSimilarity, content_words, train_content
from assay.essays.feedback.advisories import Advisory, off_topic
from assay.essays.integrity.detectors import text_advisories
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Essay, Text, frequency_index, is_placeholder, word_form, word_list, written_words


@dataclass(frozen=True, eq=False, slots=True)
class Analysis:
    """An essay as it was understood."""

    text: Text
    words: tuple[str, ...]
    """As people count them."""
    word_counts: Mapping[str, int]
    """How often each word occurs, capitals aside."""
    findings: tuple[Finding, ...]
    discourse: Discourse
    content: ContentSimilarity | None = None
    """None while no scored essays of the prompt are known."""


def analyse(text: Text, discourse_model: DiscourseModel | None = None) -> Analysis:
    """What the rules and the discourse model say about a text; without a model, rules of place label its sentences."""
    words = tuple(written_words(text))
    word_counts = Counter(map(word_form, words))
    return Analysis(text, words, word_counts, findings(text), label_sentences(text, discourse_model))


def analyse_all(raws: Iterable[str], discourse_model: DiscourseModel | None = None) -> Iterator[Analysis]:
    """The analysis of each raw text in turn, parsed several at once."""
    return (analyse(text, discourse_model) for text in read_texts(raws))


RANK = 5
"""The paper takes the fifth lowest index, so that one odd word does not decide."""
LEVEL = "Vocabulary level (frequency of the fifth rarest word)"
AEL, NEAREST, BEST = (
    "Words per discourse element",
    "Score point of the most similar essays",
    "Similarity to the best essays",
)
NO_WORDS = "the essay has no words"
NO_ELEMENTS = "the essay has no discourse elements"
NO_SCORED = "no scored essays of this prompt to compare with"


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about an essay: how it is called, which way is better, and why it may be undefined."""

    name: str
    title: str
    better: Literal["higher", "lower"]
    """Which values go with higher human scores, by Table 2 of the paper."""
    value: Callable[[Analysis], float]
    undefined: str
    """Why the value may be NaN, in words for a reader."""


def error_rate(essay: Analysis, category: str) -> float:
    """Errors of a category per word."""
    return sum(finding.category == category for finding in essay.findings) / len(essay.words)


OVERUSED_SHARE, OVERUSED_USES, OVERUSED_WEIGHT = 0.015, 3, 0.03
LONG_SENTENCE = 45


def style_rate(essay: Analysis) -> float:
    """Informal words, very long sentences, sentences that begin with a conjunction, and overused words, per word.

    All that there are, not the few that a writer is shown. A word counts as overused if it is no function word and at
    least 15 in 1,000 words; each use counts as .03 of a remark, since most such words are the topic
    (docs/decisions/0133-what-counts-as-style.md).
    """
    text, total = essay.text, len(essay.words)
    remarks = sum(finding.type == "informal" for finding in essay.findings)
    spoken = np.array([word[0].isalnum() for word in text.words], dtype=np.int64)
    remarks += int((np.add.reduceat(spoken, text.sentence_starts[:-1]) > LONG_SENTENCE).sum())
    firsts = [text.words[i] for i in text.sentence_starts[:-1].tolist()]
    remarks += sum(word[:1].isupper() and word.lower() in ("and", "but", "or", "so") for word in firsts)
    of_grammar = word_list("function_words") | words("common_words.txt")
    least = max(OVERUSED_USES, OVERUSED_SHARE * total)
    overused = sum(
        n for word, n in essay.word_counts.items() if n >= least and len(word) > 2 and word not in of_grammar
    )
    return float((remarks + OVERUSED_WEIGHT * overused) / total)


def vocabulary_level(essay: Analysis) -> float:
    """The fifth lowest standardised frequency index among the words of the essay; lower means rarer words.

    Each distinct word counts once, without a possessive 's, and only if it is spelled right and no name: more than half
    of the rarest words in student essays would otherwise be misspellings, whose low frequency says nothing of
    vocabulary. NaN if fewer than five words remain. The paper does not say how it treats misspelled words.
    """
    index, spelled = frequency_index(), word_list("spelled_words")
    bases = {form.removesuffix("'s") for form in essay.word_counts}
    lowest = nsmallest(RANK, [index[base] for base in bases if base in spelled])
    return lowest[-1] if len(lowest) == RANK else float("nan")


def average_word_length(essay: Analysis) -> float:
    """Mean number of letters and digits of the words; names taken out (@PERSON1) are left aside. NaN without words."""
    lengths = [sum(c.isalnum() for c in word) for word in essay.words if not is_placeholder(word)]
    return sum(lengths) / len(lengths) if lengths else float("nan")


_ALL = (
    Feature("grammar", "Grammar errors per word", "lower", partial(error_rate, category="grammar"), NO_WORDS),
    Feature("usage", "Usage errors per word", "lower", partial(error_rate, category="usage"), NO_WORDS),
    Feature("mechanics", "Mechanics errors per word", "lower", partial(error_rate, category="mechanics"), NO_WORDS),
    Feature("style", "Remarks on style per word", "lower", style_rate, NO_WORDS),
    # Organization and development are expectations over the labeller's probabilities, which follow the human score more
    # closely than counts of its most probable labels; `assay.essays.discourse.model` has the formulas.
    Feature("development", "Development", "higher", lambda e: e.discourse.expected_development, NO_WORDS),
    Feature("element_length", AEL, "higher", lambda e: e.discourse.expected_average_element_length, NO_ELEMENTS),
    Feature("type_token", "Distinct words per word", "lower", lambda e: len(e.word_counts) / len(e.words), NO_WORDS),
    Feature("vocabulary", LEVEL, "lower", vocabulary_level, "fewer than five words of known frequency"),
    Feature("word_length", "Average word length", "higher", average_word_length, NO_WORDS),
    # prompt-specific vocabulary: the words of the essay against those of scored essays on the same prompt
    Feature("max_cos", NEAREST, "higher", lambda e: e.content.max_cos() if e.content else nan, NO_SCORED),
    Feature("cos_highest", BEST, "higher", lambda e: e.content.cos_highest() if e.content else nan, NO_SCORED),
    Feature("length", "Words", "higher", lambda e: float(len(e.words)), NO_WORDS),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({feature.name: feature for feature in _ALL})


def features_of(essay: Analysis) -> dict[str, float]:
    """Every feature of an essay by name; NaN where it is undefined, and all but its length without words."""
    words = bool(essay.words)
    return {name: feature.value(essay) if words or name == "length" else nan for name, feature in FEATURES.items()}


def why_undefined(values: Mapping[str, float]) -> dict[str, str]:
    """The reason for every feature that is NaN."""
    return {name: FEATURES[name].undefined for name, value in values.items() if isnan(value)}


LEAST_SCORED = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """The features of one essay by name, reasons for doubt, and the content words others are compared by."""

    values: Mapping[str, float]
    advisories: tuple[Advisory, ...]
    content: Mapping[str, int]


def measure_essays(essays: Sequence[Essay], discourse_model: DiscourseModel | None = None) -> Iterator[Measured]:
    """Each essay measured by itself: prompt-specific features are NaN, and nothing is said of the topic."""
    analyses = analyse_all((essay.text for essay in essays), discourse_model)
    for essay, analysis in zip(essays, analyses, strict=True):
        doubts = text_advisories(analysis.text, analysis.words, prompt=essay.prompt)
        yield Measured(features_of(analysis), doubts, content_words(analysis.words))


class PackedContents(Sequence[Mapping[str, int]]):
    """The content words of many essays in little memory: some 1 kB each instead of 15 kB.

    Word counts kept as numbers of words in one common list; each comes back as the mapping it was.

    >>> contents = PackedContents()
    >>> contents.append({"dog": 2, "cat": 1})
    >>> contents[0]
    {'dog': 2, 'cat': 1}
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._position: dict[str, int] = {}
        self._packed: list[NDArray[np.int32]] = []

    def append(self, content: Mapping[str, int]) -> None:
        """One essay more."""
        for word in content:
            if self._position.setdefault(word, len(self._words)) == len(self._words):
                self._words.append(word)
        pairs = [(self._position[word], count) for word, count in content.items()]
        self._packed.append(np.array(pairs, dtype=np.int32).reshape(-1, 2))

    def at(self, rows: Sequence[int]) -> "PackedContents":
        """The essays of some rows, nothing copied."""
        chosen = PackedContents()
        chosen._words, chosen._position = self._words, self._position
        chosen._packed = [self._packed[row] for row in rows]
        return chosen

    def __len__(self) -> int:
        return len(self._packed)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return {self._words[place]: count for place, count in self._packed[index].tolist()}


def with_content(
    measured: Sequence[Measured], contents: PackedContents, prompts: Sequence[str], scores: Sequence[float]
) -> Iterator[Measured]:
    """The same essays, with max. cos., cos. w/highest and the advisory on topic, leave-one-out within their prompt.

    An essay without a human score is compared with all scored ones of its prompt. With fewer than two scored essays the
    features stay NaN.
    """
    scored: defaultdict[str, list[int]] = defaultdict(list)
    for row, (prompt, score) in enumerate(zip(prompts, scores, strict=True)):
        if isfinite(score):
            scored[prompt].append(row)
    models = {
        prompt: train_content(contents.at(rows), [scores[row] for row in rows])
        for prompt, rows in scored.items()
        if len(rows) >= LEAST_SCORED
    }
    for essay, content, prompt, score in zip(measured, contents, prompts, scores, strict=True):
        model = models.get(prompt)
        yield essay if model is None else _compared(essay, content, score, model)


def _compared(essay: Measured, content: Mapping[str, int], score: float, model: ContentModel) -> Measured:
    if isfinite(score):
        similarity = model.similarity_without(content, score)
        familiarity = model.familiarity_without(content)
    else:
        similarity = model.similarity(content)
        familiarity = model.familiarity(content)
    values = {**essay.values, "max_cos": similarity.max_cos(), "cos_highest": similarity.cos_highest()}
    doubts = (*essay.advisories, *off_topic(familiarity, model.least_familiarity))
    return replace(essay, values=values, advisories=doubts)
