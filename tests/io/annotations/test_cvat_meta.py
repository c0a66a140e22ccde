"""CVAT's meta block: labels, joints, bones and frames."""

from xml.etree.ElementTree import fromstring

import pytest

from assay.annotations.shapes.annotation_set import AttributeDefinition, LabelDefinition
from assay.execution.limits import value_of
from assay.io.annotations.cvat_shapes import CvatMeta, read_meta

SVG = (
    '&lt;line data-node-from="1" data-node-to="2"/&gt;&lt;line data-node-from="1" data-node-to="9"/&gt;'
    '&lt;circle data-node-id="1" data-label-name="head"/&gt;'
    '&lt;circle data-node-id="2" data-label-name="l &amp;amp; r"/&gt;'
)


def meta(inside: str) -> CvatMeta:
    return read_meta(fromstring(f"<meta>{inside}</meta>"))


def task(start: str, stop: str, more: str = "") -> str:
    return f"<task><start_frame>{start}</start_frame><stop_frame>{stop}</stop_frame>{more}</task>"


def test_a_task_has_the_frames_from_its_first_to_its_last() -> None:
    assert list(meta(task("5", "8")).frames) == [5, 6, 7, 8]
    assert list(meta(task("5", "5")).frames) == [5]


def test_a_task_that_takes_every_third_frame_has_no_others() -> None:
    found = meta(task("0", "7", "<frame_filter>step=3</frame_filter>"))
    assert (list(found.frames), found.step) == ([0, 3, 6], 3)
    assert meta(task("0", "7", "<frame_filter>step=0</frame_filter>")).step == 1


def test_frames_of_several_tasks_are_not_those_of_the_first() -> None:
    assert list(meta(task("0", "3") + task("0", "9")).frames) == []


@pytest.mark.parametrize(("start", "stop"), [("", "3"), ("0", ""), ("-1", "3"), ("0", "1e3"), ("0", "9" * 10)])
def test_frames_that_are_no_numbers_are_none(start: str, stop: str) -> None:
    assert list(meta(task(start, stop)).frames) == []


def test_more_frames_than_any_video_has_are_none() -> None:
    most = value_of("track_frames")
    assert len(meta(task("0", str(most))).frames) == most + 1
    assert list(meta(task("0", str(most + 1))).frames) == []


def test_a_meta_block_without_any_of_it_is_empty() -> None:
    assert meta("") == CvatMeta()


def test_the_size_of_a_video_and_its_mode() -> None:
    found = meta(
        "<task><mode>interpolation</mode><original_size><width>64</width><height>x</height></original_size></task>"
    )
    assert (found.width, found.height, found.is_video) == (64, 0, True)


def test_labels_have_attributes_and_skeletons_their_joints_and_bones() -> None:
    labels = f"""<job><labels>
      <label><name>car</name><attributes><attribute><name>colour</name><input_type>select</input_type>
        <values>red\n blue \n</values></attribute></attributes></label>
      <label><name>person</name><svg>{SVG}</svg></label>
      <label><name>head</name><parent>person</parent></label>
      <label><name>l &amp; r</name><parent>person</parent></label>
    </labels></job>"""
    found = meta(labels)
    car = LabelDefinition("car", (AttributeDefinition("colour", "select", ("red", "blue")),))
    person = LabelDefinition("person", (), ("head", "l & r"), (("head", "l & r"),))
    assert found.definitions == (car, person)
    assert found.keypoints("person") == ("head", "l & r")
    assert found.keypoints("nobody") == ()
