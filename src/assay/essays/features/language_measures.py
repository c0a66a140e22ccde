"""How rare, long and varied the words are, how a writer argues with them, and how the sentences are built."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.lexicon import trigram_model
from assay.essays.features.content import content_words
from assay.essays.features.features import Analysis
from assay.essays.text.text import frequency_index, is_placeholder, word_form, word_list

WINDOW = 50
RARE = 45.0
"""A standardised frequency index below which a word is rare: fewer than three in a million words."""
UNCOMMON = 55.0


MEASURES: defaultdict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
"""Group -> its measures, from `measures.tsv`: name -> title, and the signs, tags or words that are counted."""
for _line in files("assay.essays.features").joinpath("measures.tsv").read_text(encoding="utf-8").splitlines():
    if not _line.startswith("#"):
        _group, _name, _title, _counted = _line.split("\t")
        MEASURES[_group][_name] = (_title, _counted)
WORD_TITLES: Mapping[str, str] = {name: title for name, (title, _) in MEASURES["word"].items()}


def word_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name, frequencies of the words that are spelled right; NaN without words."""
    written = [word_form(word) for word in essay.words if not is_placeholder(word)]
    if not written:
        return dict.fromkeys(WORD_TITLES, float("nan"))
    index, spelled, distinct = frequency_index(), word_list("spelled_words"), set(written)
    known = {word: index[word] for word in distinct if word in spelled and word in index}
    types = np.array(sorted(known.values()) or [np.nan])
    tokens = [known[word] for word in written if word in known]
    rare, uncommon = int((types < RARE).sum()), int((types < UNCOMMON).sum())
    p5, p10, p25, p50 = np.percentile(types, [5, 10, 25, 50]).tolist()
    lengths = np.array([len(word) for word in written], dtype=float)
    content = sorted(content_words(essay.words).values(), reverse=True)
    return {
        "rarity_5": p5,
        "rarity_10": p10,
        "rarity_25": p25,
        "rarity_50": p50,
        "mean_frequency": float(types.mean()),
        "token_frequency": float(np.mean(tokens)) if tokens else float("nan"),
        "rare_words": log1p(rare),
        "rare_share": rare / len(types),
        "uncommon_words": log1p(uncommon),
        "uncommon_share": uncommon / len(types),
        "word_length": float(lengths.mean()),
        "word_length_sd": float(lengths.std()),
        "long_words": float((lengths > 6).mean()),
        "very_long_words": float((lengths > 9).mean()),
        "long_word_count": log1p(sum(len(word) > 6 for word in distinct)),
        "local_variety": moving_variety(written, WINDOW),
        "herdan": log(len(distinct)) / log(len(written)) if len(written) > 1 else float("nan"),
        "guiraud": len(distinct) / len(written) ** 0.5,
        "once_share": sum(count == 1 for count in essay.word_counts.values()) / max(1, len(essay.word_counts)),
        "repeated_content": sum(content[:5]) / max(1, sum(content)),
    }


def moving_variety(words: Sequence[str], window: int) -> float:
    """The mean share of different words among `window` in a row (MATTR); of all words if there are fewer.

    >>> moving_variety(["a", "b", "a", "a"], 2)
    0.8333333333333334
    """
    size = min(window, len(words))
    counts: Counter[str] = Counter()
    total = 0
    for at, word in enumerate(words):
        counts[word] += 1
        if at >= size:
            left = words[at - size]
            counts[left] -= 1
            if not counts[left]:
                del counts[left]
        if at >= size - 1:
            total += len(counts)
    return total / size / (len(words) - size + 1)


WORDINGS = MEASURES["wording"]
WORDING_TITLES: Mapping[str, str] = {
    **{f"wording_{name}": f"{title} per 100 words" for name, (title, _) in WORDINGS.items()},
    "connective_kinds": "Different connectives",
}
CONNECTIVES = ("contrast", "cause", "addition", "order", "example", "conclusion")
LISTED = {
    name: (frozenset(one for one in listed if " " not in one), [one for one in listed if " " in one])
    for name, listed in ((name, listed.split("|")) for name, (_, listed) in WORDINGS.items())
}
"""Wording -> its single words, and its phrases."""


def wording_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name: log(1 + uses per 100 words)."""
    written = [word_form(word) for word in essay.words]
    running = f" {' '.join(written)} "
    rates: dict[str, float] = {}
    connectives: set[str] = set()
    for name, (words, phrases) in LISTED.items():
        uses = sum(word in words for word in written) + sum(running.count(f" {phrase} ") for phrase in phrases)
        rates[f"wording_{name}"] = log1p(100 * uses / max(1, len(written)))
        if name in CONNECTIVES:
            connectives.update(listed for listed in (*words, *phrases) if f" {listed} " in running)
    return {**rates, "connective_kinds": log1p(len(connectives))}


PARTS, CLAUSES = MEASURES["part"], MEASURES["clause"]
GRAMMAR_TITLES: Mapping[str, str] = {
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
CLAUSE_HEADS = frozenset(["ROOT", "advcl", "ccomp", "relcl", "csubj", "conj"])


def grammar_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; NaN without tokens.

    Surprise is the mean, and the spread over sentences, of -log10 p per token by the trigram model of parts of speech.
    """
    text = essay.text
    if not len(text):
        return dict.fromkeys(GRAMMAR_TITLES, float("nan"))
    words = max(1, len(essay.words))
    tags, deps = Counter(text.tags), Counter(text.deps)
    deepest = np.maximum.reduceat(token_depths(text.heads), text.sentence_starts[:-1])
    distance = np.abs(np.arange(len(text)) - text.heads)
    verbs = sum(
        dep in CLAUSE_HEADS and tag.startswith(("V", "MD")) for dep, tag in zip(text.deps, text.tags, strict=True)
    )
    model, lowered = trigram_model(), [word.lower() for word in text.words]
    surprises = [model.surprise(lowered[s.start : s.stop], text.tags[s.start : s.stop]) for s in text.sentences()]
    return {
        **{f"part_{name}": sum(tags[tag] for tag in tags_of.split()) / words for name, (_, tags_of) in PARTS.items()},
        **{f"clause_{name}": log1p(100 * deps[dep] / words) for name, (_, dep) in CLAUSES.items()},
        "tree_depth": float(deepest.mean()),
        "deepest_tree": float(np.log1p(deepest.max())),
        "head_distance": float(np.log1p(distance[distance > 0].mean())) if (distance > 0).any() else float("nan"),
        "clauses_per_sentence": log1p(verbs / text.sentence_count),
        "tag_variety": len(set(zip(text.tags, text.tags[1:], text.tags[2:], strict=False))) / len(text) ** 0.5,
        "grammar_surprise": float(np.mean(surprises)),
        "grammar_surprise_sd": float(np.std(surprises)),
    }


def token_depths(heads: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many heads stand above each token.

    >>> token_depths(np.array([1, 1, 1, 2], dtype=np.int32)).tolist()
    [1, 0, 1, 2]
    """
    depth = np.zeros(len(heads), dtype=np.int64)
    token, above = np.arange(len(heads), dtype=np.int32), heads
    while (climbs := above != token).any():
        depth += climbs
        token, above = above, heads[above]
    return depth
