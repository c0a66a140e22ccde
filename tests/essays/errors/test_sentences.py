"""Fragments, run-on and garbled sentences, remarks on style: each rule on sentences of our own."""

import pytest

from assay.essays.errors import sentences
from assay.essays.errors.reading import Mark, read
from assay.essays.text.reader import read_text
from tests.essays.errors.marks import marked
from tests.essays.essay_texts import written

WRONG = [
    (
        "fragment",
        "We stayed. Because the road to the village was closed.",
        [("fragment", "Because the road to the village was closed", None)],
    ),
    (
        "fragment",
        "She left. Helping people in the small towns.",
        [("fragment", "Helping people in the small towns", None)],
    ),
    (
        "fragment",
        "The teacher was late again. Which made the whole class nervous.",
        [("fragment", "Which made the whole class nervous", None)],
    ),
    (
        "comma_splices",
        "I like the old library very much, it has many quiet rooms.",
        [("run_on", "much, it", "much. It")],
    ),
    (
        "repetition",
        "The garden was large. Every day we walked through the garden and spoke of it, and she loved the garden.",
        [("repetition", "garden", None)],
    ),
    ("style_remarks", "The kids were tired.", [("informal", "kids", "children")]),
    (
        "style_remarks",
        "And then we left. But nobody saw us. So we ran.",
        [("conjunction_start", "And", None), ("conjunction_start", "But", None), ("conjunction_start", "So", None)],
    ),
    (
        "style_remarks",
        "We ran. We hid. We won. We ate. We slept. They left.",
        [("short_sentences", "We slept.", None), ("short_sentences", "They left.", None)],
    ),
    (
        "style_remarks",
        "The cake was eaten. The song was sung. The door was closed.",
        [("passive", "was eaten", None), ("passive", "was sung", None), ("passive", "was closed", None)],
    ),
]
RIGHT = [
    ("fragment", "Because it rained, we stayed."),
    ("fragment", "Stop talking and open your books."),
    ("fragment", "He said: nothing of the kind at all."),
    ("fused_sentences", "I like it. He does too."),
    ("comma_splices", "When the bus is late, we walk to school."),
    ("comma_splices", "I like it, and it likes me."),
    ("comma_splices", '"I am tired," she said.'),
    ("repetition", "The garden was large. The garden was old."),
    ("style_remarks", "And then we left."),
    ("style_remarks", "The cake was eaten. The song was sung. He closed the door."),
]


@pytest.mark.parametrize(("rule", "text", "marks"), WRONG)
def test_a_rule_marks_the_words_and_says_what_is_better(
    rule: str, text: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert marked(getattr(sentences, rule), text) == marks


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    assert marked(getattr(sentences, rule), text) == []


def test_an_independent_clause_has_a_subject_a_finite_verb_and_four_words() -> None:
    context = read(read_text("The dog barked loudly. Because the dog barked. They ran. Barking at the cat."))

    found = [sentences.is_independent(context, *context.sentence(first)) for first in context.bounds[:-1]]

    assert found == [True, False, False, False]


def test_a_sentence_is_garbled_by_its_order_of_words_and_careless_by_four_errors() -> None:
    context = read(read_text("Is because the life no are easy for have a good works and them not can to know much."))
    last = len(context.lower) - 1

    assert list(sentences.garbled_or_careless(context, [[]])) == []
    assert list(sentences.garbled_or_careless(context, [["mechanics"] * 3])) == []
    assert list(sentences.garbled_or_careless(context, [["grammar", "usage", "usage"]])) == [Mark("garbled", 0, last)]
    assert list(sentences.garbled_or_careless(context, [["mechanics"] * 4])) == [Mark("proofread", 0, last)]


def test_a_plain_sentence_with_one_error_is_not_garbled() -> None:
    context = read(read_text("The children planted a tree behind the school, and it grew quickly."))

    assert list(sentences.garbled_or_careless(context, [["grammar"]])) == []


def test_more_than_45_words_make_a_long_sentence_and_55_with_nine_verbs_a_run_on() -> None:
    text = " ".join(["word"] * 45)

    assert marked(sentences.style_remarks, f"{text}.") == []
    assert marked(sentences.style_remarks, f"{text} more.") == [("long_sentences", f"{text} more.", None)]
    clauses = " and ".join(["we should go home now"] * 10) + " ."
    context = read(written([[clauses]]))
    assert list(sentences.fused_sentences(context)) == [Mark("run_on", 0, len(context.lower) - 1)]
    few = read(written([[" and ".join(["we should go home now"] * 8) + " ."]]))
    assert list(sentences.fused_sentences(few)) == []


def test_a_word_used_three_times_close_together_is_repeated_and_twice_is_not() -> None:
    near = "The lantern fell. " + "They had it for us. " * 3 + "The lantern broke. No lantern shone."
    far = "The lantern fell. " + "They had it for us. " * 16 + "The lantern broke. " + "It was so. " * 10 + "A lantern!"

    assert [words for _, words, _ in marked(sentences.repetition, near)] == ["lantern"]
    assert marked(sentences.repetition, far) == []
    assert marked(sentences.repetition, "The lantern fell. " + "They had it for us. " * 3 + "The lantern broke.") == []


def test_what_a_text_is_about_and_parts_of_words_are_no_repetition() -> None:
    topic = "The lantern was here. They had it for us. Then the lantern and the other lantern went. " * 8

    assert "lantern" not in [words for _, words, _ in marked(sentences.repetition, topic)]
    assert marked(sentences.repetition, "They can't stay, we can't go, he can't run, you can't sit, I can't see.") == []
