"""Kinds of shapes and the families within which they are compared."""

from assay.annotations.shapes.shapes import FAMILY, ShapeKind


def test_every_kind_has_a_family_and_a_word() -> None:
    assert set(FAMILY) == set(ShapeKind)
    assert ShapeKind.POLYLINE.word == "polyline"


def test_outlines_masks_and_ellipses_meet_and_boxes_stay_among_themselves() -> None:
    assert FAMILY[ShapeKind.POLYGON] == FAMILY[ShapeKind.MASK] == FAMILY[ShapeKind.ELLIPSE]
    assert [kind for kind, family in FAMILY.items() if family == "box"] == [ShapeKind.BOX]
