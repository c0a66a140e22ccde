"""The sixty phrasings that were written before the grammar: what each does, and that the rest is refused with offers.

A second table holds phrasings that were thought of afterwards, and a third sentences that must not be misread.
"""

import pytest

from assay.annotations.rubric.change_words import already_words, change_words
from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.edits import apply_edits
from assay.annotations.rubric.instructions import examples, read_instructions
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from tests.annotations.rubric.trainer_phrasings import PHRASINGS

ATTRIBUTES = (
    AttributeRule("color", "exact"),
    AttributeRule("occluded", "boolean"),
    AttributeRule("truncated", "boolean"),
)
CLASSES = ("car", "truck", "bus", "pedestrian", "cyclist", "traffic light")
RUBRIC = Rubric(labels=tuple(LabelRule(name, ATTRIBUTES) for name in CLASSES))


def said(instruction: str, rubric: Rubric = RUBRIC) -> list[str]:
    """What would change, or is so already, in words; nothing when the instruction is refused."""
    reading = read_instructions(instruction, rubric)
    if reading.not_understood:
        assert not reading.edits or len(reading.not_understood) + len(reading.edits) > 1
        return []
    edited = apply_edits(rubric, reading.edits)
    assert edited.refused == ()
    return [*change_words(rubric, edited.rubric), *(already_words(edited.rubric, edit) for edit in edited.already)]


NO_EXTRAS = "Extra annotations cost nothing."
TWO_THIRDS = "The score is made of: quality {}, completeness {} (before: quality 50%, completeness 50%)."
OVERLAPS = tuple(
    f"{shapes} need a minimum overlap of {{}} to match{{}}." for shapes in ("Boxes", "Polygons and masks", "Cuboids")
)
BEFORE = "(before: position 50%, label 25%, attributes 25%)."


def overlaps(value: str, was: str = " (before: 0.5)") -> list[str]:
    return [sentence.format(value, was) for sentence in OVERLAPS]


def ratio(words: str) -> list[str]:
    return [f"A missed object costs {words} an extra one (before: a quarter as much)."]


MEANT: dict[str, list[str]] = {
    "do not penalise extra boxes": [NO_EXTRAS],
    "ignore extra boxes": [NO_EXTRAS],
    "no penalty for additional objects": [NO_EXTRAS],
    "students shouldn't lose points for drawing too much": [NO_EXTRAS],
    "missing an object is twice as bad as drawing one too many": ratio("twice as much as"),
    "be harder on missed objects than on extra ones": ratio("4 times as much as"),
    "extra boxes should count half": ["Extra annotations cost half as much as usual.", *ratio("half as much as")],
    "punish false positives more than misses": ["A missed object costs a quarter as much as an extra one."],
    "missed pedestrians are three times as serious": [
        "Missing 'pedestrian' costs three times as much as any other class."
    ],
    "don't count missed traffic lights": ["Missing 'traffic light' costs nothing, unlike any other class."],
    "ignore the color attribute": ["'color' is not scored."],
    "we don't care about occluded": ["'occluded' is not scored."],
    "please leave truncated out of the score": ["'truncated' is not scored."],
    "color should count double": ["'color' counts twice as much as another attribute."],
    "attributes don't matter": [f"A match counts: position 66.7%, label 33.3%, attributes 0% {BEFORE}"],
    "ignore case when comparing color": ["Upper and lower case are never compared."],
    "occluded is more important than truncated": ["'occluded' counts twice as much as another attribute."],
    "don't check the color of trucks": ["'color' of 'truck' is not scored."],
    "an empty color counts as wrong": [
        "An attribute left empty where the ground truth has a value earns nothing.",
    ],
    "allow small spelling mistakes in color": ["'color' is compared by text similarity, so that typos cost little."],
    "cars count twice as much as everything else": ["'car' counts twice as much as another class."],
    "pedestrians are the most important class": ["'pedestrian' counts twice as much as another class."],
    "ignore all buses": ["'bus' is not scored."],
    "only score cars and trucks": ["Only 'car' and 'truck' are scored."],
    "leave cyclists out": ["'cyclist' is not scored."],
    "mixing up car and truck is only half as bad": ["Confusing 'car' and 'truck' earns 50% of the label's points."],
    "a truck labelled as a car should still get some credit": [
        "Confusing 'truck' and 'car' earns 50% of the label's points."
    ],
    "no credit for the wrong class": ["A wrong class earns no credit (before: the similarity of its letters)."],
    "give 30% for the wrong label": ["A wrong class earns 30% credit (before: the similarity of its letters)."],
    "don't be so strict about class names": ["A wrong class earns 50% credit (before: the similarity of its letters)."],
    "treat bus and truck as the same class": ["Confusing 'bus' and 'truck' earns 100% of the label's points."],
    "weight pedestrians 3x": ["'pedestrian' counts three times as much as another class."],
    "traffic lights should count for nothing": ["'traffic light' is not scored."],
    "require at least 70% overlap": overlaps("0.7"),
    "set the IoU threshold to 0.5": overlaps("0.5", ""),
    "boxes must be really tight": overlaps("0.7")[:1],
    "be more lenient about box position": overlaps("0.3"),
    "anything above 0.9 IoU is perfect": ["Position earns full credit from an overlap of 0.9 (before: 1)."],
    "a few pixels off is fine": ["Position earns full credit from an overlap of 0.9 (before: 1)."],
    "pedestrians only need half overlap": [
        "'pedestrian' needs a minimum overlap of 0.5 to match (before: as for its shape)."
    ],
    "ignore objects smaller than 20 pixels": ["Objects smaller than 20 pixels are not scored."],
    "don't score tiny objects": ["Objects smaller than 32 pixels are not scored."],
    "position is worth 60 percent and attributes 40 percent": [
        f"A match counts: position 60%, label 0%, attributes 40% {BEFORE}"
    ],
    "location matters most": ["A match counts: position 50%, label 25%, attributes 25%."],
    "the label matters more than the exact shape": [
        f"A match counts: position 28.6%, label 57.1%, attributes 14.3% {BEFORE}"
    ],
    "split the score evenly between class, position and attributes": [
        f"A match counts: position 33.3%, label 33.3%, attributes 33.3% {BEFORE}"
    ],
    "completeness should be a third of the grade": [TWO_THIRDS.format("66.7%", "33.3%")],
    "finding everything is more important than drawing precisely": [TWO_THIRDS.format("33.3%", "66.7%")],
    "give points for images that are correctly left empty": ["An image correctly left empty earns credit."],
    "don't reward empty images": ["An image correctly left empty earns nothing."],
    "passing mark is 80": ["A submission passes with 80 points."],
    "you need seventy points to pass": ["A submission passes with 70 points."],
    "ignore occluded objects": ["Objects whose 'occluded' is true are not scored."],
    "ignore crowd annotations": ["Crowd regions are never scored."],
    "duplicates should be penalised twice": ["A duplicate costs twice as much as another extra."],
}
"""What the phrasings that are understood mean; the others are refused."""


