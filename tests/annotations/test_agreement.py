"""Annotators against each other, and what most of them drew."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.agreement import build_consensus, measure_agreement
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Polygon, ShapeKind
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box, rectangle


def three_annotators() -> dict[str, AnnotationSet]:
    """Two images: all three find the car, two of three the bus, Cy alone a dog; Ben calls the car a van."""
    images = ["a.jpg", "b.jpg"]
    return {
        "Ada": annotation_set(
            box("a.jpg", "car", 0, 0, 100, 100, color="red"), box("b.jpg", "bus", 0, 0, 100, 100), images=images
        ),
        "Ben": annotation_set(
            box("b.jpg", "bus", 10, 0, 110, 100), box("a.jpg", "van", 0, 0, 102, 100, color="red"), images=images
        ),
        "Cy": annotation_set(
            box("a.jpg", "car", 0, 0, 110, 100, color="blue"), box("a.jpg", "dog", 500, 0, 550, 50), images=images
        ),
    }


def test_the_matrix_is_symmetric_with_a_full_diagonal() -> None:
    agreement = measure_agreement(three_annotators())
    for matrix in (agreement.same_objects, agreement.localisation, agreement.label):
        np.testing.assert_allclose(matrix, matrix.T)
        assert (np.diag(matrix) == 100).all()


def test_each_pair_has_its_completeness_place_and_label() -> None:
    agreement = measure_agreement(three_annotators())
    assert agreement.same_objects[0, 1] == 100
    assert agreement.same_objects[0, 2] == pytest.approx(50)  # the car is common; a bus and a dog are not
    assert agreement.label[0, 1] == 50
    assert agreement.localisation[0, 2] == pytest.approx(100 / 1.1)


def test_annotations_of_one_object_are_gathered_across_annotators() -> None:
    agreement = measure_agreement(three_annotators())
    members = agreement.objects.members.tolist()
    assert sorted(members) == sorted([[0, 1, 0], [1, 0, -1], [-1, -1, 1]])


def test_alpha_takes_not_annotated_as_an_answer() -> None:
    agreement = measure_agreement(three_annotators())
    # car: car van car; bus: bus bus nothing; dog: nothing nothing dog
    # values: car 2, van 1, bus 2, nothing 3, dog 1 (9 in all); each object has 2 unlike of 3 pairs
    observed = 3 * (4 / 2)
    expected = (81 - (4 + 1 + 4 + 9 + 1)) / 8
    assert agreement.alpha.value == pytest.approx(1 - observed / expected)


def test_perfect_agreement_has_alpha_1() -> None:
    one = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("b.jpg", "bus", 0, 0, 50, 50))
    assert measure_agreement({"Ada": one, "Ben": one}).alpha.value == 1


def test_an_image_somebody_never_had_is_a_gap_not_a_disagreement() -> None:
    both = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("b.jpg", "bus", 0, 0, 50, 50))
    first_only = annotation_set(box("a.jpg", "car", 0, 0, 100, 100))
    agreement = measure_agreement({"Ada": both, "Ben": first_only})
    assert agreement.same_objects[0, 1] == 100
    assert np.isnan(agreement.answers).sum() == 1


def test_one_annotator_is_not_enough() -> None:
    with pytest.raises(InputError, match="at least two"):
        measure_agreement({"Ada": annotation_set()})


def test_nothing_drawn_by_anybody_is_undefined_with_a_reason() -> None:
    empty = annotation_set(images=["a.jpg"])
    agreement = measure_agreement({"Ada": empty, "Ben": empty})
    assert np.isnan(agreement.alpha.value)
    assert agreement.alpha.reason == "nobody annotated anything"


# consensus


def consensus_of(sets: dict[str, AnnotationSet], quorum: float = 0.5) -> AnnotationSet:
    return build_consensus(sets, measure_agreement(sets), quorum)


def test_the_consensus_has_what_most_annotators_drew() -> None:
    found = consensus_of(three_annotators())
    assert [found.labels[i] for i in found.label] == ["car", "bus"]
    assert found.confidence is not None
    assert found.confidence.tolist() == pytest.approx([1, 2 / 3])


def test_boxes_get_the_median_of_each_edge_and_attributes_the_majority() -> None:
    found = consensus_of(three_annotators())
    assert found.bounds[0].tolist() == [0, 0, 102, 100]
    assert found.attributes == {0: {"color": "red"}}


def test_a_lower_quorum_takes_in_more() -> None:
    assert len(consensus_of(three_annotators(), quorum=0.0)) == 3


def test_other_shapes_are_those_of_the_most_central_annotator() -> None:
    widths = {"Ada": 100.0, "Ben": 104.0, "Cy": 130.0}
    sets = {name: annotation_set(rectangle("a.jpg", "car", 0, 0, w, 100)) for name, w in widths.items()}
    found = consensus_of(sets)
    assert found.kind.tolist() == [ShapeKind.POLYGON]
    shape = found.shape(0)
    assert isinstance(shape, Polygon)
    assert shape.rings[0][:, 0].max() == 104


def test_an_impossible_quorum_is_refused() -> None:
    with pytest.raises(InputError, match="quorum is 1"):
        consensus_of(three_annotators(), quorum=1)


def test_the_order_of_annotations_does_not_change_the_consensus() -> None:
    sets = three_annotators()
    cy = sets["Cy"]
    turned = replace(
        cy,
        image=cy.image[::-1],
        label=cy.label[::-1],
        bounds=cy.bounds[::-1],
        attributes={1 - i: own for i, own in cy.attributes.items()},
    )
    again = consensus_of(sets | {"Cy": turned})
    assert again.bounds.tolist() == consensus_of(sets).bounds.tolist()
