"""People may change a score; what it was stays known."""

from dataclasses import replace

import pytest

from assay.annotations.grading.explanation import explain, losses
from assay.annotations.grading.overrides import (
    INPUTS,
    Override,
    Target,
    apply_overrides,
    final_score,
    read_override,
    value_now,
)
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box


def score() -> SubmissionScore:
    truth = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="red"), box("a.jpg", "Car", 300, 0, 400, 100, color="red")
    )
    student = annotation_set(
        box("a.jpg", "Bus", 0, 0, 50, 100, color="blue"), box("a.jpg", "Car", 600, 0, 700, 100, color="red")
    )
    return score_submission(prepare_truth(truth), student)


def change(target: Target, value: float, truth: int = -1, student: int = -1, attribute: str = "") -> Override:
    return Override(target, value, "Ada", "2026-01-02T10:00", "hidden by a tree", "d", truth, student, attribute)


def test_a_match_can_be_given_another_score() -> None:
    changed = apply_overrides(score(), [change("match", 80, truth=0, student=0)], "d")
    assert changed.tally.quality == 80
    assert changed.match(0).original_score == pytest.approx(score().match(0).score)


def test_a_label_and_an_attribute_can_be_accepted() -> None:
    changed = apply_overrides(
        score(), [change("label", 100, 0, 0), change("attribute", 100, 0, 0, attribute="Color")], "d"
    )
    assert (changed.match(0).label, changed.match(0).attributes) == (100, 100)
    assert changed.match(0).comparisons[0].similarity == 100


def test_a_miss_can_be_excused_and_an_extra_accepted() -> None:
    changed = apply_overrides(score(), [change("miss", 100, truth=1), change("extra", 100, student=1)], "d")
    assert (changed.tally.missed, changed.tally.extra, changed.tally.completeness) == (0, 0, 100)
    assert [miss.excused for miss in changed.misses()] == [True]
    assert [extra.accepted for extra in changed.extras()] == [True]


def test_the_later_change_of_one_thing_wins_and_an_empty_list_restores() -> None:
    first = score()
    changed = apply_overrides(first, [change("match", 80, 0, 0), change("match", 60, 0, 0)], "d")
    assert changed.match(0).score == 60
    assert apply_overrides(changed, [], "d") is first


def test_all_mistakes_are_reported_together() -> None:
    wrong = [
        replace(change("match", 120, 0, 0), reason=" "),
        change("miss", 100, truth=0),
        change("attribute", 50, 0, 0, attribute="size"),
    ]
    with pytest.raises(InputError) as caught:
        apply_overrides(score(), wrong, "d")
    message = str(caught.value)
    assert "gives 120" in message
    assert "no reason" in message
    assert "names a miss that this submission does not have" in message
    assert "names an attribute that" in message


def test_an_explanation_shows_the_override_and_still_adds_up() -> None:
    changed = apply_overrides(score(), [change("match", 80, 0, 0)], "d")
    quality = explain(changed).children[0]
    assert [part.name for part in quality.children[0].children][-1] == "override"
    assert changed.overall + losses(changed).total() == pytest.approx(100)


@pytest.mark.parametrize(
    "target", ["match", "match:0", "match:0:x", "score", "", "miss:", "extra:-1", "miss:123456789012", "label:1:\u0662"]
)
def test_a_target_that_names_nothing_is_refused_with_those_that_there_are(target: str) -> None:
    with pytest.raises(InputError, match="There is no target") as caught:
        read_override(target, 50)
    assert caught.value.field == "target"
    assert str(caught.value.remedy).startswith("Name match:T:S, label:T:S, attribute:T:S:NAME, miss:T or extra:S")


@pytest.mark.parametrize("value", [-0.1, 100.1, float("nan"), float("inf"), "50", None])
def test_a_value_that_is_no_score_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="from 0 to 100") as caught:
        read_override("miss:0", value)
    assert caught.value.field == "value"


