"""How likely a proposed change touches an error: a logistic regression on what speaks for it and where it stands.

Fitted on half of the JFLEG development sentences and on edited prose (training/weigh_proposals.py). A mark put anywhere
touches an edit of JFLEG with a probability of .42; the confidence is what remains when that is taken off.

confidence = (p - .42) / (1 - .42)
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import exp, log1p

from assay.essays.data_files import data_file
from assay.essays.errors.catalogue import QUESTION_BELOW
from assay.essays.errors.lexicon import BASE, GERUND, PARTICIPLE, PAST, THIRD, rows, symbol, trigram_model, verb_forms
from assay.essays.errors.reading import ARTICLES, PREPOSITIONS, Mark, RuleContext, WordChange

LEAST_LIKELY = 0.85
"""Probability from which on a change is worth a remark."""
BY_CHANCE = 0.42
MOST_ERRORS, SHORTEST_TEXT = 10.0, 20
TYPES = {
    "verb": "verb_form", "noun": "noun_number", "preposition": "preposition", "article": "article",
    "alternative": "confused", "insert article": "article", "insert preposition": "preposition",
    "insert word": "wrong_word", "drop": "wrong_word",
}  # fmt: skip
"""Kind of change -> type of error; what is dropped decides for itself where it is an article or a preposition."""
TAG_OF_FORM = {BASE: ("VB", "VBP"), THIRD: ("VBZ",), PAST: ("VBD",), PARTICIPLE: ("VBN",), GERUND: ("VBG",)}


def unexpected_words(r: RuleContext, proposals: Iterable[WordChange], errors: int) -> Iterator[Mark]:
    """Changes that are likely to mend something; `errors` is how many errors other rules see in the text.

    Who makes many errors is likelier to have made one here.
    """
    density = errors_per_hundred(r, errors)
    for proposal in proposals:
        likely = probability(features(r, proposal, density))
        if likely >= LEAST_LIKELY:
            confidence = round((likely - BY_CHANCE) / (1 - BY_CHANCE), 2)
            better = wording(r, proposal) if confidence >= QUESTION_BELOW else None  # a question says no other word
            yield Mark(type_of(proposal), proposal.first, proposal.last, better, confidence)


def errors_per_hundred(r: RuleContext, errors: int) -> float:
    return min(MOST_ERRORS, 100 * errors / max(SHORTEST_TEXT, len(r.lower)))


def type_of(proposal: WordChange) -> str:
    if proposal.kind == "drop" and proposal.word in (*ARTICLES, *PREPOSITIONS):
        return "article" if proposal.word in ARTICLES else "preposition"
    return TYPES[proposal.kind]


def wording(r: RuleContext, proposal: WordChange) -> str | None:
    """The words with the change; None where a word is to go, since a mark cannot hold nothing."""
    first, last = r.text.words[proposal.first], r.text.words[proposal.last]
    if proposal.kind.startswith("insert"):
        return f"{first} {proposal.better} {last}"
    return (proposal.better[:1].upper() + proposal.better[1:] if first[:1].isupper() else proposal.better) or None


def probability(seen: Mapping[str, float]) -> float:
    weights = fitted()
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in seen.items())))


@cache
def fitted() -> Mapping[str, float]:
    """The weights; none without the data they were fitted on, so that no change is likely enough."""
    if data_file("proposal_weights.tsv") is None:
        return {}
    return {name: float(weight) for name, weight in rows("proposal_weights.tsv")}


def features(r: RuleContext, p: WordChange, density: float) -> dict[str, float]:
    """What speaks for or against a change."""
    kind, gain, order = p.kind, min(p.gain, 4.0), max(-4.0, min(4.0, order_gain(r, p)))
    at = p.last if kind.startswith("insert") else p.first
    begin, end = r.sentence(at)
    tag = r.tags[at]
    before = r.tags[at - 1] if at > begin else "start"
    after = r.tags[p.last + 1] if p.last + 1 < end else "end"
    seen = {
        "always": 1.0, kind: 1.0, "gain": gain, f"{kind} gain": gain, f"pairs {p.pairs}": 1.0,
        f"better pairs {p.better_pairs}": 1.0, f"{kind} pairs {p.pairs}": 1.0, f"{kind} better {p.better_pairs}": 1.0,
        "before": p.before / 5, "unknown": float(p.unknown), "stops": float(p.stops),
        "name": float(r.text.words[at][:1].isupper() and at > begin),
        "rarity": p.rarity, "better rarity": p.better_rarity, "order": order, f"{kind} order": order,
        "order for": max(0.0, order), "errors": log1p(density), "any error": float(density > 0),
        f"tag {tag}": 1.0, f"before {before}": 1.0, f"after {after}": 1.0,
        f"{kind} tag {tag}": 1.0, f"{kind} before {before}": 1.0, f"{kind} after {after}": 1.0,
    }  # fmt: skip
    if kind not in ("verb", "noun"):
        seen[f"{kind} {p.better}"] = 1.0
    if kind in ("drop", "alternative", "preposition", "article"):
        seen[f"word {p.word}"] = 1.0
    return seen


def order_gain(r: RuleContext, p: WordChange) -> float:
    """log10 of how much likelier the tags and function words around become, by the model of word order."""
    model = trigram_model()
    unknown, boundary = model.symbols.get("XX", 0), model.symbols["<s>"]
    begin, end = r.sentence(p.first)

    def at(i: int) -> int:
        return model.symbols.get(symbol(r.lower[i], r.tags[i]), unknown) if begin <= i < end else boundary

    inserts = p.kind.startswith("insert")
    cut = p.first + 1 if inserts else p.first
    left, right = [at(cut - 2), at(cut - 1)], [at(p.last), at(p.last + 1)]
    written: list[int] = []
    if not inserts:
        right = [at(p.last + 1), at(p.last + 2)]
        written = [at(i) for i in range(p.first, p.last + 1)]
    choices: list[list[int]] = [[]]
    if p.kind != "drop":
        tags = [""] if inserts else new_tags(p, r.tags[p.first])
        choices = [[model.symbols.get(symbol(p.better, tag), unknown)] for tag in tags]
    return max(model.log_p([*left, *choice, *right]) for choice in choices) - model.log_p([*left, *written, *right])


def new_tags(p: WordChange, tag: str) -> list[str]:
    """The tags a changed word may have."""
    if p.kind == "noun":
        return ["NNS" if tag in ("NN", "JJ", "VB", "VBP") else "NN"]
    if p.kind == "verb":
        readings = {form for _, form in verb_forms().readings.get(p.better, ())}
        return [name for form in sorted(readings) for name in TAG_OF_FORM[form]] or [tag]
    return [tag]
