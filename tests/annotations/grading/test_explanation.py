"""Why a score is what it is, in the submission's own figures."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.grading.explanation import (
    Losses,
    ScoreComponent,
    answers,
    compare_students,
    explain,
    improvements,
    losses,
    mean_place,
    puzzling,
    work_in_words,
)
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Weights
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import annotation_set, box


def plan_truth() -> AnnotationSet:
    return annotation_set(
        box("image1.jpg", "Car", 0, 0, 100, 100, color="red"),
        box("image1.jpg", "Person", 200, 0, 300, 100, occluded="true"),
        box("image1.jpg", "Car", 400, 0, 500, 100, color="blue"),
    )


def plan_score() -> SubmissionScore:
    submission = annotation_set(
        box("image1.jpg", "Car", 0, 0, 95, 100, color="red"),
        box("image1.jpg", "persn", 200, 0, 292, 100, occluded="false"),
        box("image1.jpg", "Car", 600, 600, 700, 700, color="red"),
    )
    return score_submission(prepare_truth(plan_truth()), submission)


def test_the_tree_has_the_branches_of_the_plans_mindmap() -> None:
    root = explain(plan_score())
    quality, completeness = root.children
    assert (root.name, quality.name, completeness.name) == ("overall", "average match quality", "completeness")
    assert (quality.weight, completeness.weight) == (0.5, 0.5)
    assert [part.name for part in quality.children[0].children] == ["localisation", "label", "attributes"]
    assert [part.weight for part in quality.children[0].children] == [0.5, 0.25, 0.25]
    assert [part.name for part in completeness.children[1:]] == ["1 missed", "1 extra"]


def test_a_missed_object_costs_a_quarter_of_an_extra_at_beta_one_half() -> None:
    lost = losses(plan_score())
    assert lost.extra == pytest.approx(4 * lost.missed)
    assert lost.missed + lost.extra == pytest.approx(50 / 3)


def test_the_first_question_is_answered_with_missed_and_extra() -> None:
    first, _ = answers(plan_score())
    assert "You found 2 of 3 objects and drew 1 extra annotation" in first.answer
    assert first.applies


def test_the_second_question_is_answered_with_the_label_that_was_wrong() -> None:
    _, second = answers(plan_score())
    assert "'persn' for 'Person' earned 83 of 100" in second.answer


def test_the_second_question_does_not_apply_when_all_labels_are_right() -> None:
    truth = prepare_truth(plan_truth())
    _, second = answers(score_submission(truth, plan_truth()))
    assert not second.applies


def test_two_students_are_compared_by_cause() -> None:
    truth = prepare_truth(plan_truth())
    perfect = score_submission(truth, plan_truth())
    answer = compare_students(perfect, plan_score(), ("Ada", "Ben"))
    assert "Ada has 100.0 and Ben 74.4, a difference of +25.6 points" in answer.answer
    assert "extra annotations +13.3" in answer.answer


def test_improvements_name_the_largest_loss_first() -> None:
    first, *_ = improvements(plan_score())
    assert first.startswith("Leaving out what is not in the ground truth would bring up to 13.3 points")


def test_an_empty_submission_can_be_explained() -> None:
    score = score_submission(prepare_truth(plan_truth()), annotation_set(images=["image1.jpg"]))
    assert explain(score).points == 0
    assert losses(score).nothing_matched == 50
    assert "0 of 3 objects" in answers(score)[0].answer


def test_other_weights_need_no_new_matching() -> None:
    score = plan_score()
    changed = replace(score, rubric=replace(score.rubric, weights=Weights(100, 0, 0, 100, 0)))
    assert changed.overall == pytest.approx((95 + 92) / 2)
    assert changed.match_truth is score.match_truth


def points_of(part: ScoreComponent) -> float:
    return sum(child.points for child in part.children)


def test_points_of_the_parts_add_up_at_every_level() -> None:
    root = explain(plan_score())
    quality, completeness = root.children
    for part in (root, quality, completeness, *quality.children):
        assert points_of(part) == pytest.approx(part.points)
    assert (quality.value, quality.points) == pytest.approx((82.125, 41.0625), abs=0.1)
    assert quality.note == "The mean of 2 matches."
    assert [part.name for part in quality.children] == ["Car 1 on image1.jpg", "Person 2 on image1.jpg"]
    assert [part.weight for part in quality.children] == [0.5, 0.5]
    whole, missed, extra = completeness.children
    assert (whole.points, missed.value, extra.value) == pytest.approx((50, 200 / 3, 200 / 3))
    assert (missed.note, extra.note) == ("Recall 66.7.", "Precision 66.7.")
    assert completeness.note == "F-beta of precision and recall, beta 0.5."
    assert (missed.weight, extra.weight, whole.value) == (0, 0, 100)


def many(count: int) -> SubmissionScore:
    """Matches of which the later ones are the better placed."""
    truth = [box("a.jpg", "car", 0, 200 * i, 100, 200 * i + 100) for i in range(count)]
    drawn = [box("a.jpg", "car", 0, 200 * i, 60 + i, 200 * i + 100) for i in range(count)]
    return score_submission(prepare_truth(annotation_set(*truth)), annotation_set(*drawn))


def test_of_many_matches_the_twenty_that_cost_most_are_shown_and_the_rest_together() -> None:
    quality = explain(many(22)).children[0]
    assert [part.name for part in quality.children] == [
        *(f"car {i} on a.jpg" for i in range(1, 21)),
        "2 other matches",
    ]
    rest = quality.children[-1]
    assert rest.value == pytest.approx(100 * (0.5 * (0.8 + 0.81) / 2 + 0.5))
    assert (rest.weight, points_of(quality)) == pytest.approx((2 / 22, quality.points))
    assert explain(many(3), most_matches=2).children[0].children[-1].name == "1 other match"
    assert len(explain(many(20)).children[0].children) == 20


def test_nothing_to_find_and_nothing_drawn_needs_no_parts() -> None:
    nothing = annotation_set(images=["image1.jpg"])
    vacuous = score_submission(prepare_truth(nothing), nothing)
    root = explain(vacuous)
    assert (root.points, root.children, root.note) == (100, (), "Nothing to find and nothing drawn.")
    assert losses(vacuous).total() == 0


def test_where_nothing_matched_there_is_no_quality_to_credit() -> None:
    score = score_submission(prepare_truth(plan_truth()), annotation_set(images=["image1.jpg"]))
    quality = explain(score).children[0]
    assert (quality.value, quality.weight, quality.points, quality.children) == (0, 0.5, 0, ())
    assert "n/a (nothing matched)" in answers(score)[0].answer
    assert losses(score).missed == 50


def test_losses_and_score_make_a_hundred_by_cause() -> None:
    lost, score = losses(plan_score()), plan_score()
    assert lost.localisation == pytest.approx(50 * 0.5 * (0.05 + 0.08) / 2)
    assert lost.label == pytest.approx(50 * 0.25 * (1 / 6) / 2)
    assert lost.attributes == pytest.approx(50 * 0.25 * 1 / 2)
    assert score.overall + lost.total() == pytest.approx(100)
    counted = replace(score, rubric=replace(score.rubric, count_empty_images=True))
    assert counted.overall + losses(counted).total() == pytest.approx(100)


def test_the_first_question_applies_to_good_places_and_low_completeness_alone() -> None:
    truth = annotation_set(*(box("a.jpg", "car", 200 * i, 0, 200 * i + 100, 100) for i in range(4)))
    loose = annotation_set(box("a.jpg", "car", 0, 0, 79, 100))
    exact = annotation_set(box("a.jpg", "car", 0, 0, 80, 100))
    assert [answers(score_submission(prepare_truth(truth), drawn))[0].applies for drawn in (loose, exact, truth)] == [
        False,
        True,
        False,
    ]


def test_the_second_answer_tells_what_a_label_is_worth() -> None:
    _, second = answers(plan_score())
    assert second.answer.startswith("1 of 2 labels differ, which costs 1.0 points of the overall score.")
    assert "A label is 25 % of a match and the place 50 %" in second.answer
    assert second.answer.endswith("for the label and 92 for the place, together 66.8.")
    assert answers(score_submission(prepare_truth(plan_truth()), plan_truth()))[1].answer == (
        "All your matches bear the right label."
    )


def test_the_worst_label_is_the_example() -> None:
    drawn = annotation_set(
        box("image1.jpg", "Cat", 0, 0, 100, 100, color="red"),
        box("image1.jpg", "bus", 200, 0, 300, 100, occluded="true"),
        box("image1.jpg", "Car", 400, 0, 500, 100, color="blue"),
    )
    _, second = answers(score_submission(prepare_truth(plan_truth()), drawn))
    assert "2 of 3 labels differ" in second.answer
    assert "'bus' for 'Person'" in second.answer


def test_a_comparison_names_causes_largest_first_and_both_counts() -> None:
    perfect = score_submission(prepare_truth(plan_truth()), plan_truth())
    text = compare_students(perfect, plan_score(), ("Ada", "Ben")).answer
    made_of = text.split("It is made of: ")[1].split(". Places")[0]
    assert [part.rsplit(" ", 1)[1] for part in made_of.split(", ")] == ["+13.3", "+6.2", "+3.3", "+1.6", "+1.0"]
    assert text.endswith("Places are 100 and 94; Ada missed 0 and drew 0 extra, Ben missed 1 and drew 1 extra.")
    same = compare_students(perfect, perfect, ("Ada", "Ben"))
    assert ("a difference of +0.0 points. It is made of: nothing of note." in same.answer, same.applies) == (
        True,
        False,
    )


@pytest.mark.parametrize(
    ("place_gap", "gap", "puzzles"),
    [(4.9, 5, True), (-4.9, -5, True), (0, 9, True), (5, 9, False), (-5, 9, False), (0, 4.9, False), (0, -4.9, False)],
)
def test_a_difference_puzzles_where_places_are_alike_and_scores_are_not(
    place_gap: float, gap: float, puzzles: bool
) -> None:
    assert bool(puzzling(place_gap, gap)) == puzzles


def test_mean_place_is_that_of_the_matches() -> None:
    assert mean_place(plan_score()) == pytest.approx(93.5)
    assert mean_place(score_submission(prepare_truth(plan_truth()), annotation_set(images=["image1.jpg"]))) == 0


def test_at_most_three_improvements_are_named_and_none_of_a_twentieth_of_a_point() -> None:
    assert len(improvements(plan_score())) == 3
    assert len(improvements(plan_score(), most=9)) == 5
    assert improvements(score_submission(prepare_truth(plan_truth()), plan_truth())) == ()


def flat(part: ScoreComponent) -> list[tuple[str, float, float, float]]:
    """A part and all below it, in order."""
    return [
        (part.name, part.value, part.weight, part.points),
        *(line for child in part.children for line in flat(child)),
    ]


def overridden() -> SubmissionScore:
    """Two matches by rules of their own, one raised and one lowered by a person; one missed, two extra."""
    rules = Rubric(
        labels=(LabelRule("car", (AttributeRule("color", "exact"),)),), weights=Weights(60, 30, 10, 80, 20), beta=2.0
    )
    truth = annotation_set(
        box("a.jpg", "car", 0, 0, 100, 100, color="red"),
        box("a.jpg", "bus", 200, 0, 300, 100),
        box("a.jpg", "bus", 400, 0, 500, 100),
    )
    drawn = annotation_set(
        box("a.jpg", "cat", 0, 0, 80, 100, color="blue"),
        box("a.jpg", "bus", 200, 0, 250, 100),
        box("a.jpg", "bus", 600, 600, 650, 650),
        box("a.jpg", "bus", 700, 600, 750, 650),
    )
    own = score_submission(prepare_truth(truth, rules), drawn)
    return replace(own, match_override=np.array([90.0, 30.0]), original=own)


def test_every_part_of_the_tree_is_worked_out_from_the_rules() -> None:
    expected = [
        ("overall", 60.5, 1, 60.5),
        ("average match quality", 60, 0.8, 48),
        ("car 1 on a.jpg", 90, 0.5, 36),
        ("localisation", 80, 0.6, 19.2),
        ("label", 200 / 3, 0.3, 8),
        ("attributes", 0, 0.1, 0),
        ("override", 22, 0, 8.8),
        ("bus 2 on a.jpg", 30, 0.5, 12),
        ("localisation", 50, 0.6, 12),
        ("label", 100, 0.3, 12),
        ("attributes", 100, 0.1, 4),
        ("override", -40, 0, -16),
        ("completeness", 62.5, 0.2, 12.5),
        ("everything found, nothing extra", 100, 0, 20),
        ("1 missed", 200 / 3, 0, -5),
        ("2 extra", 50, 0, -2.5),
    ]
    parts = flat(explain(overridden()))
    assert [name for name, *_ in parts] == [name for name, *_ in expected]
    for part, figures in zip(parts, expected, strict=True):
        assert part[1:] == pytest.approx(figures[1:], abs=1e-9)
    nothing = annotation_set(images=["a.jpg"])
    assert flat(explain(score_submission(prepare_truth(nothing), nothing))) == [("overall", 100, 1, 100)]


def test_every_loss_is_worked_out_from_the_rules() -> None:
    assert dict(losses(overridden()).items()) == pytest.approx(
        {
            "localisation": 16.8,
            "label": 4,
            "attributes": 4,
            "missed": 5,
            "extra": 2.5,
            "near_miss": 0,
            "nothing_matched": 0,
            "override": 7.2,
        },
        abs=1e-9,
    )
    assert dict(Losses().items()) == dict.fromkeys(Losses.__slots__, 0)


PLAIN = Rubric()


def cars(matched: int, missed: int, extra: int, rubric: Rubric = PLAIN, width: float = 50) -> SubmissionScore:
    """Cars in a row with so many matches, misses and extras; matches as wide as said of 50."""
    truth = [box("a.jpg", "car", 60 * i, 0, 60 * i + 50, 50) for i in range(matched + missed)]
    drawn = [box("a.jpg", "car", 60 * i, 0, 60 * i + width, 50) for i in range(matched)]
    drawn += [box("a.jpg", "car", 60 * i, 500, 60 * i + 50, 550) for i in range(extra)]
    images = ["a.jpg"]
    return score_submission(
        prepare_truth(annotation_set(*truth, images=images), rubric), annotation_set(*drawn, images=images)
    )


@pytest.mark.parametrize(
    ("counts", "begin"),
    [
        ((1, 0, 0), "You found 1 of 1 object and drew nothing extra."),
        ((1, 1, 2), "You found 1 of 2 objects and drew 2 extra annotations."),
        ((0, 0, 1), "You found 0 of 0 objects and drew 1 extra annotation."),
    ],
)
def test_one_object_is_told_in_the_singular(counts: tuple[int, int, int], begin: str) -> None:
    assert answers(cars(*counts))[0].answer.startswith(begin)


def test_completeness_is_low_below_80() -> None:
    """Precision and recall of 80 make 80 whatever beta; with one more missed it is 4.04 / 5.06 at beta 0.1."""
    assert cars(4, 1, 1).tally.completeness == 80
    assert not answers(cars(4, 1, 1))[0].applies
    assert answers(cars(4, 2, 1, Rubric(beta=0.1)))[0].applies


@pytest.mark.parametrize("weights", [(20, 70), (70, 20)])
def test_the_second_answer_gives_the_shares_of_label_and_place_by_the_rules(weights: tuple[float, float]) -> None:
    place, label = weights
    rubric = Rubric(weights=Weights(place, label, 10))
    truth, drawn = annotation_set(box("a.jpg", "car", 0, 0, 9, 9)), annotation_set(box("a.jpg", "bus", 0, 0, 9, 9))
    _, second = answers(score_submission(prepare_truth(truth, rubric), drawn))
    assert f"A label is {label} % of a match and the place {place} %" in second.answer
    assert second.applies


def test_a_cause_of_a_twentieth_of_a_point_is_named() -> None:
    """One extra of 15 x 1.25 + 0.25 + 1 = 20 takes 1 / 20 where completeness is one point of 100."""
    rubric = Rubric(weights=Weights(quality=99, completeness=1))
    own = cars(15, 1, 1, rubric)
    assert losses(own).extra == 0.05
    assert improvements(own) == ("Leaving out what is not in the ground truth would bring up to 0.1 points.",)
    text = compare_students(cars(15, 0, 0, rubric), own, ("Ada", "Ben")).answer
    assert "It is made of: extra annotations +0.1. Places" in text


def test_two_students_who_both_lost_points_are_compared_by_what_each_lost() -> None:
    halves, exact = cars(3, 1, 0, width=25), cars(4, 0, 1)
    compared = compare_students(halves, exact, ("Ben", "Ada"))
    assert compared.answer == (
        "Ben has 84.4 and Ada 91.7, a difference of -7.3 points. It is made of: places -12.5, extra annotations +8.3, "
        "missed objects -3.1. Places are 50 and 100; Ben missed 1 and drew 0 extra, Ada missed 0 and drew 1 extra."
    )
    assert not compared.applies
    assert not compare_students(exact, halves, ("Ada", "Ben")).applies
    assert compare_students(cars(4, 0, 0), exact, ("Eve", "Ada")).applies


def near_miss() -> SubmissionScore:
    """One car found, one drawn half beside it, one missed, one drawn where nothing is."""
    truth = [box("a.jpg", "car", 200 * i, 0, 200 * i + 100, 100) for i in range(3)]
    drawn = [truth[0], box("a.jpg", "car", 270, 0, 370, 100), box("a.jpg", "car", 0, 500, 100, 600)]
    return score_submission(prepare_truth(annotation_set(*truth)), annotation_set(*drawn))


def test_near_misses_are_apart_from_missed_objects_and_extras() -> None:
    """Of 1.25 + 2 x 0.25 + 2 = 3.75 parts, near misses have 1.25: they are not to be left out."""
    score = near_miss()
    lost = losses(score)
    assert score.near_misses == (1, 1)
    assert (lost.missed, lost.extra, lost.near_miss) == pytest.approx((50 / 15, 200 / 15, 250 / 15))
    assert score.overall + lost.total() == pytest.approx(100)
    assert improvements(score)[0] == "Drawing the near misses more closely would bring up to 16.7 points."
    assert "Leaving out what is not in the ground truth would bring up to 13.3 points." in improvements(score)


def test_near_misses_have_a_part_of_their_own_in_the_explanation() -> None:
    completeness = explain(near_miss()).children[1]
    assert [part.name for part in completeness.children[1:]] == ["1 missed", "1 extra", "1 near miss"]
    assert points_of(completeness) == pytest.approx(completeness.points)


def test_what_was_done_is_told_with_near_misses_apart() -> None:
    assert work_in_words(near_miss()) == (
        "You found 1 of 3 objects and drew 1 extra annotation. 1 more is a near miss: drawn, but not closely enough to "
        "count."
    )
    nothing = annotation_set(images=["a.jpg"])
    assert work_in_words(score_submission(prepare_truth(nothing), nothing)) == (
        "There was nothing to find, and you drew nothing."
    )
    assert ", near misses 16.7." in answers(near_miss())[0].answer
