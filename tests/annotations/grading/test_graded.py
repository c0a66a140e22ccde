"""All submissions of a task with their figures and advice, and one of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import stdtrit

from assay.annotations.grading import graded as module
from assay.annotations.grading.graded import FIGURES, Batch, Graded, StudentGrade, intervals
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from tests.annotations.drawn import Drawn, annotation_set, box
from tests.annotations.random_students import careful, city

FIRST, SECOND = box("a.png", "car", 0, 0, 100, 100), box("b.png", "van", 0, 0, 100, 100)
TRUTH = prepare_truth(annotation_set(FIRST, SECOND))
HALF = annotation_set(FIRST, images=["a.png", "b.png"])


def graded(**failed: str) -> Graded:
    scores = {"ben": score_submission(TRUTH, HALF), "ada": score_submission(TRUTH, annotation_set(FIRST, SECOND))}
    return Graded.of(Batch(TRUTH, scores), failed)


def test_students_come_best_first_with_their_places() -> None:
    assert [(student.name, student.place, student.of) for student in graded().students()] == [
        ("ada", 1, 2),
        ("ben", 2, 2),
    ]


def test_a_grade_says_its_score_errors_and_images_in_short() -> None:
    ben = graded().student("ben")

    assert ben.score.value == ben.result.overall
    assert ben.errors == {"missed": 1}
    assert [image.tally.missed for image in ben.images] == [0, 1]
    assert repr(ben).endswith("(1 matched, 1 missed, 0 extra)")


def test_a_submission_by_itself_has_no_place() -> None:
    alone = StudentGrade.of_score("ben", score_submission(TRUTH, HALF))

    assert (alone.place, alone.of) == (0, 0)
    assert alone.figures["overall"].value == graded().student("ben").score.value


def test_one_submission_is_alone_unless_another_failed() -> None:
    one = {"ada": score_submission(TRUTH, HALF)}

    assert Graded.of(Batch(TRUTH, one), {}).alone
    assert not Graded.of(Batch(TRUTH, one), {"zoe": "broken"}).alone
    assert not graded().alone


def three_boxes() -> list[Drawn]:
    return [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(3)]


def batch_of(truth: list[Drawn], students: dict[str, list[Drawn]]) -> Batch:
    images = sorted({one.image for one in truth})
    prepared = prepare_truth(annotation_set(*truth, images=images))
    sets = {name: annotation_set(*own, images=images) for name, own in students.items()}
    return Batch(prepared, {name: score_submission(prepared, own) for name, own in sets.items()})


def test_equal_scores_share_a_place() -> None:
    truth = three_boxes()
    batch = batch_of(truth, {"Cy": truth[:1], "Ben": truth, "Ada": truth})
    assert [(s.place, s.name) for s in batch.ranking] == [(1, "Ada"), (1, "Ben"), (3, "Cy")]


def test_the_object_that_most_students_miss_is_the_hardest() -> None:
    truth = three_boxes()
    batch = batch_of(truth, {"a": truth[:2], "b": truth[:1], "c": truth})
    hardest = batch.hardest_objects()
    assert [(one.truth, one.missed_by, one.of) for one in hardest] == [(2, 2, 3), (1, 1, 3)]
    assert hardest[0].mean_score == 100


def test_the_image_with_the_lowest_mean_score_is_the_hardest() -> None:
    truth = three_boxes()
    batch = batch_of(truth, {"a": truth[:2], "b": truth[:1], "c": truth})
    assert [image.image for image in batch.hardest_images()] == ["2.jpg", "1.jpg", "0.jpg"]
    assert batch.hardest_images()[0].missed_share == pytest.approx(2 / 3)


def test_confusions_of_all_students_add_up() -> None:
    truth = [*three_boxes(), box("0.jpg", "bus", 300, 0, 400, 100)]
    wrong = [replace(one, label="tram") if one.label == "bus" else one for one in truth]
    batch = batch_of(truth, {"a": truth, "b": wrong, "c": wrong[:2]})
    table = batch.confusion
    row = table.labels.index("bus")
    assert table.counts[row, table.labels.index("tram")] == 1
    assert table.counts[row, table.labels.index("bus")] == 1
    assert table.counts[row, -1] == 1
    assert table.counts[:-1].sum() == 3 * len(truth)


# intervals


def scored(truth: list[Drawn], student: list[Drawn]) -> SubmissionScore:
    images = sorted({one.image for one in truth})
    return score_submission(
        prepare_truth(annotation_set(*truth, images=images)), annotation_set(*student, images=images)
    )


BOXES = [
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "car", 200, 0, 300, 100),
    box("b.jpg", "bus", 0, 0, 100, 100),
]


def test_each_figure_has_an_interval_that_holds_it() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    found = intervals(result)
    assert tuple(found) == FIGURES
    for name in ("overall", "quality", "completeness", "recall", "localisation"):
        assert found[name].low < found[name].value < found[name].high
    assert found["overall"].value == pytest.approx(result.overall)
    assert found["quality"].value == pytest.approx(result.tally.quality)


def test_the_interval_covers_the_score_on_other_images_of_the_same_kind() -> None:
    """Nominal 95 %: at least 85 of 100 submissions of one student on 15 images each."""
    rng = np.random.default_rng(8)
    truth = city(rng, images=300)
    expected = scored(truth, careful(truth, rng)).overall
    inside = 0
    for _ in range(100):
        sample = city(rng, images=15)
        found = intervals(scored(sample, careful(sample, rng)))["overall"]
        inside += found.low <= expected <= found.high
    assert inside >= 85


def test_one_image_gives_no_interval_and_says_why() -> None:
    found = intervals(scored(BOXES[:2], BOXES[:1]))["overall"]
    assert np.isnan(found.low)
    assert found.reason == "too few images"


def test_intervals_by_bootstrap_over_images_are_there_for_those_who_ask() -> None:
    rng = np.random.default_rng(8)
    truth = city(rng, images=60, objects=6)
    score = scored(truth, careful(truth, rng))
    plain, drawn, again = intervals(score), *(intervals(score, rng=np.random.default_rng(seed)) for seed in (1, 1))
    assert drawn == again
    for name in ("overall", "quality", "completeness", "recall"):
        assert drawn[name].value == plain[name].value
        width, other = (found[name].high - found[name].low for found in (plain, drawn))
        assert other == pytest.approx(width, rel=0.2)


def test_an_undefined_figure_has_a_reason() -> None:
    assert intervals(scored(BOXES, []))["quality"].reason == "nothing matched"
    assert intervals(scored(BOXES, BOXES))["attributes"].reason == "no attribute to compare"


def test_each_figure_is_that_of_the_whole_submission() -> None:
    truth = [replace(one, attributes={"color": "red"}) for one in BOXES]
    drawn = [box("a.jpg", "cat", 0, 0, 80, 100, color="red"), box("b.jpg", "bus", 0, 0, 100, 100, color="blue")]
    own = scored(truth, [*drawn, box("b.jpg", "bus", 500, 0, 600, 100)])
    values = {name: estimate.value for name, estimate in intervals(own).items()}
    tally, colors = own.tally, (1 + own.attributes[1]) / 2
    assert values == pytest.approx(
        {
            "overall": own.overall,
            "quality": tally.quality,
            "completeness": tally.completeness,
            "precision": 200 / 3,
            "recall": 200 / 3,
            "localisation": 90,
            "label": 100 * (2 / 3 + 1) / 2,
            "attributes": 100 * colors,
        }
    )
    empty = annotation_set(images=["a.jpg", "b.jpg"])
    assert intervals(score_submission(prepare_truth(empty), empty))["overall"].value == 100
    assert intervals(scored(BOXES, []))["overall"].value == 0


def test_intervals_are_those_of_the_jackknife_over_images_within_0_and_100() -> None:
    """One of ten images missed: standard error sqrt(0.9 x 0.1 / 9), Student's t of 9 degrees of freedom 2.262."""
    truth = [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(10)]
    recalled = intervals(scored(truth, truth[1:]))["recall"]
    assert (recalled.value, recalled.low, recalled.high) == pytest.approx((90, 90 - 22.62, 100), abs=0.01)
    same = intervals(scored(truth, truth))["recall"]
    assert (same.value, np.isnan(same.low), same.reason) == (100, True, "alike on all images")


