"""`text_advisories`: all reasons not to trust a machine score that a text itself gives, by name.

Thresholds were chosen on essays of ASAP, ASAP 2.0 and ELLIPSE; `accuracy/gaming.py` counts false alarms on essays that
were not used for it, and how many attacks each finds. Why these: docs/decisions/0575-what-attacks-look-like.md.
"""

import re
from collections.abc import Iterator, Sequence

from assay.essays.feedback.advisories import OTHER_LANGUAGES, WORD, Advisory, advisories
from assay.essays.integrity.unique_text import in_capitals
from assay.essays.integrity.word_choice import STEM, WordChoice, content_from, expected_reuse, word_choice
from assay.essays.text.text import Text, most_common_words, word_form, word_list

FEWEST_IN_ORDER = 40
LEAST_ORDER = 0.03
"""What two words tell of the next, in powers of ten; of real essays with so many words 1 in 1,000 has less than .13."""
FEWEST_CONTENT = 60
LEAST_ASSOCIATION = -0.11
RARITY_WEIGHT, AVERAGE_RARITY, REUSE_WEIGHT = 0.3, -4.0, 0.5
LEAST_IN_PART = -0.55
LEAST_REUSE = -0.5
"""Below the reuse of an average essay of that length."""
FEWEST_FOR_MARKS = 80
WORDS_TO_A_MARK = 70
MARK = re.compile(r"[.,;:!?]")
SOME_WORDS = 40
"""Words looked at together, to find another language in part of a text."""
FEWEST_ENGLISH, LEAST_OTHER = 0.15, 0.25
FEWEST_ASKED = 6
"""Different content words from which a prompt says what it is about."""
FEWEST_ANSWERING = 40
LEAST_ON_TOPIC = 0.004
CLOSING = re.compile(
    r"(in conclusion|to conclude|in summary|to sum up|in closing|overall|lastly|finally)\b", re.IGNORECASE
)
POINTING = re.compile(
    r"(this|that|these|those|they|he|she|it|but|also|however|another|then|therefore)\b", re.IGNORECASE
)
FEWEST_SENTENCES = 8


def text_advisories(text: Text, words: Sequence[str], *, prompt: str = "") -> tuple[Advisory, ...]:
    """What stands against a machine score of this text; `off_topic` by scored essays comes from the model beside."""
    doubts = list(advisories(words, prompt=prompt))
    names = {doubt.name for doubt in doubts}
    if names & {"empty", "not_english", "gibberish"}:
        return tuple(doubts)
    choice = word_choice(text)
    doubts += _word_choice(text, choice, repeated="repeated" in names)
    doubts += _other_language(words)
    doubts += _surface(text, words)
    doubts += _off_topic(words, prompt)
    return tuple(doubts)


def _word_choice(text: Text, choice: WordChoice, *, repeated: bool) -> Iterator[Advisory]:
    """Words in random order, words that do not go together, lists of words, sentences about nothing."""
    if choice.words >= FEWEST_IN_ORDER and choice.order < LEAST_ORDER:
        evidence = "words follow each other as if drawn at random"
        yield Advisory("word_order", evidence)
        return
    if choice.content < FEWEST_CONTENT:
        return
    off = choice.reuse - expected_reuse(choice.content)
    association = choice.association + RARITY_WEIGHT * (choice.rarity - AVERAGE_RARITY)
    association += REUSE_WEIGHT * (off if off < 0 else 0.0)  # NaN is not below 0
    if association < LEAST_ASSOCIATION:
        words = content_from(text, choice.weakest_place)
        yield Advisory("nonsense", f"words do not go together, most of all near “{words}”")
    elif choice.weakest < LEAST_IN_PART:
        words = content_from(text, choice.weakest_place)
        yield Advisory("word_list", f"words without sentences that join them: “{words}”")
    elif off < LEAST_REUSE and not repeated:  # never with NaN
        yield Advisory(
            "disconnected", "hardly any sentence takes up a word of another: they are about nothing in common"
        )


def _other_language(words: Sequence[str]) -> Iterator[Advisory]:
    """A part in another language."""
    spelled = [word_form(word) for word in words]
    english = word_list("function_words")
    languages = {name: most_common_words(code) for code, name in OTHER_LANGUAGES.items()}
    parts = [spelled[first : first + SOME_WORDS] for first in range(0, len(spelled) - SOME_WORDS + 1, SOME_WORDS)]
    weak = [part for part in parts if sum(form in english for form in part) < FEWEST_ENGLISH * SOME_WORDS]
    for part in weak:
        shares = {name: sum(form in common for form in part) / SOME_WORDS for name, common in languages.items()}
        language = max(shares, key=lambda name: shares[name])
        foreign = sum(not form.isascii() and any(c.isalpha() for c in form) for form in part) / SOME_WORDS
        if shares[language] >= LEAST_OTHER or foreign >= LEAST_OTHER:
            seems = language if shares[language] >= LEAST_OTHER else "another language"
            yield Advisory("partly_not_english", f"part of the text reads like {seems}: “{' '.join(part[:8])}”")
            return


def _surface(text: Text, words: Sequence[str]) -> Iterator[Advisory]:
    """All capitals, no punctuation, sentences out of order."""
    if in_capitals(text.raw):
        yield Advisory("all_capitals", "nearly all letters are capitals; it is scored as if they were not")
    marks = len(MARK.findall(text.raw))
    if len(words) >= FEWEST_FOR_MARKS and marks * WORDS_TO_A_MARK < len(words):
        count = "no punctuation mark" if not marks else f"{marks} punctuation mark{'s' * (marks > 1)}"
        yield Advisory("no_punctuation", f"{count} in {len(words)} words")
    openings = [text.raw[text.starts[i] : text.starts[i] + 20] for i in text.sentence_starts[:-1].tolist()]
    if len(openings) >= FEWEST_SENTENCES:
        early = [place for place, opening in enumerate(openings) if CLOSING.match(opening)]
        misplaced = early and early[-1] < 0.6 * len(openings)
        if misplaced and POINTING.match(openings[0]):
            evidence = f"it begins with “{openings[0].split()[0]}” and concludes before its middle"
            yield Advisory("sentence_order", evidence)


def _off_topic(words: Sequence[str], prompt: str) -> Iterator[Advisory]:
    """No word of the question in the answer."""
    asked = {form[:STEM] for form in map(word_form, WORD.findall(prompt)) if _is_content(form)}
    answer = [form[:STEM] for form in map(word_form, words) if _is_content(form)]
    if len(asked) < FEWEST_ASKED or len(answer) < FEWEST_ANSWERING:
        return
    share = sum(stem in asked for stem in answer) / len(answer)
    if share < LEAST_ON_TOPIC * min(len(asked), 30) ** 0.5:
        yield Advisory("off_topic", f"{share:.1%} of its content words are words of the question")


def _is_content(form: str) -> bool:
    return len(form) > 3 and form not in word_list("function_words")
