"""How rare, long and varied the words are, how a writer argues with them, and how the sentences are built."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.lexicon import trigram_model
from assay.essays.features.analysis import Analysis
from assay.essays.features.content import content_words
from assay.essays.text.text import is_placeholder, word_form
from assay.essays.text.vocabulary import frequency_index, word_list

WINDOW = 50
RARE = 45.0
"""A standardised frequency index below which a word is rare: fewer than three in a million words."""
UNCOMMON = 55.0

WORD_TITLES: Mapping[str, str] = {
    "rarity_5": "How rare the rarest words are (5th percentile of frequency)",
    "rarity_10": "How rare the rarer words are (10th percentile of frequency)",
    "rarity_25": "How rare a quarter of the words are (25th percentile of frequency)",
    "rarity_50": "How rare half of the words are (median frequency)",
    "mean_frequency": "How common the different words are on average",
    "token_frequency": "How common the words are on average, repeated ones counted",
    "rare_words": "Number of rare words",
    "rare_share": "Share of rare words among the different words",
    "uncommon_words": "Number of less common words",
    "uncommon_share": "Share of less common words",
    "word_length": "Letters per word",
    "word_length_sd": "Variation of word length",
    "long_words": "Share of words with more than six letters",
    "very_long_words": "Share of words with more than nine letters",
    "long_word_count": "Number of different words with more than six letters",
    "local_variety": "Different words among any fifty in a row",
    "herdan": "Variety of words for the length of the essay (Herdan)",
    "guiraud": "Variety of words for the length of the essay (Guiraud)",
    "once_share": "Share of words used only once",
    "repeated_content": "How often the most used content words come back",
}


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


WORDINGS: Mapping[str, tuple[str, ...]] = {
    "contrast": (
        "Words of contrast (however, although, instead)",
        "however although though but nevertheless nonetheless instead whereas despite unlike yet still "
        "otherwise rather",
        "even if|even though|on the other hand|in contrast|on the contrary|in spite of",
    ),
    "cause": (
        "Words of cause and effect (because, therefore)",
        "because since therefore thus hence consequently so due cause causes caused reason reasons",
        "as a result|so that|because of|leads to|led to|this is why|in order to",
    ),
    "addition": (
        "Words that add a point (also, furthermore)",
        "also furthermore moreover additionally besides another too plus likewise similarly",
        "in addition|as well|not only|on top of that",
    ),
    "order": (
        "Words that put points in order (first, next, finally)",
        "first second third firstly secondly thirdly next then finally lastly last afterwards later meanwhile",
        "to begin with|first of all|at first|last but not least|after that",
    ),
    "example": (
        "Words that bring an example (for example, such as)",
        "example examples instance evidence proof shows show showed proves prove demonstrates illustrates",
        "for example|for instance|such as|in fact|this shows|states that",
    ),
    "conclusion": (
        "Words that conclude (in conclusion, overall)",
        "overall conclude conclusion summary altogether ultimately",
        "in conclusion|to conclude|in the end|all in all|to sum up|in summary|for these reasons|as you can see",
    ),
    "opinion": (
        "Words of opinion (I think, I believe)",
        "think believe opinion feel agree disagree should must",
        "i think|i believe|in my opinion|i feel|i agree",
    ),
    "caution": (
        "Words of caution (may, perhaps, usually)",
        "may might could perhaps possibly probably maybe usually often sometimes generally likely seems seem "
        "tend tends appears",
    ),
    "author": (
        "Words about the source (the author, the article)",
        "author article passage text story excerpt paragraph narrator memoir character line quote "
        "states stated says wrote writes describes described explains explained according conveys portrays",
        "the author|the article|in the text|in the story|according to",
    ),
    "first_person": ("The writer in person (I, my, we)", "i me my mine myself we us our ours ourselves"),
    "second_person": ("The reader addressed (you, your)", "you your yours yourself u ur"),
    "third_person": (
        "Other persons (he, she, they)",
        "he she they him her them his their hers theirs himself herself themselves",
    ),
    "vague": (
        "Vague words (things, stuff, good, a lot)",
        "thing things stuff good bad nice big get gets got getting very really just like kind sort lots",
        "a lot|kind of|sort of|and stuff|and so on",
    ),
    "feeling": (
        "Words of feeling and sense",
        "love hate happy sad angry afraid scared excited laugh laughed laughing smile smiled cry cried heart "
        "feelings mood felt hope fear joy proud worried nervous eyes voice face hands",
    ),
    "report": (
        "Words of speech and thought (said, thought, realized)",
        "said say told tell asked ask replied thought knew realized wondered decided remember remembered noticed "
        "looked heard saw felt",
    ),
    "negation": ("Negations (not, never)", "not never no none nothing nobody neither nor cannot without"),
    "degree": (
        "Words of degree (more, most, less)",
        "more most less least much many few several enough too extremely greatly highly completely entirely",
    ),
}
WORDING_TITLES: Mapping[str, str] = {
    **{f"wording_{name}": f"{title} per 100 words" for name, (title, *_) in WORDINGS.items()},
    "connective_kinds": "Different connectives",
}
CONNECTIVES = ("contrast", "cause", "addition", "order", "example", "conclusion")
LISTED = {
    name: (frozenset(words.split()), tuple("".join(phrases).split("|")) if phrases else ())
    for name, (_, words, *phrases) in WORDINGS.items()
}


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


PARTS: Mapping[str, tuple[str, str]] = {
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
CLAUSES: Mapping[str, tuple[str, str]] = {
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