def test_images_beyond_the_largest_number_of_blocks_are_left_out_together() -> None:
    truth = [box(f"{i:03}.jpg", "car", 0, 0, 100, 100) for i in range(520)]
    half = intervals(scored(truth, truth[::2]))["recall"]
    assert half.value == 50
    assert 45 < half.low < 50 < half.high < 55


def test_hard_objects_come_by_share_then_count_and_tell_what_they_are() -> None:
    truth = three_boxes()
    batch = batch_of(truth, {"a": truth[1:], "b": truth[1:2], "c": [box("1.jpg", "car", 0, 0, 50, 100)]})
    first, second = batch.hardest_objects()
    assert (first.truth_id, first.label, first.image, first.missed_by, first.of) == ("1", "car", "0.jpg", 3, 3)
    assert np.isnan(first.mean_score)
    assert (second.truth, second.missed_by, second.mean_score) == (2, 2, 100)
    assert len(batch.hardest_objects(most=1)) == 1
    assert (batch.missed_by.tolist(), batch.matched_by.tolist()) == ([3, 0, 2], [0, 3, 1])


def test_hard_images_are_told_with_their_mean_and_how_many_students_had_them() -> None:
    truth = three_boxes()
    batch = batch_of(truth, {"a": truth[1:], "b": truth})
    image = batch.hardest_images()[0]
    assert (image.image, image.mean_score, image.missed_share, image.of) == ("0.jpg", 50, 0.5, 2)
    assert len(batch.hardest_images(most=2)) == 2


