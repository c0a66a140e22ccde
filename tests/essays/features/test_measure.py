"""Essays of one prompt compared with each other, none meeting itself."""

import math

import pytest

from assay.essays.features.content import train_content
from assay.essays.features.features import FEATURES, Measured, PackedContents, with_content
from assay.essays.feedback.advisories import Advisory

WEAK, STRONG = {"dog": 2, "nice": 1}, {"dog": 1, "loyalty": 2, "companion": 1}


def measured() -> Measured:
    return Measured(dict.fromkeys(FEATURES, math.nan), (Advisory("too_short", "3 words"),), {})


def packed(*contents: dict[str, int]) -> PackedContents:
    found = PackedContents()
    for content in contents:
        found.append(content)
    return found


def compared(contents: PackedContents, prompts: list[str], scores: list[float]) -> list[Measured]:
    return list(with_content([measured() for _ in contents], contents, prompts, scores))


def test_contents_come_back_as_they_were_packed() -> None:
    contents = packed(WEAK, {}, STRONG)
    assert list(contents) == [WEAK, {}, STRONG]
    assert list(contents.at([2, 0])) == [STRONG, WEAK]
    assert contents[1:] == [{}, STRONG]


def test_a_scored_essay_is_compared_with_the_others_of_its_prompt_only() -> None:
    given = [WEAK, WEAK, STRONG, STRONG, {"bus": 1}, {"bus": 2, "city": 1}]
    scores = [1.0, 1.0, 4.0, 4.0, 1.0, 4.0]
    found = compared(packed(*given), ["dogs"] * 4 + ["buses"] * 2, scores)
    alone = train_content(given[:4], scores[:4]).similarity_without(WEAK, 1.0)
    assert found[0].values["cos_highest"] == pytest.approx(alone.cos_highest())
    assert found[0].advisories == (Advisory("too_short", "3 words"),)


def test_an_essay_without_a_score_is_compared_with_all_scored_ones() -> None:
    given = [WEAK, WEAK, STRONG, STRONG, WEAK]
    found = compared(packed(*given), ["dogs"] * 5, [1.0, 1.0, 4.0, 4.0, math.nan])
    expected = train_content(given[:4], [1.0, 1.0, 4.0, 4.0]).similarity(WEAK)
    assert found[4].values["max_cos"] == expected.max_cos()


def test_with_one_scored_essay_nothing_is_compared() -> None:
    found = compared(packed(WEAK, STRONG), ["dogs", "dogs"], [2.0, math.nan])
    assert all(math.isnan(essay.values["max_cos"]) for essay in found)


def test_an_essay_about_something_else_is_off_topic() -> None:
    words = ["dog", "leash", "walk", "bark", "puppy", "vet", "bone", "park"]
    given = [dict.fromkeys(words[i % 8 :] + words[: i % 8][:5], 1) for i in range(120)]
    stranger = {"senate": 2, "ballot": 1, "election": 3}
    found = compared(packed(*given, stranger), ["dogs"] * 121, [*[1.0, 2.0] * 60, math.nan])
    assert [advisory.name for advisory in found[-1].advisories] == ["too_short", "off_topic"]
    assert sum(len(essay.advisories) > 1 for essay in found[:-1]) <= 1
