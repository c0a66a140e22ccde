"""Two drafts: an error is known again by what it is and by its words, wherever they stand."""

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.drafts import DraftChanges, DraftError, compare_drafts
from assay.essays.feedback.notes import WritingNote

FIRST = "I beleive dogs is loyal. My freind has a dog. Cats is nice too. Birds sings."


def marked(text: str, *errors: tuple[str, str]) -> list[WritingNote]:
    """Notes on words of a text, by type; a word that stands twice has both places."""
    notes = []
    for number, (kind, words) in enumerate(errors, start=1):
        places, at = [], text.find(words)
        while at >= 0:
            places.append((at, at + len(words)))
            at = text.find(words, at + 1)
        notes.append(WritingNote(number, kind, CATALOGUE[kind].category, kind, tuple(places), words, ""))
    return notes


def changes(after: str, *errors: tuple[str, str]) -> DraftChanges:
    before = marked(FIRST, ("spelling", "beleive"), ("spelling", "freind"), ("agreement", "Cats is"))
    return compare_drafts(FIRST, before, after, marked(after, *errors))


def words(errors: tuple[DraftError, ...]) -> list[str]:
    return [error.words for error in errors]


def test_the_same_text_leaves_everything_as_it_was() -> None:
    same = changes(FIRST, ("spelling", "beleive"), ("spelling", "freind"), ("agreement", "Cats is"))

    assert words(same.remaining) == ["beleive", "freind", "Cats is"]
    assert (same.resolved, same.cut, same.introduced) == ((), (), ())
    assert same.marked_before == 3


def test_what_was_revised_is_resolved_and_what_is_marked_for_the_first_time_is_new() -> None:
    after = "I believe dogs is loyal. My freind has a dogg. Cats are nice too. Birds sings."
    changed = changes(after, ("spelling", "freind"), ("spelling", "dogg"))

    assert words(changed.resolved) == ["beleive", "Cats is"]
    assert words(changed.remaining) == ["freind"]
    assert words(changed.introduced) == ["dogg"]
    assert changed.remaining[0].place == (after.index("freind"), after.index("freind") + 6)


def test_an_error_that_moved_with_its_words_remains() -> None:
    after = "Birds sings. Cats is nice too. My freind has a dog. I beleive dogs is loyal."
    moved = changes(after, ("spelling", "beleive"), ("spelling", "freind"), ("agreement", "Cats is"))

    assert sorted(words(moved.remaining)) == ["Cats is", "beleive", "freind"]
    assert moved.introduced == ()


def test_an_error_in_a_sentence_that_is_gone_is_cut_and_not_resolved() -> None:
    shorter = changes("I beleive dogs is loyal. Birds sings.", ("spelling", "beleive"))

    assert sorted(words(shorter.cut)) == ["Cats is", "freind"]
    assert shorter.resolved == ()


def test_the_same_misspelling_again_counts_once_each() -> None:
    twice, once = "My freind and his freind met.", "My friend and his freind met."
    changed = compare_drafts(twice, marked(twice, ("spelling", "freind")), once, marked(once, ("spelling", "freind")))

    assert (len(changed.remaining), len(changed.resolved), len(changed.introduced)) == (1, 1, 0)


def test_long_drafts_are_compared_too() -> None:
    long = f"{FIRST} " * 400
    changed = compare_drafts(long, marked(long, ("spelling", "freind")), long, marked(long, ("spelling", "freind")))

    assert (len(changed.remaining), changed.resolved, changed.cut) == (400, (), ())
