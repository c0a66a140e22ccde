"""The rules in plain words."""

import pytest

from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import AttributeRule, LabelMode, LabelRule, Rubric, Thresholds, Weights, profile


def test_the_rules_in_words_name_weights_key_thresholds_and_comparators() -> None:
    rubric = Rubric(
        labels=(LabelRule("Car", (AttributeRule("speed", "number", tolerance=5),), least=0.7),), match_key="no"
    )
    text = pseudocode(rubric)
    assert "same 'no'" in text
    assert "0.5 overlap (keypoint similarity for skeletons), 0.7 for label 'Car'" in text
    assert "score = 50 % overlap + 25 % label + 25 % attributes" in text
    assert "Car: speed (as numbers, within 5)" in text
    assert "beta 0.5: extras cost more than misses" in text
    assert "score = 50 % quality + 50 % completeness" in text


def test_the_words_change_with_the_rules() -> None:
    assert pseudocode(profile("strict")) != pseudocode(Rubric())
    assert "misses and extras cost alike" in pseudocode(Rubric(beta=1))


def test_all_rules_of_a_rubric_are_said() -> None:
    rubric = Rubric(
        labels=(
            LabelRule("Car", (AttributeRule("speed", "number", tolerance=2.5), AttributeRule("plate", weight=2))),
            LabelRule("Bus"),
        ),
        only_labels=("Car", "Bus"),
        match_key="no",
        key_anywhere=False,
        weights=Weights(60, 30, 10, 75, 25),
        thresholds=Thresholds(box=0.7, line=0.3),
        beta=2,
        known_wrong_label="zero",
        no_attributes="renormalise",
    )
    assert pseudocode(rubric).splitlines() == [
        "FOR EACH IMAGE",
        "  1. Pair annotations with the same 'no', if they also overlap enough.",
        "  2. Pair the rest so that the total overlap is largest; a pair needs at least",
        "     0.5 overlap (keypoint similarity for skeletons), 0.7 for box, 0.3 for line.",
        "     Between pairs that overlap equally, the one with the more similar label (then attributes) is taken.",
        "  3. An object without a pair is MISSED, an annotation without a pair is EXTRA.",
        "  4. Only 'Car', 'Bus' count: objects and annotations of other labels are left out.",
        "",
        "FOR EACH PAIR",
        "  score = 60 % overlap + 30 % label + 10 % attributes",
        "  label: text similarity, ignoring case and spaces; a wrong class label earns nothing",
        "  attributes: the mean over those the ground truth fills; an object without any leaves their weight to the "
        "other parts",
        "",
        "LABELS AND THEIR ATTRIBUTES",
        "  Car: speed (as numbers, within 2.5); plate (by text similarity, weight 2)",
        "  Bus: no attributes",
        "",
        "OVERALL",
        "  quality = mean score of all pairs, 0 if there is none",
        "  completeness = F-beta of matched, missed and extra, beta 2: misses cost more than extras",
        "  score = 75 % quality + 25 % completeness",
    ]


def test_without_a_key_labels_or_restrictions_there_is_less_to_say() -> None:
    text = pseudocode(Rubric())
    assert "  1. Pair annotations so that the total overlap is largest" in text
    assert "  2. An object without a pair is MISSED" in text
    assert "Only" not in text
    assert "  none are listed: attributes are not compared" in text
    assert "an object without any counts as all right" in text
    assert "still earns the letters it has right" in text


def test_a_single_label_that_counts_is_said_in_the_singular() -> None:
    rubric = Rubric(labels=(LabelRule("Car"), LabelRule("Bus")), only_labels=("Car",), match_key="no")
    assert "  4. Only 'Car' counts: objects" in pseudocode(rubric)
    assert "same 'no', wherever they are drawn." in pseudocode(rubric)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("ignore", "Labels play no part in it."),
        ("prefer", "Pairs with the same label are chosen first"),
        ("require", "Only annotations with the same label can match."),
    ],
)
def test_it_is_said_how_labels_steer_matching(mode: LabelMode, words: str) -> None:
    assert words in pseudocode(Rubric(label_mode=mode))


def test_a_tolerance_is_said_of_numbers_alone() -> None:
    rules = (AttributeRule("age", "text", tolerance=3), AttributeRule("on", "boolean"), AttributeRule("kind", "exact"))
    words = "Car: age (by text similarity); on (true or false, equal or not); kind (equal or not)"
    assert words in pseudocode(Rubric(labels=(LabelRule("Car", rules),)))
