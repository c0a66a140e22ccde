"""Content vector analysis: does an essay use the words of weak or of strong essays on the same prompt?

Source: Attali & Burstein (2005), Prompt-Specific Vocabulary Usage.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.text.text import is_placeholder, word_form, word_list

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LEAST_ESSAYS = 10
"""Essays a score point needs to have a vector of its own; with fewer it joins the next lower point."""
UNUSUAL = 0.005
LEAST_TO_JUDGE_TOPIC = 100
"""Essays needed to know how unfamiliar an essay on the prompt may be; and the share that may be taken for off topic."""


def content_words(words: Iterable[str]) -> Counter[str]:
    """How often each word occurs that says something of the content; function words, numbers and names taken out.

    >>> content_words("The dog and the Dogs saw 3 dogs".split())
    Counter({'dogs': 2, 'dog': 1, 'saw': 1})
    """
    counts = Counter(word_form(word) for word in words if not is_placeholder(word))
    skipped = word_list("function_words")
    return Counter({w: n for w, n in counts.items() if w not in skipped and any(c.isalpha() for c in w)})


@dataclass(frozen=True, eq=False, slots=True)
class ContentSimilarity:
    """The cosine between an essay and the essays of each score point; NaN where either has no known word."""

    points: Floats
    cosines: Floats

    def max_cos(self) -> float:
        """The score point whose words are most like the essay's; NaN if no cosine is defined."""
        known = np.isfinite(self.cosines)
        return float(self.points[np.nanargmax(self.cosines)]) if known.any() else float("nan")

    def cos_highest(self) -> float:
        """The cosine with the highest score point: *cos. w/6* of the paper."""
        return float(self.cosines[-1]) if len(self.cosines) else float("nan")

    def smoothed_max_cos(self, sharpness: float = 25.0) -> float:
        """The mean of the score points, weighted by exp(sharpness * cosine): max. cos. without its jumps. Ours."""
        known = np.isfinite(self.cosines)
        if not known.any():
            return float("nan")
        weights = np.exp(sharpness * (self.cosines[known] - self.cosines[known].max()))
        return float(weights @ self.points[known] / weights.sum())


