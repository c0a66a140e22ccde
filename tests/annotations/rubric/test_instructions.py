"""Instructions read offline: the phrasings people use, and honesty about the others."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.edits import apply_edits, edit_words
from assay.annotations.rubric.instructions import read_instructions
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.errors import InputError

RUBRIC = Rubric(
    labels=(
        LabelRule("Car", (AttributeRule("color"), AttributeRule("Number of doors", "number"), AttributeRule("size"))),
        LabelRule("Person", (AttributeRule("age"), AttributeRule("color"))),
    ),
    match_key="Annotation No",
)


def understood(text: str) -> list[str]:
    reading = read_instructions(text, RUBRIC)
    assert reading.not_understood == ()
    return [edit_words(edit) for edit in reading.edits]


@pytest.mark.parametrize(
    ("instruction", "edits"),
    [
        ("ignore color", ["attribute 'color': not scored"]),
        ("Please ignore the attribute Color.", ["attribute 'color': not scored"]),
        ("ignore 'Number of doors'", ["attribute 'Number of doors': not scored"]),
        ("ignore number_of_doors", ["attribute 'Number of doors': not scored"]),
        ("don't count color for the class Person", ["attribute 'color' of 'Person': not scored"]),
        ("color does not matter", ["attribute 'color': not scored"]),
        ("ignore labels", ["weight of label: 0"]),
        ("label twice as important", ["weight of label: times 2"]),
        ("make label accuracy twice as important", ["weight of label: times 2"]),
        ("overlap counts 3 times as much", ["weight of localisation: times 3"]),
        ("halve the weight of completeness", ["weight of completeness: times 0.5"]),
        ("label twice as important as attributes", ["weight of label: 50"]),
        ("color half as important", ["attribute 'color': weight times 0.5"]),
        ("weights 60/20/20", [f"weight of {p}" for p in ("localisation: 60", "label: 20", "attributes: 20")]),
        ("overall 90/10", ["weight of quality: 90", "weight of completeness: 10"]),
        ("label 40 %, attributes 20%", ["share of label: 40 %", "share of attributes: 20 %"]),
        (
            "IoU 60, label 20 and attributes 20",
            [f"weight of {p}" for p in ("localisation: 60", "label: 20", "attributes: 20")],
        ),
        ("IoU at least 0.7", [f"least similarity of a pair for {k}: 0.7" for k in ("box", "area", "cuboid")]),
        ("require at least 70 % overlap for polygons", ["least similarity of a pair for area: 0.7"]),
        ("minimum IoU of 0.6 for class Car", ["least similarity of a pair for label 'Car': 0.6"]),
        ("threshold 0.6", ["least similarity of a pair: 0.6"]),
        ("beta 1", ["beta: 1"]),
        ("use the F2-score", ["beta: 2"]),
        ("misses and extras cost the same", ["beta: 1"]),
        ("match by annotation no", ["match key: 'Annotation No'"]),
        ("use size as the key", ["match key: 'size'"]),
        ("no key", ["match key: none"]),
        ("Number of doors may differ by 1", ["attribute 'Number of doors': compared as number, within 1"]),
        ("compare size exactly", ["attribute 'size': compared as exact"]),
        ("treat age as a number", ["attribute 'age': compared as number"]),
        ("labels must match", ["label_mode: require"]),
        ("ignore labels when matching", ["label_mode: ignore"]),
        ("no credit for a wrong class", ["known_wrong_label: zero"]),
        ("score size for Person", ["attribute 'size' of 'Person': scored"]),
    ],
)
def test_a_common_phrasing_is_understood(instruction: str, edits: list[str]) -> None:
    assert understood(instruction) == edits


def test_the_example_of_the_old_tool_becomes_two_edits() -> None:
    # Annotator AI's placeholder in its box for instructions
    edits = understood("Ignore the color attribute and make label accuracy twice as important")

    assert edits == ["attribute 'color': not scored", "weight of label: times 2"]


def test_one_verb_serves_a_list_and_other_instructions_may_follow() -> None:
    assert understood("ignore color, size and the age attribute; then IoU at least 0.55 for boxes.") == [
        "attribute 'color': not scored",
        "attribute 'size': not scored",
        "attribute 'age': not scored",
        "least similarity of a pair for box: 0.55",
    ]


def test_a_misspelt_name_is_not_guessed_but_suggested() -> None:
    (part,) = read_instructions("ignore colr", RUBRIC).not_understood

    assert part.asked == "ignore colr"
    assert "Did you mean 'color'?" in part.why


def test_names_of_the_ground_truth_that_the_rules_leave_out_are_known_when_given() -> None:
    assert read_instructions("include occluded", RUBRIC).edits == ()
    assert read_instructions("include occluded", RUBRIC, KnownNames.of(RUBRIC, ["occluded"])).edits


@pytest.mark.parametrize(
    "instruction",
    [
        "be kind to beginners",
        "don't ignore color",
        "ignore everything except color",
        "ignore color on lorries",
        "never ignore labels",
    ],
)
def test_what_no_phrasing_fits_is_said_and_changes_nothing(instruction: str) -> None:
    reading = read_instructions(instruction, RUBRIC)

    assert reading.edits == ()
    assert [part.asked for part in reading.not_understood] == [instruction]


def test_the_understood_part_is_kept_apart_from_the_rest() -> None:
    reading = read_instructions("ignore age, and be kind", RUBRIC)

    assert [edit_words(edit) for edit in reading.edits] == ["attribute 'age': not scored"]
    assert [part.asked for part in reading.not_understood] == ["be kind"]


@pytest.mark.parametrize(
    ("instruction", "only"),
    [
        ("only count class Car", ("Car",)),
        ("score only cars", ("Car",)),
        ("Please only score the label 'person'.", ("Person",)),
        ("grade only cars and persons", ("Car", "Person")),
        ("just count Car, Person", ("Car", "Person")),
        ("ignore class Car", ("Person",)),
        ("leave out persons", ("Car",)),
        ("only count cars, ignore color", ("Car",)),
    ],
)
def test_some_classes_alone_may_count(instruction: str, only: tuple[str, ...]) -> None:
    reading = read_instructions(instruction, RUBRIC)

    assert reading.not_understood == ()
    assert apply_edits(RUBRIC, reading.edits).rubric.only_labels == only


def test_all_classes_can_count_again() -> None:
    cars = replace(RUBRIC, only_labels=("Car",))
    reading = read_instructions("count all classes", cars)
    assert apply_edits(cars, reading.edits).rubric == RUBRIC


@pytest.mark.parametrize("instruction", ["only count trucks", "ignore class trucks"])
def test_a_class_that_does_not_exist_is_not_guessed(instruction: str) -> None:
    reading = read_instructions(instruction, RUBRIC)
    assert "There is no label 'trucks'" in reading.not_understood[-1].why


def test_the_last_class_cannot_be_left_out() -> None:
    reading = read_instructions("ignore class Car; ignore class Person", RUBRIC)
    edited = apply_edits(RUBRIC, reading.edits)

    assert edited.rubric.only_labels == ("Person",)
    assert [refusal.why for refusal in edited.refused] == ["No label would be left to count."]


def test_an_endless_instruction_is_refused() -> None:
    with pytest.raises(InputError, match="at most 2,000"):
        read_instructions("ignore color, " * 1000, RUBRIC)


WORDS = (
    "ignore",
    "color",
    "and",
    ",",
    "0.7",
    "IoU",
    "at least",
    "label",
    "twice as",
    "60/20/20",
    "%",
    "Car",
    "for",
    ";",
)


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_give_edits_that_apply_or_are_refused(words: list[str]) -> None:
    reading = read_instructions(" ".join(words), RUBRIC)
    result = apply_edits(RUBRIC, reading.edits)

    assert len(result.applied) + len(result.refused) + len(result.already) == len(reading.edits)