def test_targets_name_places_in_the_truth_and_in_the_submission() -> None:
    record = {"author": "Ada", "time": "2026-01-02", "reason": "hidden"}
    assert read_override("match:3:4", 0, record) == Override("match", 0.0, "Ada", "2026-01-02", "hidden", INPUTS, 3, 4)
    attribute = read_override("attribute:1:2:a:b", 100)
    assert (attribute.truth, attribute.student, attribute.attribute) == (1, 2, "a:b")
    assert (attribute.author, attribute.reason) == ("", "no reason given")
    assert read_override("attribute:1:2", 100).attribute == ""
    miss, extra = read_override("miss:5", True), read_override("extra:6", False)
    assert (miss.truth, miss.student, miss.value) == (5, -1, 100)
    assert (extra.truth, extra.student, extra.value) == (-1, 6, 0)


def test_decisions_that_stand_make_the_final_score() -> None:
    decisions = [
        {"target": "score", "value": 3},
        {"target": "match:0:0", "value": 90},
        {"target": "miss:1", "value": 100},
    ]
    final = final_score(score(), decisions)
    assert (final.match(0).score, final.tally.missed) == (90, 0)
    assert final_score(score(), []).original is None


def test_an_attribute_enters_the_mean_by_its_weight() -> None:
    rules = (AttributeRule("color", "exact", weight=3), AttributeRule("doors", "number"))
    truth = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="red", doors=4), box("a.jpg", "Car", 300, 0, 400, 100, color="red")
    )
    drawn = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="blue", doors=4), box("a.jpg", "Car", 300, 0, 400, 100, color="blue")
    )
    own = score_submission(prepare_truth(truth, Rubric(labels=(LabelRule("Car", rules),))), drawn)
    changed = apply_overrides(own, [change("attribute", 50, 0, 0, attribute="COLOR")], "d")
    assert changed.attributes.tolist() == pytest.approx([(3 * 0.5 + 1) / 4, 0])
    assert own.attributes.tolist() == pytest.approx([0.25, 0])
    assert [one.similarity for one in changed.match(0).comparisons] == [50, 100]
    with pytest.raises(InputError, match="names an attribute that this submission does not have"):
        apply_overrides(own, [change("attribute", 50, 1, 1, attribute="doors")], "d")


def test_what_a_target_is_worth_now_is_told() -> None:
    changes = [change("miss", 100, truth=1), change("match", 80, 0, 0), change("label", 40, 0, 0)]
    changed = apply_overrides(score(), changes, "d")
    assert [value_now(changed, one) for one in changes] == [100, 80, 40]
    assert value_now(changed, change("attribute", 0, 0, 0, attribute="color")) == pytest.approx(
        score().match(0).comparisons[0].similarity
    )
    assert value_now(changed, change("extra", 0, student=1)) == 0
    assert value_now(score(), change("miss", 0, truth=1)) == 0
    assert (
        value_now(apply_overrides(score(), [change("extra", 1, student=1)], "d"), change("extra", 0, student=1)) == 100
    )


def test_what_was_excused_can_be_put_back_and_other_changes_stay() -> None:
    back = apply_overrides(
        score(), [change("miss", 100, truth=1), change("miss", 0, truth=1), change("match", 9, 0, 0)], "d"
    )
    assert (back.tally.missed, back.match(0).score) == (1, 9)


def test_ends_of_the_scale_are_scores() -> None:
    for value in (0, 100):
        assert apply_overrides(score(), [change("match", value, 0, 0)], "d").match(0).score == value
    for value in (-1, 101):
        with pytest.raises(InputError, match=f"gives {value}: a score is 0 to 100"):
            apply_overrides(score(), [change("match", value, 0, 0)], "d")


def test_later_changes_of_a_changed_score_begin_from_the_original() -> None:
    first = apply_overrides(score(), [change("match", 80, 0, 0)], "d")
    second = apply_overrides(first, [change("label", 100, 0, 0)], "d")
    assert second.match(0).score != 80
    assert second.original is first.original


def test_of_a_long_target_sixty_letters_are_shown() -> None:
    with pytest.raises(InputError) as caught:
        read_override("x" * 99, 50)
    assert str(caught.value.problem) == f"There is no target {'x' * 60!r}"


def test_a_score_beyond_every_float_is_refused() -> None:
    for value in (10**400, float("inf"), float("nan")):
        with pytest.raises(InputError, match="from 0 to 100"):
            read_override("match:0:0", value)


def several() -> SubmissionScore:
    """Three matches, three misses and three extras; drawn in the opposite order."""
    truth = [box("a.jpg", "Car", 200 * i, y, 200 * i + 100, y + 100, color="red") for y in (0, 300) for i in range(3)]
    drawn = [box("a.jpg", "Car", 200 * i, y, 200 * i + 100, y + 100, color="blue") for y in (600, 0) for i in (2, 1, 0)]
    return score_submission(prepare_truth(annotation_set(*truth)), annotation_set(*drawn))