@pytest.mark.parametrize("phrasing", [phrasing for phrasing, _ in PHRASINGS])
def test_a_trainer_is_understood_or_offered_what_would_be(phrasing: str) -> None:
    assert said(phrasing) == MEANT.get(phrasing, [])
    for refusal in read_instructions(phrasing, RUBRIC).not_understood:
        assert "Try “" in refusal.why


def test_at_least_fifty_of_the_sixty_are_understood() -> None:
    assert len(PHRASINGS) == 60
    assert sum(bool(said(phrasing)) for phrasing, _ in PHRASINGS) >= 50


@pytest.mark.parametrize(
    ("phrasing", "meaning"),
    [
        ("extra annotations shouldn't cost anything", NO_EXTRAS),
        ("don't take points off for surplus boxes", NO_EXTRAS),
        ("I don't mind extra boxes", NO_EXTRAS),
        ("false positives are okay", NO_EXTRAS),
        ("reduce the penalty for extra boxes by half", "Extra annotations cost half as much as usual."),
        ("overlooking a pedestrian is worse than overlooking a car", "Missing 'pedestrian' costs twice as much as any"),
        ("don't punish wrong labels so hard", "A wrong class earns 50% credit"),
        ("don't count color so much", "'color' counts half as much as another attribute."),
        ("attributes should not count as much as labels", "attributes 14.3%"),
        ("only look at color", "'occluded' is not scored."),
        ("ignore everything but cars", "Only 'car' is scored."),
        ("score everything except traffic lights", "'traffic light' is not scored."),
        ("give cars double weight", "'car' counts twice as much as another class."),
        ("accept boxes with 40% overlap", "Boxes need a minimum overlap of 0.4 to match"),
        ("full points above 95% overlap", "full credit from an overlap of 0.95"),
        ("ignore boxes smaller than 8x8 pixels", "Objects smaller than 8 pixels are not scored."),
        ("calling a truck a car should get half credit", "Confusing 'truck' and 'car' earns 50%"),
        ("images that were not submitted should be skipped", "Images a student did not hand in are left out."),
        ("a score of 75 or more passes", "A submission passes with 75 points."),
        ("never deduct points for extra traffic lights", "An extra 'traffic light' costs nothing"),
        ("trucks are worth sixty percent", "'truck' counts 0.6 times as much"),
        ("do not penalise extra boxes, and ignore the colour", NO_EXTRAS),
    ],
)
def test_other_words_for_the_same_are_understood(phrasing: str, meaning: str) -> None:
    assert any(meaning in sentence for sentence in said(phrasing)), said(phrasing)


@pytest.mark.parametrize(
    "phrasing",
    [
        "never ignore labels",
        "color must not be ignored",
        "don't only count cars",
        "never count extra boxes twice",
        "extra boxes should not be ignored",
        "ignore missing attributes",
        "trucks and buses should be treated as cars",
        "only extra boxes count",
        "penalize extra boxes except on cars",
        "ignore extra boxes on Mondays",
        "misses are not nothing",
    ],
)
def test_what_could_be_read_otherwise_is_refused(phrasing: str) -> None:
    assert said(phrasing) == []


def test_every_example_that_is_offered_is_understood() -> None:
    for example in examples(KnownNames.of(RUBRIC)):
        assert said(example), example


def test_examples_need_the_names_they_speak_of() -> None:
    listed = list(examples(KnownNames((), ())))
    assert listed
    assert not any("{" in example for example in listed)
