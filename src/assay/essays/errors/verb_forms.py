"""The forms of some 3,900 verbs: which form a word is, and which form it should be."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assay.essays.errors.lexicon import rows

BASE, THIRD, PAST, PARTICIPLE, GERUND = range(5)


@dataclass(frozen=True, slots=True)
class VerbForms:
    """`forms[word]` holds the (base, form) readings of a word; `bases[base]` its five forms, alternatives included."""

    forms: Mapping[str, frozenset[tuple[str, int]]]
    bases: Mapping[str, tuple[tuple[str, ...], ...]]

    def base(self, word: str) -> str | None:
        """The base form; the base that the word is no other form of wins (`found` is of `find`)."""
        readings = sorted(self.forms.get(word, ()), key=lambda reading: (reading[1], len(reading[0])))
        return readings[0][0] if readings else None

    def is_form(self, word: str, form: int) -> bool:
        return any(kind == form for _, kind in self.forms.get(word, ()))

    def to(self, word: str, form: int) -> str | None:
        """The same verb in another form."""
        base = self.base(word)
        return self.bases[base][form][0] if base is not None else None


@cache
def verb_forms() -> VerbForms:
    """The table shipped with the package, read once."""
    forms: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    bases: dict[str, tuple[tuple[str, ...], ...]] = {}
    for row in rows("verb_forms.tsv"):
        bases[row[0]] = tuple(tuple(cell.split("/")) for cell in row)
        for kind, words in enumerate(bases[row[0]]):
            for word in words:
                forms[word].add((row[0], kind))
    return VerbForms({word: frozenset(readings) for word, readings in forms.items()}, bases)
