"""What a teacher decided: words that are right, rules that are off, notes that stay dismissed."""

import pytest

from assay.errors import InputError
from assay.essays.errors.catalogue import Finding
from assay.essays.feedback.preferences import CoursePreferences, Dismissed

NAME = Finding("spelling", "mechanics", 0, 7, "Wakanda", "Not in the dictionary.")
ENDED = Finding("run_on", "grammar", 20, 27, "bad, they", "Two sentences.")
AGAIN = Finding("repetition", "style", 40, 44, "dogs", "Again.")
ALL = [NAME, ENDED, AGAIN]


def test_a_word_is_accepted_in_any_case_of_letters_and_only_where_words_are_judged() -> None:
    assert CoursePreferences(accept=("WAKANDA", "dogs")).kept_findings(ALL) == [ENDED, AGAIN]


def test_a_rule_or_a_whole_category_can_be_off() -> None:
    assert CoursePreferences(off=("repetition",)).kept_findings(ALL) == [NAME, ENDED]
    assert CoursePreferences(off=("grammar", "mechanics")).kept_findings(ALL) == [AGAIN]
    with pytest.raises(InputError, match="no rule is called 'repeats'") as refused:
        CoursePreferences(off=("repeats",))
    assert refused.value.field == "preferences"


def test_a_note_stays_dismissed_wherever_its_words_stand() -> None:
    decided = CoursePreferences().dismissing(Dismissed("run_on", "Bad,  they"), Dismissed("comma", "bad, they"))
    again = decided.dismissing(Dismissed("run_on", "bad, they"))

    assert again.dismissed == decided.dismissed
    assert decided.kept_findings(ALL) == [NAME, AGAIN]
    assert decided.kept_findings([Finding("hyphen", "mechanics", 20, 27, "bad, they", "A hyphen.")]) != []
