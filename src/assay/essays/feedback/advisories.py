"""Reasons not to trust a machine score. Each names what was seen, so that a person can judge.

Thresholds were set on 14,550 essays of ASAP and ASAP 2.0 so that false alarms are rare; `accuracy/features.py` counts
how rare, and how many made-up bad essays are caught.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from assay.essays.text.text import frequency_index, is_placeholder, most_common_words, word_form, word_list

FEWEST_WORDS = 25
FEWEST_TO_JUDGE = 10
"""Words below which language and repetition are not judged: there is too little to see."""
FEWEST_LETTERS = 25
"""Letters from which a script is judged where there are few words."""
WINDOW = 8
"""Words in a row that no writer repeats by chance."""
MOST_REPEATED = 0.25
MOST_COPIED = 0.4
MOST_UNKNOWN = 0.3
FEWEST_FUNCTION_WORDS = 0.2
LEAST_LATIN = 0.5
RARE = 20.0
"""Frequency index below which a word that no dictionary has is taken for none: one in 100 million."""
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
OTHER_LANGUAGES = {
    "es": "Spanish", "fr": "French", "de": "German", "pt": "Portuguese", "it": "Italian", "nl": "Dutch", "pl": "Polish",
    "tr": "Turkish", "id": "Indonesian", "sv": "Swedish", "fi": "Finnish", "ro": "Romanian", "cs": "Czech",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Advisory:
    """One reason for doubt: its name, and what was seen."""

    name: str
    evidence: str
    consequence: str = "warn"
    """What follows for the score: warn, cap or withhold (`integrity.consequences`)."""


TITLES: Mapping[str, str] = {
    "empty": "Nothing was written",
    "too_short": "Too short to be judged",
    "not_english": "Not written in English",
    "gibberish": "Mostly not words",
    "word_order": "Words in random order",
    "nonsense": "Words that make no sense together",
    "word_list": "A list of words instead of sentences",
    "disconnected": "Sentences that have nothing to do with each other",
    "partly_not_english": "Partly not in English",
    "repeated": "The same text again and again",
    "prompt_copied": "Mostly copied from the prompt",
    "off_topic": "Not about the prompt",
    "all_capitals": "Written in capitals",
    "no_punctuation": "Hardly any punctuation",
    "sentence_order": "Sentences out of order",
}
"""Every advisory by name, in the order of the report."""


def advisories(words: Sequence[str], *, prompt: str = "") -> tuple[Advisory, ...]:
    """What stands against a machine score of an essay with these words; `off_topic` beside, where it can be told.

    `prompt` is the wording of the prompt or its source text, if known: a mere name is too short to be copied.
    """
    written = [form for word in words if not is_placeholder(word) and (form := word_form(word))]
    source = set(_windows([form for word in WORD.findall(prompt) if (form := word_form(word))]))
    windows = list(_windows(written))
    doubts: list[Advisory] = []
    if not words:
        doubts.append(Advisory("empty", "the essay holds no words"))
    elif len(words) < FEWEST_WORDS:
        count = "1 word" if len(words) == 1 else f"{len(words)} words"
        doubts.append(Advisory("too_short", f"{count}; fewer than {FEWEST_WORDS} tell too little"))
    doubts += _language(written)
    # the share of eight words in a row that stand in the essay before
    passages = Counter(windows)
    again = (len(windows) - len(passages)) / max(1, len(windows))
    runs = ((word, sum(1 for _ in same)) for word, same in groupby(written))
    word, length = max(runs, key=lambda run: run[1], default=("", 0))
    if len(windows) >= FEWEST_TO_JUDGE and again >= MOST_REPEATED:
        passage, times = passages.most_common(1)[0]
        evidence = f"{again:.0%} of the text repeats itself; {times} times: “{' '.join(passage)}”"
        doubts.append(Advisory("repeated", evidence))
    elif length >= FEWEST_TO_JUDGE:
        doubts.append(Advisory("repeated", f"“{word}” {length} times in a row"))
    copied = _share(source.__contains__, windows) if source and len(windows) >= FEWEST_TO_JUDGE else 0.0
    if copied >= MOST_COPIED:
        doubts.append(Advisory("prompt_copied", f"{copied:.0%} of the text stands in the prompt word for word"))
    return tuple(doubts)


def _language(written: Sequence[str]) -> Iterator[Advisory]:
    """Another script, another language, or no language."""
    lettered = [word for word in written if any(c.isalpha() for c in word)]
    if len(lettered) < FEWEST_TO_JUDGE:
        # Chinese, Japanese and Thai put no blanks between words: a whole essay may be one
        letters = [c for word in lettered for c in word if c.isalpha()]
        other = 1 - _share(_is_latin, letters) if len(letters) >= FEWEST_LETTERS else 0.0
        if other > 1 - LEAST_LATIN:
            yield Advisory("not_english", f"{other:.0%} of the letters are of another script than English")
        return
    latin = _share(_is_latin, lettered)
    if latin < LEAST_LATIN:
        yield Advisory("not_english", f"{1 - latin:.0%} of the words are in another script than English")
        return
    spelled, names, index = word_list("spelled_words"), word_list("spelled_names"), frequency_index()
    unlisted = [word for word in lettered if word not in spelled and word not in names]
    unknown = sum(index.get(word, 0.0) < RARE for word in unlisted) / len(lettered)
    joining = _share(word_list("function_words").__contains__, lettered)
    if joining >= FEWEST_FUNCTION_WORDS and unknown < MOST_UNKNOWN:
        return
    shares = {name: _share(most_common_words(code).__contains__, lettered) for code, name in OTHER_LANGUAGES.items()}
    language = max(shares, key=lambda name: shares[name])
    common = shares[language]
    if common > max(joining, FEWEST_FUNCTION_WORDS):
        yield Advisory("not_english", f"reads like {language}: {common:.0%} of the words are among its most common")
    elif unknown >= MOST_UNKNOWN:
        yield Advisory("gibberish", f"{unknown:.0%} of the words are in no dictionary and in no use")
    elif joining < FEWEST_FUNCTION_WORDS / 2:
        yield Advisory("gibberish", f"only {joining:.0%} of the words are such as join English sentences (the, of, is)")


@lru_cache(maxsize=50_000)
def _is_latin(word: str) -> bool:
    return word.isascii() or all(unicodedata.name(c, "").startswith("LATIN") for c in word if c.isalpha())


def off_topic(familiarity: float, least: float) -> Iterator[Advisory]:
    """How familiar an essay is with scored ones on its prompt, and the least to be expected, by `ContentModel`."""
    if familiarity < least:  # never with NaN
        yield Advisory(
            "off_topic",
            f"a word of it stands in {familiarity:.1%} of the scored essays on this prompt, on average; "
            f"for nearly all of those in {least:.1%} or more",
        )


def _windows(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(WINDOW)), strict=False)


def _share(holds: Callable[..., bool], items: Sequence[object]) -> float:
    return sum(map(holds, items)) / len(items)
