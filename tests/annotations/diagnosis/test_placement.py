"""Where shapes lie: which habit explains it best, in figures worked out by hand, and what undoing it gives."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.diagnosis.evidence import Check
from assay.annotations.diagnosis.placement import PLACEMENT_KINDS, edge_offsets, placement_check
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from tests.annotations.drawn import Drawn, annotation_set, box

TRUTH = [
    box(f"{image}.jpg", "car", x, y, x + side, y + 0.5 * side)
    for image in range(9)
    for x, y, side in ((50, 700, 40), (300, 100, 80), (700, 400, 120 + image))
]


def scored(drawn: Sequence[Drawn]) -> SubmissionScore:
    images = [f"{image}.jpg" for image in range(9)]
    return score_submission(prepare_truth(annotation_set(*TRUTH, images=images)), annotation_set(*drawn, images=images))


def check_of(*by: float, share: bool = False) -> Check:
    """What is said when left, top, right and bottom are moved by pixels, or by shares of the object's side."""
    drawn = []
    for one in TRUTH:
        sides = np.tile([one.box[2] - one.box[0], one.box[3] - one.box[1]], 2) if share else np.ones(4)
        drawn.append(replace(one, box=tuple((np.array(one.box) + np.array(by) * sides).tolist())))
    (check,) = placement_check(scored(drawn))
    return check


@pytest.mark.parametrize(
    ("by", "share", "kind", "said"),
    [
        ((3, 0, 3, 0), False, "shift", "sit about 3.0 px too far to the right (27 shapes)"),
        ((-3, 2, -3, 2), False, "shift", "sit about 3.0 px too far to the left and 2.0 px too far down"),
        ((0, -2, 0, -2), False, "shift", "sit about 2.0 px too far up"),
        ((-2, -2, 2, 2), False, "size", "too loose: every edge lies about 2.0 px outside the object (2.0 to 2.0"),
        ((2, 2, -2, -2), False, "size", "too tight: every edge cuts off about 2.0 px of the object"),
        ((-0.1, -0.1, 0.1, 0.1), True, "size", "lies about 10.0 % of its size outside the object (10.0 to 10.0"),
        ((0, 0, -6, 0), False, "right edge", "stop short of the object by about 6.0 px on the right"),
        ((0, 0, 0, 4), False, "bottom edge", "reach past the object by about 4.0 px at the bottom"),
        ((0.1, 0, 0, 0), True, "left edge", "stop short of the object by about 10.0 % of its width on the left"),
        ((3, 3, 0, 0), False, "edges", "short of the object by about 3.0 px on the left and 3.0 px at the top"),
        ((3, -2, 0, 0), False, "edges", "by about 3.0 px on the left and reach past the object by about 2.0 px at the"),
    ],
)
def test_the_simplest_habit_that_explains_the_edges_is_named_in_its_own_unit(
    by: tuple[float, ...], share: bool, kind: str, said: str
) -> None:
    check = check_of(*by, share=share)
    assert check.kind == kind
    assert kind in PLACEMENT_KINDS
    assert said in check.sentence
    assert check.evidence.p == 0


@pytest.mark.parametrize(
    ("by", "share"), [((3, 0, 3, 0), False), ((-2, -2, 2, 2), False), ((0, 0, -6, 0), False), ((-0.1, 0, 0, 0.2), True)]
)
def test_undoing_the_habit_puts_every_edge_where_it_belongs(by: tuple[float, ...], share: bool) -> None:
    right = annotation_set(*TRUTH).bounds
    assert check_of(*by, share=share).undo().bounds == pytest.approx(right)


def test_a_scaled_picture_is_told_from_a_shift_and_undone() -> None:
    (check,) = placement_check(scored([replace(one, box=tuple((1.02 * np.array(one.box)).tolist())) for one in TRUTH]))
    assert check.kind == "picture scale"
    assert check.sentence.startswith(
        "Your coordinates are about 2.0 % too large: shapes near the top left are in place"
    )
    assert "by up to 17 px (27 shapes)" in check.sentence  # 828 is the farthest edge
    assert check.undo().bounds == pytest.approx(annotation_set(*TRUTH).bounds)


def test_what_is_drawn_exactly_is_no_habit() -> None:
    (check,) = placement_check(scored(TRUTH))
    assert check.evidence.p == 1


def test_near_misses_count_among_the_pairs_and_seven_shapes_are_too_few() -> None:
    far = [replace(one, box=(one.box[0] + 25, one.box[1], one.box[2] + 25, one.box[3])) for one in TRUTH]
    score = scored(far)
    assert (score.match_truth.size, len(edge_offsets(score))) == (18, 27)
    assert placement_check(scored(TRUTH[:7])) == []


def test_a_few_wild_shapes_do_not_speak_for_all() -> None:
    drawn = [replace(one, box=tuple(np.add(one.box, (3, 0, 3, 0)).tolist())) for one in TRUTH[:-3]]
    drawn += [replace(one, box=tuple(np.add(one.box, (-30, 0, -30, 0)).tolist())) for one in TRUTH[-3:]]
    (check,) = placement_check(scored(drawn))
    assert check.kind == "shift"
    assert "about 3.0 px too far to the right" in check.sentence
