"""Small changes that make a sentence more expected."""

from assay.essays.errors.proposals import alternatives, changes, proposals
from assay.essays.errors.reading import read
from assay.essays.text.reader import read_text


def proposed(sentence: str) -> dict[str, str]:
    return {p.word: p.better for p in proposals(read(read_text(sentence))) if not p.kind.startswith("insert")}


def test_another_preposition_is_proposed_where_it_is_expected() -> None:
    assert proposed("It all depends of the weather.")["of"] == "on"


def test_a_missing_word_is_proposed_between_its_neighbours() -> None:
    inserted = [
        p for p in proposals(read(read_text("We want to listen music at home."))) if p.kind.startswith("insert")
    ]

    assert ("music", "to") in [(p.word, p.better) for p in inserted]
    assert all(p.last == p.first + 1 for p in inserted)


def test_a_text_of_a_word_or_none_has_no_proposals() -> None:
    assert proposals(read(read_text(""))) == []
    assert proposals(read(read_text("Yes."))) == []


def test_alternatives_hold_both_ways_and_no_word_is_its_own() -> None:
    assert "effect" in alternatives()["affect"]
    assert "affect" in alternatives()["effect"]
    assert all(word not in others for word, others in alternatives().items())


def test_changes_name_their_kind() -> None:
    assert {kind for kind, _ in changes("in")} == {"preposition", "alternative"} or "preposition" in dict(changes("in"))
    assert {kind for kind, _ in changes("walked")} >= {"verb"}
