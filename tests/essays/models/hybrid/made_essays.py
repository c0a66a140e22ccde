"""Essays of our own whose quality is known: longer, better worded and on the topic as the level rises."""

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.measures import NAMES
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.text.text import Essay

TOPICS = {
    "dogs": ["dog", "leash", "walk", "bark", "puppy", "owner", "loyal", "park", "collar", "treat"],
    "trains": ["train", "station", "track", "ticket", "platform", "engine", "carriage", "journey", "rail", "conductor"],
    "gardens": ["garden", "seed", "soil", "flower", "water", "spade", "tree", "leaf", "grow", "harvest"],
}
PLAIN = ["the", "it", "is", "was", "good", "nice", "and", "they", "like", "very", "thing", "stuff", "so"]
RICH = [
    "however",
    "therefore",
    "moreover",
    "significant",
    "consequently",
    "particularly",
    "demonstrate",
    "evidence",
    "although",
    "responsible",
]


def essay_of(level: int, topic: str, rng: np.random.Generator) -> str:
    """A text of a level from 1 to 4."""
    words = []
    for _ in range(int(25 * level + rng.integers(0, 15))):
        pool = TOPICS[topic] if rng.random() < 0.15 + 0.05 * level else RICH if rng.random() < 0.12 * level else PLAIN
        words.append(str(rng.choice(pool)))
    return " ".join(words) + "."


def made_essays(
    count: int, topics: tuple[str, ...] = ("dogs",), seed: int = 1
) -> tuple[HybridEssays, NDArray[np.float64]]:
    """Essays in turn of each topic and level, with measures that follow their text, and their scores."""
    rng = np.random.default_rng(seed)
    essays, measures, scores = [], [], []
    for number in range(count):
        level, topic = 1 + number % 4, topics[number % len(topics)] if len(topics) > 1 else topics[0]
        text = essay_of(level, topic, rng)
        essays.append(Essay(f"e{number}", text, topic))
        measures.append(_measures(text, rng))
        scores.append(float(np.clip(level + rng.choice([-1, 0, 0, 0, 0, 1]), 1, 4)))
    return HybridEssays(tuple(essays), np.array(measures), ((),) * count), np.array(scores)


def _measures(text: str, rng: np.random.Generator) -> NDArray[np.float64]:
    """The log of the words in front, a share of rich words next, and noise in place of the rest."""
    row = rng.normal(size=len(NAMES))
    words = text.rstrip(".").split()
    row[0] = np.log1p(len(words))
    row[1] = sum(word in RICH for word in words) / len(words)
    return row
