"""The types of error, in report order: what each is called, what a writer is told, and how often it is right."""

from collections.abc import Mapping
from dataclasses import dataclass

CATEGORIES = ("grammar", "usage", "mechanics", "style")


@dataclass(frozen=True, slots=True)
class ErrorType:
    """One row of the catalogue.

    `right` of `judged` findings on student essays were right when read by hand (docs/accuracy.md); types below 0.70 are
    off unless asked for by name.
    """

    name: str
    category: str
    title: str
    explanation: str
    right: int
    judged: int
    sentence: bool = False
    """Whether a finding is about a sentence or a stretch of text rather than about its words."""

    @property
    def precision(self) -> float:
        return self.right / self.judged if self.judged else float("nan")

    @property
    def on(self) -> bool:
        return not self.judged or self.right / self.judged >= 0.70


@dataclass(frozen=True, slots=True)
class Finding:
    """One error or remark; `raw[start:end] == words`."""

    type: str
    """A key of `CATALOGUE`."""
    category: str
    """grammar, usage, mechanics or style."""
    start: int
    end: int
    words: str
    explanation: str
    suggestion: str | None = None


_G, _U, _M, _S = CATEGORIES

_TYPES = (
    ErrorType(
        "fragment",
        _G,
        "Fragment",
        "This may be no complete sentence: it lacks a main verb or a main clause.",
        16,
        20,
        True,
    ),
    ErrorType(
        "run_on",
        _G,
        "Run-on sentence",
        "Two sentences run together here: end the first, or join them with a conjunction.",
        16,
        20,
    ),
    ErrorType(
        "garbled",
        _G,
        "Garbled sentence",
        "The order of words in this sentence is hard to follow: say it again in simpler words.",
        13,
        20,
        True,
    ),
    ErrorType("agreement", _G, "Subject and verb", "Subject and verb do not agree in number.", 18, 20),
    ErrorType("verb_form", _G, "Ill-formed verb", "The verb has the wrong form here.", 19, 20),
    ErrorType("pronoun", _G, "Pronoun", "The pronoun has the wrong form here.", 19, 20),
    ErrorType("possessive", _G, "Possessive", "A possessive noun needs an apostrophe.", 18, 20),
    ErrorType("wrong_word", _G, "Wrong or missing word", "A word seems to be missing, or another is meant.", 17, 20),
    ErrorType(
        "proofread", _G, "Proofread this", "Several things went wrong in this sentence: read it again.", 19, 20, True
    ),
    ErrorType("wrong_article", _U, "a or an", "Use a before a consonant sound and an before a vowel sound.", 18, 20),
    ErrorType(
        "article",
        _U,
        "Missing or extra article",
        "A singular noun like this needs an article or another determiner, or the plural.",
        16,
        20,
    ),
    ErrorType(
        "noun_number", _U, "Singular or plural noun", "The noun does not fit the number of the words around it.", 19, 20
    ),
    ErrorType("confused", _U, "Confused words", "Another word that looks or sounds alike is meant.", 20, 20),
    ErrorType("word_form", _U, "Wrong form of word", "Another form of this word belongs here.", 16, 20),
    ErrorType("comparison", _U, "Faulty comparison", "The comparison is not well formed.", 20, 20),
    ErrorType("preposition", _U, "Preposition", "Another preposition, or none, goes with this word.", 18, 20),
    ErrorType(
        "nonstandard", _U, "Nonstandard word form", "This form belongs to speech or messages, not to an essay.", 20, 20
    ),
    ErrorType("negation", _U, "Negation", "Two negatives in one clause.", 20, 20),
    ErrorType("spelling", _M, "Spelling", "This word is not in the dictionary.", 18, 20),
    ErrorType(
        "proper_capital",
        _M,
        "Capital letter of a name",
        "Names, nationalities, languages, days, months and I take a capital.",
        19,
        20,
    ),
    ErrorType("initial_capital", _M, "Missing initial capital", "A sentence begins with a capital letter.", 20, 20),
    ErrorType("question_mark", _M, "Missing question mark", "A question ends with a question mark.", 15, 20),
    ErrorType(
        "final_punctuation",
        _M,
        "Missing final punctuation",
        "A sentence ends with a full stop, a question mark or an exclamation mark.",
        17,
        20,
    ),
    ErrorType("apostrophe", _M, "Missing apostrophe", "This short form needs an apostrophe.", 20, 20),
    ErrorType("comma", _M, "Missing comma", "A comma is missing here, or one is too many.", 19, 20),
    ErrorType("hyphen", _M, "Hyphen", "These words are joined by a hyphen.", 19, 20),
    ErrorType("fused", _M, "Fused words", "These are two words.", 19, 20),
    ErrorType("compound", _M, "Compound word", "This is one word.", 20, 20),
    ErrorType("duplicate", _M, "Duplicate word", "The word is there twice.", 19, 20),
    ErrorType(
        "repetition",
        _S,
        "Repetition of words",
        "This word comes back often: vary it where another says it as well.",
        15,
        20,
    ),
    ErrorType("informal", _S, "Informal word", "This word is too informal for an essay.", 19, 20),
    ErrorType(
        "conjunction_start",
        _S,
        "Sentence begins with a conjunction",
        "Beginning sentences with and, but, or, so is best kept rare.",
        20,
        20,
    ),
    ErrorType(
        "short_sentences", _S, "Many short sentences", "There are many short sentences: join some.", 18, 20, True
    ),
    ErrorType("long_sentences", _S, "Long sentence", "This sentence is very long: split it.", 20, 20, True),
    ErrorType("passive", _S, "Passive voice", "The passive hides who acts: use it where that is meant.", 20, 20),
)

CATALOGUE: Mapping[str, ErrorType] = {kind.name: kind for kind in _TYPES}
