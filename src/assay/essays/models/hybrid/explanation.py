"""A hybrid's score in words: what it rests on, from the shares of some 180 features."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType

from assay.essays.features.measures import FAMILY as MEASURE_FAMILY
from assay.essays.models.hybrid import topic
from assay.essays.models.hybrid.model import CHARACTERS, PART_TITLES, WORDS
from assay.essays.models.hybrid.space import TITLES as FEATURE_TITLES
from assay.essays.models.hybrid.space import VOCABULARY_TITLES

FAMILY: Mapping[str, str] = MappingProxyType(
    {
        **MEASURE_FAMILY,
        **dict.fromkeys(topic.TITLES, "Topic"),
        **dict.fromkeys(VOCABULARY_TITLES, "Topic"),
        CHARACTERS: "Spelling and phrasing patterns",
        WORDS: "Words used",
    }
)
"""Feature -> what it is about; features that tell prompts apart are about the prompt."""
TITLES: Mapping[str, str] = MappingProxyType({**FEATURE_TITLES, **PART_TITLES})


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of an explanation."""

    title: str
    share: float
    """Score points."""


def by_family(shares: Mapping[str, float]) -> list[Reason]:
    """What each family of features adds, largest first; they add up to raw score minus average."""
    sums: dict[str, float] = {}
    for name, share in shares.items():
        family = FAMILY.get(name, "Prompt")
        sums[family] = sums.get(family, 0.0) + (0.0 if isnan(share) else share)
    return _ordered(sums)


def by_feature(shares: Mapping[str, float], most: int = 10) -> list[Reason]:
    """The features that add or take most, with their titles."""
    return _ordered({TITLES.get(name, name): share for name, share in shares.items() if not isnan(share)})[:most]


def in_words(reasons: list[Reason], most: int = 4) -> str:
    """The largest reasons in one line.

    >>> in_words([Reason("Errors", -0.31), Reason("Length", 0.254)])
    'Errors −0.31, Length +0.25'
    """
    phrases = [f"{reason.title} {reason.share:+.2f}".replace("-", "−") for reason in reasons[:most]]
    return ", ".join(phrases)


def _ordered(sums: Mapping[str, float]) -> list[Reason]:
    return sorted((Reason(title, share) for title, share in sums.items()), key=lambda reason: -abs(reason.share))
