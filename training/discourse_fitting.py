"""From labelled essays to a `DiscourseModel`: the common words, the feature names, the fitted weights."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from scipy import sparse

from assay.essays.discourse.model import DiscourseModel
from assay.essays.discourse.sentence_features import sentence_features
from training.discourse_corpus import LabelledEssay
from training.discourse_network import Examples, Settings, Weights, fit

LEAST_ESSAYS = 0.015
LEAST_TOPICS = 0.85
LEAST_SENTENCES = 100


def fit_model(
    essays: Sequence[LabelledEssay], topic: Mapping[str, str], settings: Settings, seed: int
) -> DiscourseModel:
    """A model of these essays and nothing else; words, names and weights come from them alone."""
    common = common_words(essays, topic)
    found = [sentence_features(essay.text, common) for essay in essays]
    counts = Counter(name for sentences in found for names in sentences for name in names)
    names = {name: row for row, name in enumerate(sorted(n for n, k in counts.items() if k >= LEAST_SENTENCES))}
    weights = fit(examples(essays, found, names), settings, seed)
    return as_model(weights, common, names)


def common_words(essays: Sequence[LabelledEssay], topic: Mapping[str, str]) -> frozenset[str]:
    """Tokens in 1.5 % of the essays of 85 % of the topics: words of no topic."""
    with_word: dict[str, Counter[str]] = {}
    for essay in essays:
        with_word.setdefault(topic[essay.essay_id], Counter()).update({word.lower() for word in essay.text.words})
    sizes = Counter(topic[essay.essay_id] for essay in essays)
    frequent = Counter(w for name, c in with_word.items() for w, k in c.items() if k >= LEAST_ESSAYS * sizes[name])
    return frozenset(word for word, count in frequent.items() if count >= LEAST_TOPICS * len(sizes))


def examples(
    essays: Sequence[LabelledEssay], found: Sequence[Sequence[Collection[str]]], names: Mapping[str, int]
) -> Examples:
    rows = [sorted({names[name] for name in sentence if name in names}) for text in found for sentence in text]
    firsts = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32, count=int(firsts[-1]))
    present = np.ones(len(columns), dtype=np.float32)
    return Examples(
        features=sparse.csr_matrix((present, columns, firsts), shape=(len(rows), len(names))),
        states=np.concatenate([essay.states for essay in essays]),
        opens_paragraph=np.concatenate([np.diff(e.text.sentence_paragraph, prepend=-1) > 0 for e in essays]),
        firsts=np.cumsum([0, *(essay.text.sentence_count for essay in essays)]),
    )


def as_model(weights: Weights, common: frozenset[str], names: Mapping[str, int]) -> DiscourseModel:
    """The fitted weights as the package uses them: embedding and direct weights side by side."""
    return DiscourseModel(
        common=common,
        names=names,
        embedding=np.concatenate([weights["embedding"], weights["direct"]], axis=1),
        embedding_bias=np.concatenate([weights["embedding_bias"], weights["direct_bias"]]),
        **{name: weights[name] for name in ("mixing", "mixing_bias", "output", "links", "start", "end")},
    )
