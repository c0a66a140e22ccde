"""Work as it is handed in: refused when it belongs to other images, noted where only one side has an image."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.grading.score import grade_submission, score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Thresholds
from assay.annotations.shapes.annotation_set import Image
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box

CAR = box("a.png", "car", 0, 0, 100, 100)
TRUTH = prepare_truth(annotation_set(CAR, images=["a.png", "b.png"]))


def test_work_on_other_images_is_refused_with_the_names_of_both() -> None:
    with pytest.raises(InputError, match=r"'z\.png'.*'a\.png'") as caught:
        grade_submission(TRUTH, annotation_set(box("z.png", "car", 0, 0, 100, 100)))

    assert caught.value.field == "submissions"
    assert caught.value.remedy


def test_images_of_one_side_only_are_noted_with_what_that_means() -> None:
    score = grade_submission(TRUTH, annotation_set(CAR, box("c.png", "car", 0, 0, 10, 10)))

    notes = {note.where: note.what for note in score.notes}
    assert "count as extra" in notes["image 'c.png'"]
    assert "count as missed" in notes["image 'b.png'"]


def test_a_name_that_differs_in_case_and_ending_is_found_and_noted() -> None:
    score = grade_submission(TRUTH, annotation_set(box("A.JPG", "car", 0, 0, 100, 100), images=["A.JPG", "b.png"]))

    assert score.overall == 100
    assert any("taken for 'a.png'" in note.what for note in score.notes)


def test_annotations_that_are_not_scored_are_counted_by_reason() -> None:
    truth = annotation_set(
        CAR,
        box("a.png", "bus", 200, 0, 300, 100),
        box("a.png", "bus", 400, 0, 500, 100),
        box("a.png", "crowd", 600, 0, 700, 100, crowd=True),
    )
    drawn = annotation_set(
        CAR,
        box("a.png", "bus", 200, 0, 300, 100),
        box("a.png", "car", 600, 0, 650, 100),
        box("a.png", "car", 800, 0, 850, 100, crowd=True),
        box("b.png", "car", 0, 0, 9, 9),
    )
    rules = Rubric(labels=(LabelRule("car"), LabelRule("bus")), only_labels=("car",), extra_images="ignore")
    score = score_submission(prepare_truth(truth, rules), drawn)
    assert score.not_scored == {
        "ground truth: crowd or ignore region": 1,
        "ground truth: a label that the rules do not count": 2,
        "submission: crowd or ignore region": 1,
        "submission: on an image not in the ground truth": 1,
        "submission: a label that the rules do not count": 1,
        "submission: inside a crowd or ignore region": 1,
    }
    counted = 2 * score.tally.matched + score.tally.missed + score.tally.extra
    assert counted + sum(score.not_scored.values()) == len(truth) + len(drawn)


@pytest.mark.parametrize(("left", "extra"), [(150, 0), (151, 1)])
def test_half_of_an_annotation_inside_a_crowd_is_enough(left: float, extra: int) -> None:
    truth = annotation_set(box("a.png", "crowd", 0, 0, 200, 100, crowd=True))
    score = score_submission(prepare_truth(truth), annotation_set(box("a.png", "car", left, 0, left + 100, 100)))
    assert score.tally.extra == extra


def test_labels_and_attributes_that_the_rules_do_not_mention_are_noted() -> None:
    rules = Rubric(labels=(LabelRule("car", (AttributeRule("color"),)),), match_key="no")
    truth = annotation_set(CAR, *(box("a.png", "bus", 200 * i, 200, 200 * i + 100, 300) for i in range(3)))
    drawn = annotation_set(
        box("a.png", "car", 0, 0, 100, 100, color="red", Mood="good", no="1"),
        box("a.png", "bus", 0, 200, 100, 300, mood="bad"),
        labels=["boat"],
    )
    notes = score_submission(prepare_truth(truth, rules), drawn).notes
    assert [(note.where, note.count) for note in notes] == [("label 'bus'", 3), ("attribute 'Mood'", 2)]
    assert notes[1].what == "is in the submission but not in the rules; it is ignored"
    assert score_submission(prepare_truth(truth, Rubric()), annotation_set(CAR)).notes == ()


@pytest.mark.parametrize(
    ("edges", "beyond"),
    [
        ((-1, -1, 1001, 1001), False),
        ((-1.5, 0, 9, 9), True),
        ((0, -1.5, 9, 9), True),
        ((0, 0, 1001.5, 9), True),
        ((0, 0, 9, 1001.5), True),
    ],
)
def test_shapes_more_than_a_pixel_beyond_their_image_are_noted(
    edges: tuple[float, float, float, float], beyond: bool
) -> None:
    score = score_submission(TRUTH, annotation_set(box("a.png", "car", *edges)))
    assert [(note.where, note.count) for note in score.notes] == ([("submission", 1)] if beyond else [])


def test_notes_on_images_tell_how_many_and_follow_the_rules() -> None:
    truth = prepare_truth(annotation_set(CAR, images=["a.png", "b.png", "e.png"]), LENIENT)
    notes = grade_submission(truth, annotation_set(CAR, images=["a.png", "c.png"])).notes
    assert [(note.where, note.count) for note in notes] == [("image 'c.png'", 1), ("image 'b.png' and others", 2)]
    assert notes[0].what == "not in the ground truth: annotations on them are left out"
    assert notes[1].what == "not in the submission: objects on them are left out"
    assert grade_submission(TRUTH, annotation_set(CAR, images=["a.png", "b.png"])).notes == ()


LENIENT = Rubric(extra_images="ignore", missing_images="skip")


def test_images_that_cannot_be_told_apart_are_refused_with_both_names() -> None:
    drawn = replace(annotation_set(images=["x/a.png", "y/a.png"]), source="ada.xml")
    with pytest.raises(InputError, match=r"'x/a\.png' and 'y/a\.png' are both called 'a\.png'") as caught:
        grade_submission(TRUTH, drawn)
    assert (caught.value.source, caught.value.field) == ("ada.xml", "submissions")
    assert caught.value.remedy == "Export both with the same folders."


def test_a_mistake_found_while_scoring_names_the_submission() -> None:
    truth = prepare_truth(annotation_set(CAR, images=[Image("a.png", 50, 50)]))
    with pytest.raises(InputError, match="resized_images") as caught:
        grade_submission(truth, replace(annotation_set(CAR), source="ada.xml"))
    assert caught.value.source == "ada.xml"


def test_an_empty_submission_without_images_is_graded() -> None:
    assert grade_submission(TRUTH, annotation_set()).tally.missed == 1


def test_rules_given_replace_those_of_the_truth() -> None:
    half = annotation_set(box("a.png", "car", 0, 0, 50, 100))
    assert score_submission(TRUTH, half, Rubric(thresholds=Thresholds(box=0.6))).tally.matched == 0
    assert score_submission(TRUTH, half).tally.matched == 1


def test_tracks_are_reported_when_both_sides_have_them() -> None:
    frames = ("a.png", "b.png", "c.png")
    tracked = [box(frame, "car", 0, 0, 100, 100, track=4) for frame in frames]
    both = score_submission(prepare_truth(annotation_set(*tracked)), annotation_set(*tracked))
    assert both.tracks is not None
    assert (both.tracks.idf1, both.tracks.switches, both.tracks.truth_tracks) == (1, 0, 1)
    assert score_submission(prepare_truth(annotation_set(*tracked)), annotation_set(CAR)).tracks is None
    assert score_submission(TRUTH, annotation_set(*tracked)).tracks is None


def test_what_touches_no_crowd_is_an_extra_even_if_any_share_is_enough() -> None:
    truth = annotation_set(box("a.png", "crowd", 0, 0, 200, 100, crowd=True))
    drawn = annotation_set(box("a.png", "car", 190, 0, 290, 100), box("a.png", "car", 500, 0, 600, 100))
    score = score_submission(prepare_truth(truth, Rubric(crowd_share=0.0)), drawn)
    assert score.extra.tolist() == [1]


def test_the_first_track_may_be_number_0_and_pairs_below_the_threshold_keep_no_identity() -> None:
    tracked = annotation_set(box("a.png", "car", 0, 0, 100, 100, track=0))
    beside = annotation_set(box("a.png", "car", 60, 0, 160, 100, track=0))
    same, apart = (score_submission(prepare_truth(tracked), drawn).tracks for drawn in (tracked, beside))
    assert same is not None
    assert apart is not None
    assert (same.idf1, apart.idf1) == (1, 0)


def test_objects_of_labels_that_do_not_count_keep_no_identity() -> None:
    both = annotation_set(box("a.png", "car", 0, 0, 100, 100, track=0), box("a.png", "bus", 200, 0, 300, 100, track=1))
    rules = Rubric(labels=(LabelRule("car"), LabelRule("bus")), only_labels=("car",))
    tracks = score_submission(prepare_truth(both, rules), both).tracks
    assert tracks is not None
    assert (tracks.truth_tracks, tracks.student_tracks, tracks.idf1) == (1, 1, 1)


def test_images_are_called_by_the_last_part_of_their_path() -> None:
    truth = prepare_truth(annotation_set(box("t/u/a.png", "car", 0, 0, 9, 9)))
    with pytest.raises(InputError, match=r"'x/k/a\.png' and 'y/k/a\.png' are both called 'a\.png'"):
        grade_submission(truth, annotation_set(images=["x/k/a.png", "y/k/a.png"]))


@pytest.mark.parametrize(("ours", "theirs"), [("a.png", "A.JPG"), ("A.JPG", "a.png")])
def test_a_note_tells_which_image_was_taken_for_which(ours: str, theirs: str) -> None:
    truth = prepare_truth(annotation_set(box(ours, "car", 0, 0, 9, 9)))
    (note,) = grade_submission(truth, annotation_set(box(theirs, "car", 0, 0, 9, 9))).notes
    assert (note.where, note.count) == (f"image {theirs!r}", 1)
    assert note.what.startswith(f"taken for {ours!r} of the ground truth")


@pytest.mark.parametrize(("size", "sides"), [(0, []), (1, ["ground truth", "submission"])])
def test_nothing_reaches_beyond_an_image_of_unknown_size(size: int, sides: list[str]) -> None:
    drawn = annotation_set(CAR, images=[Image("a.png", size, size)])
    assert [note.where for note in score_submission(prepare_truth(drawn), drawn).notes] == sides


def test_a_column_of_tracks_that_names_none_is_no_track() -> None:
    tracked = annotation_set(box("a.png", "car", 0, 0, 100, 100, track=3))
    none = replace(tracked, track=np.array([-1]))
    assert score_submission(prepare_truth(none), tracked).tracks is None
    lone = score_submission(prepare_truth(tracked), none).tracks
    assert lone is not None
    assert (lone.truth_tracks, lone.student_tracks) == (1, 0)


def test_an_attribute_that_is_ignored_is_counted_where_it_is_filled() -> None:
    truth = annotation_set(CAR)
    drawn = annotation_set(
        box("a.png", "car", 0, 0, 100, 100, mood="good"), box("a.png", "car", 200, 0, 300, 100), labels=["boat"]
    )
    rules = Rubric(labels=(LabelRule("car"),))
    notes = score_submission(prepare_truth(truth, rules), drawn).notes
    assert [(note.where, note.count) for note in notes] == [("attribute 'mood'", 1)]
