"""Reasons not to trust a machine score. Each names what was seen, so that a person can judge.

Thresholds were set on 14,550 essays of ASAP and ASAP 2.0 so that false alarms are rare; `accuracy/features.py` counts
how rare, and how many made-up bad essays are caught.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import nan
from types import MappingProxyType

from assay.essays.text.text import is_placeholder, word_form
from assay.essays.text.vocabulary import frequency_index, most_common_words, word_list

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
OTHER_LANGUAGES = MappingProxyType(
    {
        "es": "Spanish",
        "fr": "French",
        "de": "German",
        "pt": "Portuguese",
        "it": "Italian",
        "nl": "Dutch",
        "pl": "Polish",
    }
    | {"tr": "Turkish", "id": "Indonesian", "sv": "Swedish", "fi": "Finnish", "ro": "Romanian", "cs": "Czech"}
)


@dataclass(frozen=True, slots=True)
class Advisory:
    """One reason for doubt: its name, and what was seen."""

    name: str
    evidence: str


TITLES: Mapping[str, str] = MappingProxyType(
    {
        "empty": "Nothing was written",
        "too_short": "Too short to be judged",
        "not_english": "Not written in English",
        "gibberish": "Mostly not words",
        "repeated": "The same text again and again",
        "prompt_copied": "Mostly copied from the prompt",
        "off_topic": "Not about the prompt",
    }
)
"""Every advisory by name, in the order of the report."""


def advisories(
    words: Sequence[str], *, prompt: str = "", familiarity: float = nan, least_familiarity: float = nan
) -> tuple[Advisory, ...]:
    """What stands against a machine score of an essay with these words.

    `prompt` is the wording of the prompt or its source text, if known: a mere name is too short to be copied.
    `familiarity` with scored essays on the prompt is that of `ContentModel`, and so is the least to be expected.
    """
    forms = [form for word in words if not is_placeholder(word) and (form := word_form(word))]
    found = [*_too_short(words), *_language(forms), *_repeated(forms)]
    found += _copied(forms, [form for word in WORD.findall(prompt) if (form := word_form(word))])
    return (*found, *off_topic(familiarity, least_familiarity))


def _too_short(words: Sequence[str]) -> Iterator[Advisory]:
    if not words:
        yield Advisory("empty", "the essay holds no words")
    elif len(words) < FEWEST_WORDS:
        count = "1 word" if len(words) == 1 else f"{len(words)} words"
        yield Advisory("too_short", f"{count}; fewer than {FEWEST_WORDS} tell too little")


def _language(forms: Sequence[str]) -> Iterator[Advisory]:
    """Another script, another language, or no language."""
    lettered = [form for form in forms if any(c.isalpha() for c in form)]
    if len(lettered) < FEWEST_TO_JUDGE:
        yield from _unspaced(lettered)
        return
    latin = _share(_is_latin, lettered)
    if latin < LEAST_LATIN:
        yield Advisory("not_english", f"{1 - latin:.0%} of the words are in another script than English")
        return
    joining = _share(word_list("function_words").__contains__, lettered)
    unknown = _share(_is_unknown, lettered)
    if joining >= FEWEST_FUNCTION_WORDS and unknown < MOST_UNKNOWN:
        return
    language, common = _likeliest_language(lettered)
    if common > max(joining, FEWEST_FUNCTION_WORDS):
        yield Advisory("not_english", f"reads like {language}: {common:.0%} of the words are among its most common")
    elif unknown >= MOST_UNKNOWN:
        yield Advisory("gibberish", f"{unknown:.0%} of the words are in no dictionary and in no use")
    elif joining < FEWEST_FUNCTION_WORDS / 2:
        yield Advisory("gibberish", f"only {joining:.0%} of the words are such as join English sentences (the, of, is)")


def _unspaced(lettered: Sequence[str]) -> Iterator[Advisory]:
    """Chinese, Japanese and Thai put no blanks between words: a whole essay may be one."""
    letters = [c for form in lettered for c in form if c.isalpha()]
    other = 1 - _share(_is_latin_letter, letters) if len(letters) >= FEWEST_LETTERS else 0.0
    if other > 1 - LEAST_LATIN:
        yield Advisory("not_english", f"{other:.0%} of the letters are of another script than English")


def _is_latin(form: str) -> bool:
    return form.isascii() or all(_is_latin_letter(c) for c in form if c.isalpha())


@cache
def _is_latin_letter(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


def _is_unknown(form: str) -> bool:
    known = form in word_list("spelled_words") or form in word_list("spelled_names")
    return not known and frequency_index().get(form, 0.0) < RARE


def _likeliest_language(forms: Sequence[str]) -> tuple[str, float]:
    """The language whose most common words make up most of the text, and their share."""
    shares = {name: _share(most_common_words(code).__contains__, forms) for code, name in OTHER_LANGUAGES.items()}
    best = max(shares, key=lambda name: shares[name])
    return best, shares[best]


def _repeated(forms: Sequence[str]) -> Iterator[Advisory]:
    """The share of eight words in a row that stand in the essay before."""
    windows = Counter(_windows(forms))
    total = windows.total()
    again = total - len(windows)
    if total >= FEWEST_TO_JUDGE and again / total >= MOST_REPEATED:
        passage, times = windows.most_common(1)[0]
        yield Advisory(
            "repeated", f"{again / total:.0%} of the text repeats itself; {times} times: “{' '.join(passage)}”"
        )
    elif (run := _longest_run(forms))[1] >= FEWEST_TO_JUDGE:
        yield Advisory("repeated", f"“{run[0]}” {run[1]} times in a row")


def _longest_run(forms: Sequence[str]) -> tuple[str, int]:
    runs = ((word, sum(1 for _ in same)) for word, same in groupby(forms))
    return max(runs, key=lambda run: run[1], default=("", 0))


def _copied(forms: Sequence[str], prompt: Sequence[str]) -> Iterator[Advisory]:
    """The share of eight words in a row that stand in the prompt."""
    source = set(_windows(prompt))
    windows = list(_windows(forms))
    copied = _share(source.__contains__, windows) if source and len(windows) >= FEWEST_TO_JUDGE else 0.0
    if copied >= MOST_COPIED:
        yield Advisory("prompt_copied", f"{copied:.0%} of the text stands in the prompt word for word")


def off_topic(familiarity: float, least: float) -> Iterator[Advisory]:
    if familiarity < least:  # never with NaN
        yield Advisory(
            "off_topic",
            f"a word of it stands in {familiarity:.1%} of the scored essays on this prompt, on average; "
            f"for nearly all of those in {least:.1%} or more",
        )


def _windows(forms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(forms[i:] for i in range(WINDOW)), strict=False)


def _share(holds: Callable[..., bool], items: Sequence[object]) -> float:
    return sum(map(holds, items)) / len(items)