@dataclass(frozen=True, eq=False, slots=True)
class ContentModel:
    """Word counts of the training essays of one prompt, by score point.

    Weight of word i in an essay          F_i / MaxF * log(N / N_i)
    Weight of word i at score point s     F_is / MaxF_s * log(N / N_i)

    F are frequencies, N is the number of essays and N_i of those that have the word. MaxF and MaxF_s scale a whole
    vector and leave its cosines as they are. Words that no training essay has are left out: their weight is undefined.
    """

    words: tuple[str, ...]
    points: Floats
    """The score points, ascending."""
    floors: Floats
    """The lowest score that counts under each point."""
    frequencies: Counts
    """(points, words): F_is."""
    essays_with: Counts
    """(words,): N_i."""
    essays: int
    """N."""
    least_familiarity: float = float("nan")
    """The familiarity that all but 1 in 200 training essays have: below it an essay may be off topic. NaN: unknown."""
    position: Mapping[str, int] = field(init=False, repr=False)
    moments: Floats = field(init=False, repr=False)
    """(3, points): sums over words of F^2, F^2 log N_i and F^2 (log N_i)^2, which make every norm."""

    def __post_init__(self) -> None:
        squares = self.frequencies.astype(np.float64) ** 2
        logs = np.log(self.essays_with)
        moments = np.stack([squares.sum(axis=1), squares @ logs, squares @ logs**2])
        object.__setattr__(self, "position", {word: i for i, word in enumerate(self.words)})
        object.__setattr__(self, "moments", moments)
        for array in (self.points, self.floors, self.frequencies, self.essays_with, moments):
            array.flags.writeable = False

    def similarity(self, content: Mapping[str, int]) -> ContentSimilarity:
        """The cosines of an essay that is not among the training essays."""
        at, own = self._known(content)
        with_word = self.essays_with[at]
        return self._similarity(at, own, self.frequencies[:, at], with_word, self.essays)

    def similarity_without(self, content: Mapping[str, int], score: float) -> ContentSimilarity:
        """The cosines of a training essay as if it had not been among them: it must not meet itself.

        `score` is its human score, which tells the score point it was counted under.
        """
        at, own = self._known(content)
        others = self.frequencies[:, at].copy()
        others[max(0, int(np.searchsorted(self.floors, score, side="right")) - 1)] -= own
        left = self.essays_with[at] - 1
        if others.min(initial=0) < 0 or left.min(initial=0) < 0:
            raise InputError("this essay was not among the training essays of its score point. Use `similarity`.")
        return self._similarity(at, own, others, left, self.essays - 1)

    def familiarity(self, content: Mapping[str, int]) -> float:
        """How much an essay is about what the training essays are about.

        The mean, over the words of the essay, of the share of training essays that have the word. Distinct content
        words count once. NaN without any.
        """
        at, _ = self._known(content)
        return float(self.essays_with[at].sum() / self.essays / len(content)) if content else float("nan")

    def familiarity_without(self, content: Mapping[str, int]) -> float:
        """The same for a training essay as if it had not been among them."""
        at, _ = self._known(content)
        if not content or self.essays < 2:
            return float("nan")
        return float((self.essays_with[at] - 1).sum() / (self.essays - 1) / len(content))

    def _known(self, content: Mapping[str, int]) -> tuple[NDArray[np.intp], Counts]:
        known = [(i, n) for word, n in content.items() if (i := self.position.get(word)) is not None]
        pairs = np.array(known, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def _similarity(
        self, at: NDArray[np.intp], own: Counts, others: Counts, left: Counts, essays: int
    ) -> ContentSimilarity:
        """Cosines, given the frequencies (points, words of the essay) and N_i without the essay itself.

        A score point's norm is a sum over all words. For those the essay lacks only N changes, so the sum over all of
        F^2 (log N - log N_i)^2 is taken from `moments`, and then put right for the essay's words.
        """
        log_n = np.log(essays) if essays else 0.0
        weight = np.where(left > 0, log_n - np.log(np.maximum(left, 1)), 0.0)
        essay = own * weight
        vectors = others * weight  # (points, words of the essay)
        before = self.frequencies[:, at] * (log_n - np.log(self.essays_with[at]))
        squares = np.array([log_n**2, -2 * log_n, 1.0]) @ self.moments
        norms = np.sqrt(np.maximum(squares - (before**2).sum(axis=1) + (vectors**2).sum(axis=1), 0.0))
        scale = norms * np.sqrt((essay**2).sum())
        cosines = np.full(len(self.points), np.nan)
        np.divide(vectors @ essay, scale, out=cosines, where=scale > 1e-9)
        return ContentSimilarity(self.points, cosines)


def train_content(
    contents: Sequence[Mapping[str, int]], scores: Sequence[float], *, least_essays: int = LEAST_ESSAYS
) -> ContentModel:
    """The model of one prompt from its essays' content words and human scores.

    Any scale will do: score points are the scores that occur. A point with fewer than `least_essays` essays joins the
    next lower one (the lowest, the next higher) under the mean of their scores; 1 keeps every point, as the paper does.
    """
    if len(contents) != len(scores) or not np.all(np.isfinite(scores)):
        raise InputError(f"content vectors need a score for each essay, got {len(scores)} for {len(contents)} essays")
    given = np.asarray(scores, dtype=np.float64)
    floors = _floors(given, least_essays)
    group = np.searchsorted(floors, given, side="right") - 1
    points = np.array([given[group == point].mean() for point in range(len(floors))])
    position: dict[str, int] = {}
    for content in contents:
        for word in content:
            position.setdefault(word, len(position))
    frequencies = np.zeros((len(points), len(position)), dtype=np.int64)
    essays_with = np.zeros(len(position), dtype=np.int64)
    for content, point in zip(contents, group.tolist(), strict=True):
        at = [position[word] for word in content]
        frequencies[point, at] += np.array(list(content.values()), dtype=np.int64)  # an essay may have no words
        essays_with[at] += 1
    model = ContentModel(tuple(position), points, floors, frequencies, essays_with, len(contents))
    known = [value for content in contents if not np.isnan(value := model.familiarity_without(content))]
    least = float(np.quantile(known, UNUSUAL)) if len(known) >= LEAST_TO_JUDGE_TOPIC else float("nan")
    return replace(model, least_familiarity=least)


def _floors(scores: Floats, least_essays: int) -> Floats:
    """The lowest score of each group, from the highest scores down, so that the top stays as high as it can.

    >>> _floors(np.array([1.0, 2, 2, 3, 3, 4]), 2)
    array([1., 3.])
    """
    floors: list[float] = []
    size = 0
    values, counts = np.unique(scores, return_counts=True)
    for value, count in zip(values[::-1].tolist(), counts[::-1].tolist(), strict=True):
        size += count
        if size >= least_essays:
            floors.append(value)
            size = 0
    if size and floors:
        floors[-1] = float(values[0])
    elif size:
        floors.append(float(values[0]))
    return np.array(floors[::-1])
