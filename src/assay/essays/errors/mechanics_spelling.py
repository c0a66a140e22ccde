"""Spelling: words that Harper's dictionary does not hold, each looked up once and remembered."""

import re
from collections.abc import Iterable, Iterator

from assay.essays.errors.finding import Placed
from assay.essays.errors.harper_linter import linter
from assay.essays.errors.lexicon import word_class, words
from assay.essays.errors.reading import foreign, silent_spans
from assay.essays.readable import readable

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MOST_REMEMBERED = 100_000
"""Words; when full, the memory is emptied."""

VARIANTS = tuple(
    (re.compile(british), american)
    for british, american in (
        (
            r"\b(col|fav|hon|behavi|neighb|lab|hum|flav|harb|rum|val|vig|endeav|arm|parl|sav|od|glam|vap|splend)our",
            r"\1or",
        ),
        (r"is(e[drs]?|es|ing|ation|ations|er|ers|able)\b", r"iz\1"),
        (r"ys(e[drs]?|es|ing)\b", r"yz\1"),
        (r"ll(ed|ing|er|ers|or|ors)\b", r"l\1"),
        (r"([bct])re(s?)\b", r"\1er\2"),
        (r"(def|off|lic|pret)ence", r"\1ense"),
        (r"ogue(s?)\b", r"og\1"),
        (r"(p|h|arch|medi|an)ae", r"\1e"),
        (r"\bgrey", "gray"),
        (r"gramme", "gram"),
        (r"\b(fulfi|enro|insta)l(s|ment)?\b", r"\1ll\2"),
        (r"\b(ski|wi)lful", r"\1llful"),
    )
)
"""British spelling -> American: a word that differs from a suggestion by one of these alone is right."""

SHORTENED = frozenset(["it", "that", "there", "what", "he", "she", "who", "let", "here", "where", "how"])

OWNERS = word_class("spelling owners")


_remembered: dict[str, tuple[str, ...] | None] = {}
"""Unknown word -> suggestions; None when Harper knows it. Filled in any order, always with the same values."""


def misspellings(raw: str) -> Iterator[Placed]:
    """The misspelled words of a text; the type may also be a missing capital, apostrophe or blank.

    Placeholders, markup, addresses, names and words in other scripts are passed over.
    """
    plain = readable(raw)
    known, names = words("known_words.txt"), Names(plain.text)
    unknown = [m for m in WORD.finditer(plain.text) if m.group().lower().replace("’", "'") not in known]
    silent = silent_spans(plain.text) if unknown else []
    doubtful = [
        m for m in unknown if readable_word(m, plain.text) and not any(a < m.end() and m.start() < b for a, b in silent)
    ]
    look_up({m.group() for m in doubtful})
    for m in doubtful:
        suggestions = _remembered[m.group()]
        if suggestions is None or (m.group() in names and not slip_of_the_pen(m.group(), suggestions)):
            continue
        kind = kind_of(m.group(), suggestions)
        if kind is not None:
            first, last = int(plain.begins[m.start()]), int(plain.ends[m.end() - 1])
            yield Placed(kind, first, last, best_of(kind, suggestions))


def best_of(kind: str, suggestions: tuple[str, ...]) -> str | None:
    """The first suggestion; for a spelling error the first without an apostrophe, since `copys` is no possessive."""
    plain = [s for s in suggestions if "'" not in s] if kind == "spelling" else []
    return next(iter((*plain, *suggestions)), None)


def slip_of_the_pen(name: str, suggestions: tuple[str, ...]) -> bool:
    """Whether a long word with a capital is one letter away from a common word: `Goverment`, not `Belgrano`."""
    if len(name) < 7 or not suggestions or not name[1:].islower():
        return False
    best = suggestions[0].lower()
    return best in words("known_words.txt") and one_letter_apart(name.lower(), best)


def one_letter_apart(a: str, b: str) -> bool:
    """Whether one letter more, less or different makes the words equal.

    >>> one_letter_apart("goverment", "government"), one_letter_apart("belgrano", "balloon")
    (True, False)
    """
    short, long = sorted((a, b), key=len)
    if len(long) - len(short) > 1:
        return False
    k = next((k for k, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return long[k + 1 :] == (short[k:] if len(long) > len(short) else short[k + 1 :])


def readable_word(m: re.Match[str], text: str) -> bool:
    """A word of two or more letters that is no part of a number, an address, a handle or a file name."""
    before, after = text[m.start() - 1 : m.start()], text[m.end() : m.end() + 1]
    if len(m.group()) < 2 or before in ("@", "#", "/", "\\", "_", "'", "’") or after in ("@", "_", "/"):
        return False
    if before.isdigit() or after.isdigit() or (before == "." and text[m.start() - 2 : m.start() - 1].isalnum()):
        return before == "." and m.group()[0].isupper()
    return not foreign(m.group()) and not (
        after == "." and text[m.end() + 1 : m.end() + 2].isalnum() and m.group().islower()
    )


def look_up(unknown: Iterable[str]) -> None:
    """Ask Harper about the words not asked about before, all at once."""
    asked = sorted(word for word in unknown if word not in _remembered)
    if not asked:
        return
    if len(_remembered) > MOST_REMEMBERED:
        _remembered.clear()
        asked = sorted(set(unknown))
    found = linter(["SpellCheck"]).lint("\n\n".join(asked), language="plaintext", dedup=False)
    wrong = {lint.problem_text: tuple(s.replacement_text for s in lint.suggestions) for lint in found}
    for word in asked:
        _remembered[word] = wrong.get(word)


class Names:
    """Which unknown words of a text are names: written with a capital within a sentence, or with capitals inside."""

    INNER = re.compile(r"(?:[\w,;:)'’-] |\(|[a-z]-)([A-Z][\w'’]*)")
    TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof)\. ([A-Z][\w'’]*)")

    def __init__(self, text: str) -> None:
        self.inner = frozenset([*self.INNER.findall(text), *self.TITLED.findall(text)])

    def __contains__(self, word: str) -> bool:
        return word in self.inner or any(c.isupper() for c in word[1:])


def kind_of(word: str, suggestions: tuple[str, ...]) -> str | None:
    """What is wrong with an unknown word; None when it is right after all."""
    best = suggestions[0] if suggestions else ""
    if any(same_but_variant(word.lower(), s.lower()) for s in suggestions) or word.lower() in ("n't", "n’t"):
        return None
    if best.lower() == word.lower() and best != word:
        return "proper_capital" if len(word) > 3 else None
    if "'" in best and best.replace("'", "").lower() == word.lower():
        if not best.endswith("'s") or best[:-2].lower() in SHORTENED:
            return "apostrophe"
        return "possessive" if word[0].isupper() or best[:-2] in OWNERS else "spelling"
    if " " in best and best.replace(" ", "").lower() == word.lower():
        return "fused"
    return "spelling"


def same_but_variant(word: str, suggestion: str) -> bool:
    """Whether the two differ only as British and American spelling do.

    >>> same_but_variant("colour", "color"), same_but_variant("untill", "until")
    (True, False)
    """
    return any(british.sub(american, word) == suggestion != word for british, american in VARIANTS)
