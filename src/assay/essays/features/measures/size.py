"""How much was written, in shapes that follow scores: more words help, but less and less."""

from math import log, log1p
from types import MappingProxyType

from assay.essays.features.analysis import Analysis
from assay.essays.features.content import content_words

TITLES = MappingProxyType(
    {
        "log_words": "Words in the essay",
        "sqrt_words": "Words in the essay (square root)",
        "fourth_root_words": "Words in the essay (fourth root)",
        "log_characters": "Letters and signs in the essay",
        "log_types": "Different words",
        "log_content_types": "Different words that carry content",
        "log_content_words": "Words that carry content",
        "log_sentences": "Sentences",
        "log_paragraphs": "Paragraphs",
        "words_per_paragraph": "Words per paragraph",
    }
)


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
        "log_types": log1p(len(essay.forms)),
        "log_content_types": log1p(len(content)),
        "log_content_words": log1p(sum(content.values())),
        "log_sentences": log1p(essay.text.sentence_count),
        "log_paragraphs": log(paragraphs),
        "words_per_paragraph": log1p(words / paragraphs),
    }