def test_ranks_ignore_differences_beyond_nine_digits() -> None:
    truth = three_boxes()
    almost = [replace(one, box=(0.0, 0.0, 100 - 1e-9, 100.0)) for one in truth]
    worse = [replace(one, box=(0.0, 0.0, 99.9, 100.0)) for one in truth]
    ranking = batch_of(truth, {"b": truth, "a": almost, "c": worse}).ranking
    assert [(one.place, one.name) for one in ranking] == [(1, "a"), (1, "b"), (3, "c")]


def test_a_result_with_many_annotations_is_not_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    assert graded().indented
    monkeypatch.setattr(module, "MOST_INDENTED", 3)
    assert graded().indented  # two students with one and two annotations
    monkeypatch.setattr(module, "MOST_INDENTED", 2)
    assert not graded().indented


def test_what_belongs_to_a_student_is_found_by_name() -> None:
    own = graded().student("ada")
    assert (own.name, own.place, own.of, own.advice) == ("ada", 1, 2, own.feedback.advice)
    assert graded().shared == ()


def test_an_object_that_one_student_was_asked_for_and_missed_is_the_hardest() -> None:
    truth = [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(2)]
    rules = Rubric(missing_images="skip")
    prepared = prepare_truth(annotation_set(*truth), rules)
    sets = {
        "a": annotation_set(images=["0.jpg", "1.jpg"]),
        "b": annotation_set(truth[0], images=["0.jpg"]),
        "c": annotation_set(images=["0.jpg"]),
    }
    batch = Batch(prepared, {name: score_submission(prepared, own) for name, own in sets.items()})
    assert [(one.truth, one.missed_by, one.of) for one in batch.hardest_objects()] == [(1, 1, 1), (0, 2, 3)]


def test_blocks_of_images_are_left_out_as_one() -> None:
    """The jackknife by hand: image i goes with image i + 499."""
    truth = [box(f"{i:03}.jpg", "car", 0, 0, 100, 100) for i in range(520)]
    recalled = intervals(scored(truth, truth[::2]))["recall"]
    block = np.arange(520) % 499
    hits, objects = np.bincount(block, np.arange(520) % 2 == 0), np.bincount(block)
    without = 100 * (260 - hits) / (520 - objects)
    error = np.sqrt(498 / 499 * ((without - without.mean()) ** 2).sum())
    reach = float(stdtrit(498, 0.975)) * error
    assert (recalled.low, recalled.high) == pytest.approx((50 - reach, 50 + reach), abs=1e-9)


def test_a_low_end_is_not_below_0_and_draws_are_not_the_jackknife() -> None:
    truth = [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(10)]
    score = scored(truth, truth[:1])
    plain, drawn = intervals(score)["recall"], intervals(score, rng=np.random.default_rng(1))["recall"]
    assert (plain.low, plain.high) == pytest.approx((0, 10 + 22.62), abs=0.01)
    assert plain.low == 0
    assert drawn.high != plain.high
    empty = annotation_set(images=["a.jpg"])
    nothing = intervals(score_submission(prepare_truth(empty), empty), rng=np.random.default_rng(1))
    assert nothing["overall"].value == 100


