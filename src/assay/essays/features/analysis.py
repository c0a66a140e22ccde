"""All that features look at: the text, its words, the findings, the discourse elements and the content similarity."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.essays.discourse.discourse import Discourse, label_sentences
from assay.essays.discourse.model import DiscourseModel
from assay.essays.errors.catalogue import Finding
from assay.essays.errors.merge import findings
from assay.essays.features.content import ContentSimilarity
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text, word_form, written_words


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
