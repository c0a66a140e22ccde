"""The words of the concepts: plain, in one spelling, each with a sense."""

from assay.annotations.rubric.concepts import ANY_OBJECT, CONCEPTS, FRACTIONS, NUMERALS, SILENT, TIMES


def test_phrases_are_lower_case_and_single_spaced() -> None:
    for listed in (*CONCEPTS.values(), ANY_OBJECT):
        for phrase in listed.split("|"):
            assert phrase == " ".join(phrase.split()).casefold()
            assert phrase


def test_a_word_without_a_sense_is_no_concept_of_its_own() -> None:
    alone = {phrase for listed in CONCEPTS.values() for phrase in listed.split("|") if " " not in phrase}
    assert sorted(alone & SILENT) == []


def test_numbers_are_in_order() -> None:
    assert (NUMERALS["nineteen"], NUMERALS["twenty"], NUMERALS["ninety"], NUMERALS["hundred"]) == (19, 20, 90, 100)
    assert all(0 < value < 1 for value in FRACTIONS.values())
    assert all(value > 1 for value in TIMES.values())
