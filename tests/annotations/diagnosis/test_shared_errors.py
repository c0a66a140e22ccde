"""Copied work is put as a question, and chance, habits and hard objects are not."""

from dataclasses import replace
from math import exp, factorial

import numpy as np
import pytest

from assay.annotations.diagnosis.shared_errors import SharedErrors, habit_rates, shared_errors
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from tests.annotations.drawn import Drawn, annotation_set, box
from tests.annotations.random_students import careful, city


def shared_in(truth: list[Drawn], students: dict[str, list[Drawn]]) -> tuple[SharedErrors, ...]:
    images = sorted({one.image for one in truth})
    prepared = prepare_truth(annotation_set(*truth, images=images))
    scores = {name: score_submission(prepared, annotation_set(*own, images=images)) for name, own in students.items()}
    return shared_errors(scores, prepared.annotations)


def class_of(students: int, seed: int = 0) -> tuple[list[Drawn], dict[str, list[Drawn]]]:
    rng = np.random.default_rng(seed)
    truth = city(rng, images=10)
    return truth, {f"student {i}": careful(truth, rng) for i in range(students)}


def test_students_who_work_alone_are_not_asked_anything() -> None:
    for seed in range(10):
        assert shared_in(*class_of(6, seed)) == ()


def test_a_copied_submission_is_put_as_a_question() -> None:
    truth, students = class_of(6)
    students["copycat"] = list(students["student 2"])
    (asked,) = shared_in(truth, students)
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
    assert shared_in(truth, alone) == ()
    (asked,) = shared_in(truth, copied)
    assert {asked.first, asked.second} == {"student 3", "copier"}
    assert asked.shared >= 8


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
    assert shared_in(truth, taught) == ()


def test_two_weak_students_are_not_suspected_for_being_weak() -> None:
    truth, students = class_of(5)
    rng = np.random.default_rng(5)
    for name in ("weak", "weaker"):
        students[name] = [one for one in careful(truth, rng) if rng.random() < 0.5]
    assert shared_in(truth, students) == ()


def test_copying_the_ground_truth_itself_is_no_shared_error() -> None:
    truth, students = class_of(4)
    students |= {"a": truth, "b": truth}
    assert shared_in(truth, students) == ()


def test_with_two_students_only_equal_shapes_are_evidence() -> None:
    """Both miss the same half of the objects: they may be the hard ones."""
    truth, _ = class_of(0)
    rng = np.random.default_rng(6)
    students = {name: careful(truth[::2], rng) for name in ("a", "b")}
    assert shared_in(truth, students) == ()
    students["b"] = list(students["a"])
    assert len(shared_in(truth, students)) == 1


def test_one_student_has_nobody_to_share_with() -> None:
    truth, students = class_of(1)
    assert shared_in(truth, students) == ()


def test_examples_say_what_is_shared() -> None:
    truth, students = class_of(5)
    students["copycat"] = list(students["student 1"])
    (asked,) = shared_in(truth, students)
    assert len(asked.examples) == 5
    assert all(".jpg" in example or "extra shape" in example for example in asked.examples)


# worked examples


def row_of(count: int, label: str = "car") -> list[Drawn]:
    return [box(f"{i // 8}.jpg", label, 100 * (i % 8), 0, 100 * (i % 8) + 60, 60) for i in range(count)]


def moved(drawn: list[Drawn], by: float) -> list[Drawn]:
    return [replace(one, box=(one.box[0] + by, one.box[1], one.box[2] + by, one.box[3])) for one in drawn]


def test_of_two_students_each_equal_shape_is_expected_half_the_time() -> None:
    truth = row_of(24)
    (asked,) = shared_in(truth, {"Ada": moved(truth, 3), "Ben": moved(truth, 3)})
    assert (asked.shared, asked.expected) == (24, 12)
    assert asked.p == pytest.approx(poisson_tail(24, 12.0))
    assert asked.question == (
        "Ada and Ben share 24 errors where chance explains about 12.0. Did they work together, or from the same draft?"
    )
    assert asked.examples[0] == "car 1 on 0.jpg: shape 3.00, 0.00, 63.00, 60.00"