def test_as_many_extras_as_misses_are_not_nothing() -> None:
    assert intervals(scored(BOXES[:1], [box("a.jpg", "car", 500, 0, 600, 100)]))["overall"].value == 0


def test_attributes_are_a_mean_over_matches_that_have_them() -> None:
    truth = [replace(one, attributes={"color": "red"}) for one in BOXES]
    drawn = [*truth[:2], replace(BOXES[2], attributes={"color": "xxx"})]
    assert intervals(scored(truth, drawn))["attributes"].value == pytest.approx(200 / 3)


def test_ranks_go_by_score_before_name_and_heed_the_ninth_digit() -> None:
    truth = three_boxes()
    almost = [replace(one, box=(0.0, 0.0, 100 - 1.6e-8, 100.0)) for one in truth]  # 4e-9 points less
    batch = batch_of(truth, {"a": almost, "b": truth, "Z": truth[:1]})
    assert [(one.place, one.name) for one in batch.ranking] == [(1, "b"), (2, "a"), (3, "Z")]
    assert Graded.of(batch, {}).student("a").place == 2
    assert Graded.of(batch, {}).student("Z").place == 3


def test_ten_hard_objects_and_images_are_told_unless_asked_otherwise() -> None:
    truth = [box(f"{i:02}.jpg", "car", 0, 0, 100, 100) for i in range(11)]
    batch = batch_of(truth, {"a": []})
    assert [one.truth for one in batch.hardest_objects()] == list(range(10))
    assert [one.image for one in batch.hardest_images()] == [f"{i:02}.jpg" for i in range(10)]
    assert (len(batch.hardest_objects(most=12)), len(batch.hardest_images(most=12))) == (11, 11)


def test_of_objects_that_all_missed_the_one_that_more_missed_comes_first() -> None:
    truth = [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(3)]
    prepared = prepare_truth(annotation_set(*truth), Rubric(missing_images="skip"))
    sets = {"a": annotation_set(images=["0.jpg", "1.jpg"]), "b": annotation_set(images=["1.jpg"])}
    batch = Batch(prepared, {name: score_submission(prepared, own) for name, own in sets.items()})
    assert [(one.truth, one.missed_by, one.of) for one in batch.hardest_objects()] == [(1, 2, 2), (0, 1, 1)]
    assert [(one.image, one.of) for one in batch.hardest_images()] == [("0.jpg", 1), ("1.jpg", 2)]


def test_a_hard_object_has_the_mean_score_of_those_who_matched_it() -> None:
    truth = [box("0.jpg", "car", 0, 0, 100, 100)]
    batch = batch_of(truth, {"a": truth, "b": [box("0.jpg", "car", 0, 0, 50, 100)], "c": []})
    (hard,) = batch.hardest_objects()
    assert (hard.missed_by, hard.of, hard.mean_score) == (1, 3, 87.5)


def test_an_image_whose_only_miss_was_excused_has_no_share_of_misses() -> None:
    truth = [box("0.jpg", "car", 0, 0, 100, 100)]
    batch = batch_of(truth, {"a": []})
    excused = Batch(batch.truth, {"a": replace(batch.scores["a"], excused=np.array([True]))})
    (image,) = excused.hardest_images()
    assert (image.mean_score, image.missed_share) == (100, 0)


def test_a_larger_share_of_misses_is_harder_than_an_equal_number() -> None:
    truth = [box(f"{i}.jpg", "car", 0, 0, 100, 100) for i in range(2)]
    prepared = prepare_truth(annotation_set(*truth), Rubric(missing_images="skip"))
    sets = {"a": annotation_set(images=["0.jpg", "1.jpg"]), "b": annotation_set(*truth), "c": annotation_set(truth[0])}
    batch = Batch(prepared, {name: score_submission(prepared, own) for name, own in sets.items()})
    assert [(one.truth, one.missed_by, one.of) for one in batch.hardest_objects()] == [(1, 1, 2), (0, 1, 3)]
