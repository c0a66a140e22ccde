"""How sentences are built: parts of speech, clauses, depth, and how expected the grammar is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log1p
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.language_model import BOUNDARY, symbol, trigram_model
from assay.essays.features.analysis import Analysis

PARTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "nouns": ("Nouns", "NN NNS"),
        "plurals": ("Plural nouns", "NNS"),
        "names": ("Names", "NNP NNPS"),
        "adjectives": ("Adjectives", "JJ JJR JJS"),
        "adverbs": ("Adverbs", "RB RBR RBS"),
        "past_verbs": ("Verbs in the past", "VBD"),
        "present_verbs": ("Verbs in the present", "VBP VBZ"),
        "ing_forms": ("-ing forms", "VBG"),
        "participles": ("Past participles", "VBN"),
        "base_verbs": ("Verbs in the base form", "VB"),
        "modals": ("Modal verbs", "MD"),
        "prepositions": ("Prepositions and subordinators", "IN"),
        "articles": ("Articles and determiners", "DT PDT WDT"),
        "pronouns": ("Personal pronouns", "PRP"),
        "possessives": ("Possessives", "PRP$ POS WP$"),
        "conjunctions": ("and, or, but", "CC"),
        "question_words": ("Question words and relative pronouns", "WP WRB WDT"),
        "numbers": ("Numbers", "CD"),
    }
)
CLAUSES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "adverbial_clauses": ("Adverbial clauses", "advcl"),
        "content_clauses": ("Clauses with that and the like", "ccomp"),
        "infinitives": ("Infinitive clauses", "xcomp"),
        "relative_clauses": ("Relative clauses", "relcl"),
        "noun_clauses": ("Clauses that modify a noun", "acl"),
        "subordinators": ("Subordinating words", "mark"),
        "coordination": ("Coordinated parts", "conj"),
        "passives": ("Passive subjects", "nsubjpass"),
        "modifiers": ("Adjectives before nouns", "amod"),
        "compounds": ("Compound nouns", "compound"),
        "appositions": ("Appositions", "appos"),
        "prepositional_phrases": ("Prepositional phrases", "prep"),
        "gerunds_after_prepositions": ("Clauses after prepositions", "pcomp"),
    }
)
TITLES = MappingProxyType(
    {
        **{f"part_{name}": f"{title} per word" for name, (title, _) in PARTS.items()},
        **{f"clause_{name}": f"{title} per 100 words" for name, (title, _) in CLAUSES.items()},
        "tree_depth": "How deep sentences are nested",
        "deepest_tree": "The deepest nesting",
        "head_distance": "Words between words that belong together",
        "clauses_per_sentence": "Clauses per sentence",
        "tag_variety": "Variety of sequences of parts of speech",
        "grammar_surprise": "How unusual the sequence of words and word kinds is",
        "grammar_surprise_sd": "How much that varies between sentences",
    }
)
FINITE = frozenset(["ROOT", "advcl", "ccomp", "relcl", "csubj", "conj"])


def grammar_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; NaN without tokens."""
    text = essay.text
    if not len(text):
        return dict.fromkeys(TITLES, float("nan"))
    words = max(1, len(essay.words))
    tags, deps = Counter(text.tags), Counter(text.deps)
    parts = {name: sum(tags[tag] for tag in listed.split()) / words for name, (_, listed) in PARTS.items()}
    clauses = {name: log1p(100 * deps[dep] / words) for name, (_, dep) in CLAUSES.items()}
    return {
        **{f"part_{name}": share for name, share in parts.items()},
        **{f"clause_{name}": rate for name, rate in clauses.items()},
        **_trees(essay),
        "tag_variety": len(set(zip(text.tags, text.tags[1:], text.tags[2:], strict=False))) / len(text) ** 0.5,
        **_surprise(essay),
    }


def _trees(essay: Analysis) -> dict[str, float]:
    text = essay.text
    depth = token_depths(text.heads)
    deepest = np.maximum.reduceat(depth, text.sentence_starts[:-1])
    distance = np.abs(np.arange(len(text)) - text.heads)
    verbs = sum(dep in FINITE and tag.startswith(("V", "MD")) for dep, tag in zip(text.deps, text.tags, strict=True))
    return {
        "tree_depth": float(deepest.mean()),
        "deepest_tree": float(np.log1p(deepest.max())),
        "head_distance": float(np.log1p(distance[distance > 0].mean())) if (distance > 0).any() else float("nan"),
        "clauses_per_sentence": log1p(verbs / text.sentence_count),
    }


def token_depths(heads: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many heads stand above each token.

    >>> token_depths(np.array([1, 1, 1, 2], dtype=np.int32)).tolist()
    [1, 0, 1, 2]
    """
    depth = np.zeros(len(heads), dtype=np.int64)
    here, above = np.arange(len(heads), dtype=np.int32), heads
    while (climbs := above != here).any():
        depth += climbs
        here, above = above, heads[above]
    return depth


def _surprise(essay: Analysis) -> dict[str, float]:
    """Mean and spread over sentences of -log10 p per token, by the trigram model of parts of speech."""
    model, text = trigram_model(), essay.text
    unknown, boundary = model.symbols.get("XX", 0), model.symbols[BOUNDARY]
    rows: list[float] = []
    for sentence in text.sentences():
        known: Sequence[int] = [
            model.symbols.get(symbol(text.words[i].lower(), text.tags[i]), unknown) for i in sentence
        ]
        if known:
            rows.append(-model.score([boundary, boundary, *known], 2, len(known) + 2) / len(known))
    return {"grammar_surprise": float(np.mean(rows)), "grammar_surprise_sd": float(np.std(rows))}
