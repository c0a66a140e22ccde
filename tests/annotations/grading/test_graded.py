"""All submissions of a task with their figures and advice, and one of them."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.diagnosis.shared_errors import SharedErrors, shared_errors
from assay.annotations.grading.graded import Batch, Graded, StudentGrade
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
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


def shared_in(batch: Batch) -> tuple[SharedErrors, ...]:
    return shared_errors(batch.scores, batch.truth.annotations)


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


# copying


def class_of(students: int, seed: int = 0) -> tuple[list[Drawn], dict[str, list[Drawn]]]:
    rng = np.random.default_rng(seed)
    truth = city(rng, images=10)
    return truth, {f"student {i}": careful(truth, rng) for i in range(students)}


def test_students_who_work_alone_are_not_asked_anything() -> None:
    for seed in range(10):
        assert shared_in(batch_of(*class_of(6, seed))) == ()


def test_a_copied_submission_is_put_as_a_question() -> None:
    truth, students = class_of(6)
    students["copycat"] = list(students["student 2"])
    (asked,) = shared_in(batch_of(truth, students))
    assert {asked.first, asked.second} == {"student 2", "copycat"}
    assert asked.shared > 5 * asked.expected
    assert asked.question.endswith("?")


def test_answers_that_were_drawn_anew_are_put_as_a_question_too() -> None:
    rng = np.random.default_rng(5)
    truth = [box(f"{i:02d}.jpg", "abc"[j % 3], 100 * j, 0, 100 * j + 60, 60) for i in range(12) for j in range(10)]

    def drawn(one: Drawn) -> Drawn:
        return box(one.image, one.label, *(np.array(one.box) + rng.normal(0, 2, 4)))

    def worked() -> list[Drawn]:
        named = [replace(one, label="abc"[rng.integers(3)]) if rng.random() < 0.1 else one for one in truth]
        return [drawn(one) for one in named if rng.random() > 0.06]

    alone = {f"student {k}": worked() for k in range(12)}
    copied = alone | {"copier": [drawn(one) for one in alone["student 3"]]}
    assert shared_in(batch_of(truth, alone)) == ()
    (found,) = shared_in(batch_of(truth, copied))
    assert {found.first, found.second} == {"student 3", "copier"}
    assert found.shared >= 8


def test_sharing_the_mistakes_of_a_whole_class_raises_no_question() -> None:
    """All students miss the same hard objects and call vans cars: that is the task, not copying."""
    truth, students = class_of(6)
    hard = {(one.image, round(one.box[0] / 150)) for one in truth[::5]}
    taught = {
        name: [
            replace(one, label="car" if one.label == "van" else one.label)
            for one in own
            if (one.image, round(one.box[0] / 150)) not in hard
        ]
        for name, own in students.items()
    }
    assert shared_in(batch_of(truth, taught)) == ()


def test_two_weak_students_are_not_suspected_for_being_weak() -> None:
    truth, students = class_of(5)
    rng = np.random.default_rng(5)
    for name in ("weak", "weaker"):
        students[name] = [one for one in careful(truth, rng) if rng.random() < 0.5]
    assert shared_in(batch_of(truth, students)) == ()


def test_copying_the_ground_truth_itself_is_no_shared_error() -> None:
    truth, students = class_of(4)
    students |= {"a": truth, "b": truth}
    assert shared_in(batch_of(truth, students)) == ()


def test_with_two_students_only_equal_shapes_are_evidence() -> None:
    """Both miss the same half of the objects: they may be the hard ones."""
    truth, _ = class_of(0)
    rng = np.random.default_rng(6)
    students = {name: careful(truth[::2], rng) for name in ("a", "b")}
    assert shared_in(batch_of(truth, students)) == ()
    students["b"] = list(students["a"])
    assert len(shared_in(batch_of(truth, students))) == 1


def test_one_student_has_nobody_to_share_with() -> None:
    truth, students = class_of(1)
    assert shared_in(batch_of(truth, students)) == ()


def test_examples_say_what_is_shared() -> None:
    truth, students = class_of(5)
    students["copycat"] = list(students["student 1"])
    (asked,) = shared_in(batch_of(truth, students))
    assert len(asked.examples) == 5
    assert all(".jpg" in example or "extra shape" in example for example in asked.examples)