def poisson_tail(least: int, mean: float) -> float:
    """The chance of so many or more."""
    return 1 - sum(exp(-mean) * mean**k / factorial(k) for k in range(least))


def test_what_was_decided_is_a_second_question_and_a_habit_of_missing_is_expected() -> None:
    """Three others make no error: 0.5 of 4 would miss an object, but these two miss 8 of 40, which is more."""
    truth = row_of(40)
    students = {"Ada": truth[8:], "Ben": truth[8:], "Cy": truth, "Di": truth, "Ed": truth}
    (asked,) = shared_in(truth, students)
    assert (asked.first, asked.second, asked.shared) == ("Ada", "Ben", 8)
    assert asked.expected == pytest.approx(8 * 8 / 40)
    assert asked.p == pytest.approx(2 * 10 * poisson_tail(8, 1.6))  # two questions, ten pairs
    assert asked.examples == tuple(f"car {i} on 0.jpg: missed" for i in range(1, 6))


@pytest.mark.parametrize(("missed", "asked"), [(4, 0), (5, 1)])
def test_fewer_than_five_shared_errors_are_put_before_nobody(missed: int, asked: int) -> None:
    truth = row_of(200)
    students = {f"student {i}": truth for i in range(12)} | {"Ada": truth[missed:], "Ben": truth[missed:]}
    assert len(shared_in(truth, students)) == asked


def test_rarest_errors_are_the_examples_and_say_label_value_and_extra_shapes() -> None:
    truth = [replace(one, attributes={"color": "red"}) for one in row_of(64)]
    wrong = [replace(one, label="Van") for one in truth[:4]] + [replace(truth[4], attributes={"color": " Blue "})]
    forgotten, extra = replace(truth[5], attributes={}), box("0.jpg", "car", 10, 500, 20.5, 520)
    copied = [*wrong, forgotten, *truth[6:], extra]
    usual = [replace(one, label="bus") for one in truth[8:12]]
    usual += [replace(one, attributes={"color": "green"}) for one in truth[12:14]]
    rest = [*truth[1:8], *usual, *truth[14:]]
    others = {f"student {i}": [wrong[0] if i < 2 else truth[0], *rest] for i in range(12)}
    (asked,) = shared_in(truth, {**others, "Ada": copied, "Ben": copied})
    assert asked.shared == 6
    assert asked.examples == (
        "car 2 on 0.jpg: label van",
        "car 3 on 0.jpg: label van",
        "car 4 on 0.jpg: label van",
        "car 5 on 0.jpg: attribute color = blue",
        "car 6 on 0.jpg: attribute color =",
    )
    only_extras = [*truth, *(box("0.jpg", "car", 10 * i, 500, 10 * i + 5.5, 520) for i in range(30))]
    (asked,) = shared_in(truth, {"Ada": only_extras, "Ben": only_extras})
    assert asked.examples[1] == "the same extra shape at 10.00, 500.00, 15.50, 520.00"


def test_habits_are_counted_of_the_times_she_could() -> None:
    truth = [*row_of(4, "van"), *moved(row_of(4, "Car"), 400)]
    truth = [replace(one, attributes={"color": "red" if i % 2 else "blue"}) for i, one in enumerate(truth)]
    drawn = [replace(truth[0], label="car"), *truth[1:4], replace(truth[4], attributes={"color": "red"}), *truth[5:7]]
    rates = habit_rates(score_submission(prepare_truth(annotation_set(*truth)), annotation_set(*drawn)))
    assert rates == {(0, ""): 1 / 8, (1, "van > car"): 1 / 4, (2, "color: blue > red"): 1 / 4}
    nothing = annotation_set(images=["0.jpg"])
    assert habit_rates(score_submission(prepare_truth(nothing), nothing)) == {(0, ""): 0.0}


def test_pairs_come_by_the_strength_of_their_evidence() -> None:
    truth = row_of(64)
    students = {name: moved(truth[:many], 3) for name, many in {"Ada": 64, "Ben": 64}.items()}
    students |= {name: moved(truth[:many], 5) for name, many in {"Cy": 40, "Di": 40}.items()}
    assert [(one.first, one.second) for one in shared_in(truth, students)] == [("Cy", "Di"), ("Ada", "Ben")]