def test_a_change_is_that_of_the_very_match_miss_or_extra_it_names() -> None:
    own = several()
    assert (own.match_student.tolist(), own.missed.tolist(), own.extra.tolist()) == ([5, 4, 3], [3, 4, 5], [0, 1, 2])
    changes = [
        change("match", 70, 1, 4),
        change("label", 50, 1, 4),
        change("attribute", 100, 1, 4, "color"),
        change("miss", 100, 4),
        change("extra", 1, student=1),
    ]
    changed = apply_overrides(own, changes, "d")
    assert changed.match_scores.tolist() == [own.match_scores[0], 70, own.match_scores[2]]
    assert changed.label.tolist() == [1, 0.5, 1]
    assert changed.attributes.tolist() == [own.attributes[0], 1, own.attributes[2]]
    assert (changed.missed_counts.tolist(), changed.extra_counts.tolist()) == ([True, False, True], [True, False, True])
    assert [value_now(changed, one) for one in changes] == [70, 50, 100, 100, 100]
    others = (change("match", 0, 2, 3), change("miss", 0, 5), change("extra", 0, student=2))
    assert [value_now(changed, one) for one in others] == [own.match_scores[2], 0, 0]


@pytest.mark.parametrize(
    "nowhere",
    [
        change("match", 70, 1, 3),
        change("label", 70, 0, 4),
        change("attribute", 70, 1, 3, "color"),
        change("miss", 100, 2),
        change("miss", 100, 6),
        change("extra", 100, student=3),
        Override("match", 5, "Ada", "now", "why", "d"),
    ],
)
def test_a_change_of_what_is_not_there_is_refused(nowhere: Override) -> None:
    article = "an" if nowhere.target in {"attribute", "extra"} else "a"
    with pytest.raises(InputError) as caught:
        apply_overrides(several(), [nowhere], "d")
    assert caught.value.problem == (
        f"Overrides cannot be applied. The change of Ada at {nowhere.time} names {article} {nowhere.target} that this "
        f"submission does not have."
    )


@pytest.mark.parametrize("files", ["c", "e"])
def test_a_change_made_for_other_files_is_refused(files: str) -> None:
    with pytest.raises(InputError, match=r"at 2026-01-02T10:00 was made for other files: score the files it belongs"):
        apply_overrides(several(), [change("match", 70, 1, 4)], files)


def test_a_change_names_no_place_unless_told() -> None:
    bare = Override("miss", 100, "Ada", "now", "why", "d")
    assert (bare.truth, bare.student, bare.attribute) == (-1, -1, "")


def test_an_accepted_extra_can_be_put_back() -> None:
    back = apply_overrides(several(), [change("extra", 100, student=1), change("extra", 0, student=1)], "d")
    assert back.extra_counts.tolist() == [True, True, True]


def test_only_attributes_have_names_and_places_have_at_most_eleven_digits() -> None:
    assert read_override("match:1:2:color", 50).attribute == ""
    assert read_override("miss:12345678901", 50).truth == 12_345_678_901


def test_of_several_attributes_the_one_named_is_told() -> None:
    rules = Rubric(labels=(LabelRule("Car", (AttributeRule("color", "exact"), AttributeRule("age", "exact"))),))
    truth, drawn = (annotation_set(box("a.jpg", "Car", 0, 0, 9, 9, color="red", age=age)) for age in (1, 2))
    own = score_submission(prepare_truth(truth, rules), drawn)
    assert [value_now(own, change("attribute", 0, 0, 0, name)) for name in ("age", "color")] == [0, 100]
    other = replace(rules, labels=(LabelRule("Car", (AttributeRule("age", "exact"), AttributeRule("color", "exact"))),))
    own = score_submission(prepare_truth(truth, other), drawn)
    assert [value_now(own, change("attribute", 0, 0, 0, name)) for name in ("age", "color")] == [0, 100]
    for name, points in (("age", [70, 100]), ("color", [0, 70])):
        changed = apply_overrides(own, [change("attribute", 70, 0, 0, name)], "d")
        assert [one.similarity for one in changed.match(0).comparisons] == points
