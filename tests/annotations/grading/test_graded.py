"""All submissions of a task with their figures and advice, and one of them."""

from assay.annotations.grading.batch import Batch
from assay.annotations.grading.graded import Graded, StudentGrade
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from tests.annotations.drawn import annotation_set, box

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
