"""CVAT for video 1.1: tracks frame by frame, with and without the frames between keyframes."""

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Points, Polygon, Skeleton
from assay.errors import InputError
from assay.io.annotations.cvat import LAST_FRAME, between, read_cvat

META = "<meta><task><mode>interpolation</mode>{more}<labels><label><name>car</name></label></labels></task></meta>"


def read(tracks: str, more: str = "") -> AnnotationSet:
    text = f"<annotations>{META.format(more=more)}{tracks}</annotations>"
    return read_cvat(text.encode(), source="video.xml")


def box(frame: int, left: float, more: str = "", outside: int = 0) -> str:
    return (
        f'<box frame="{frame}" outside="{outside}" keyframe="1" xtl="{left}" ytl="0" xbr="{left + 2}" ybr="2" {more}/>'
    )


def frames(found: AnnotationSet) -> list[str]:
    return [found.images[i].name for i in found.image]


def test_every_frame_becomes_an_image_and_every_shape_an_annotation_of_its_track() -> None:
    found = read(
        f'<track id="4" label="car">{box(0, 1)}{box(1, 2)}</track><track id="9" label="bus">{box(1, 5)}</track>'
    )
    assert found.format == "CVAT for video 1.1"
    assert frames(found) == ["frame_000000", "frame_000001", "frame_000001"]
    assert found.track is not None
    assert found.track.tolist() == [0, 0, 1]
    assert [found.labels[i] for i in found.label] == ["car", "car", "bus"]


def test_a_box_moves_evenly_between_keyframes() -> None:
    found = read(f'<track id="0" label="car">{box(2, 0)}{box(6, 8)}</track>')
    assert [found.shape(i) for i in range(5)] == [Box(left, 0, left + 2, 2) for left in (0, 2, 4, 6, 8)]


def test_a_box_turns_the_shorter_way() -> None:
    first, last = box(0, 0, 'rotation="350"'), box(2, 0, 'rotation="30"')
    found = read(f'<track id="0" label="car">{first}{last}</track>')
    assert found.rotation.tolist() == [350, 10, 30]


def test_an_ellipse_and_points_move_evenly() -> None:
    rows = '<ellipse frame="0" cx="0" cy="0" rx="2" ry="2"/><ellipse frame="2" cx="4" cy="2" rx="4" ry="2"/>'
    dots = '<points frame="0" points="0,0;1,1"/><points frame="2" points="2,0;1,5"/>'
    found = read(f'<track id="0" label="car">{rows}</track><track id="1" label="car">{dots}</track>')
    assert found.shape(1) == Ellipse(2, 1, 3, 2)
    middle = found.shape(4)
    assert isinstance(middle, Points)
    assert middle.points.tolist() == [[1, 0], [1, 3]]


def test_a_polygon_stays_until_the_next_keyframe() -> None:
    rows = '<polygon frame="0" points="0,0;1,0;1,1"/><polygon frame="3" points="5,5;6,5;6,6"/>'
    found = read(f'<track id="0" label="car">{rows}</track>')
    shapes = [found.shape(i) for i in range(4)]
    assert all(isinstance(shape, Polygon) for shape in shapes)
    assert found.bounds[:, 0].tolist() == [0, 0, 0, 5]


def test_a_shape_stays_until_it_is_outside_and_nothing_follows_until_it_comes_back() -> None:
    found = read(f'<track id="0" label="car">{box(0, 0)}{box(3, 9, outside=1)}{box(6, 4)}{box(7, 5)}</track>')
    assert frames(found) == ["frame_000000", "frame_000001", "frame_000002", "frame_000006", "frame_000007"]
    assert found.bounds[:, 0].tolist() == [0, 0, 0, 4, 5]


def test_rows_in_any_order_give_the_same_track() -> None:
    one = read(f'<track id="0" label="car">{box(0, 0)}{box(4, 8)}</track>')
    other = read(f'<track id="0" label="car">{box(4, 8)}{box(0, 0)}</track>')
    assert one.bounds.tolist() == other.bounds.tolist()


def test_of_a_task_with_every_third_frame_those_are_no_gaps_and_all_frames_are_listed() -> None:
    more = "<start_frame>10</start_frame><stop_frame>19</stop_frame><frame_filter>step=3</frame_filter>"
    size = "<original_size><width>25</width><height>20</height></original_size>"
    found = read(f'<track id="0" label="car">{box(10, 0)}{box(16, 6)}</track>', more + size)
    assert [image.name for image in found.images] == [f"frame_0000{n}" for n in (10, 13, 16, 19)]
    assert {(image.width, image.height) for image in found.images} == {(25, 20)}
    assert found.bounds[:, 0].tolist() == [0, 3, 6]


def test_attributes_and_occlusion_are_those_of_the_frame() -> None:
    rows = (
        '<box frame="0" occluded="1" xtl="0" ytl="0" xbr="1" ybr="1"><attribute name="open">true</attribute></box>'
        '<box frame="1" occluded="0" xtl="0" ytl="0" xbr="1" ybr="1"><attribute name="open">false</attribute></box>'
    )
    found = read(f'<track id="0" label="car" group_id="3">{rows}</track>')
    assert found.attributes == {0: {"open": "true"}, 1: {"open": "false"}}
    assert found.occluded is not None
    assert found.occluded.tolist() == [True, False]
    assert found.group is not None
    assert found.group.tolist() == [3, 3]


def test_skeletons_with_children_move_joint_by_joint() -> None:
    def row(frame: int, x: float, outside: int) -> str:
        head = f'<points label="head" outside="0" points="{x},0"/>'
        hand = f'<points label="hand" outside="{outside}" points="{x},5"/>'
        return f'<skeleton frame="{frame}" keyframe="1">{head}{hand}</skeleton>'

    found = read(f'<track id="0" label="person">{row(0, 0, 0)}{row(2, 4, 1)}</track>')
    middle = found.shape(1)
    assert isinstance(middle, Skeleton)
    assert middle.names == ("head", "hand")
    assert middle.points.tolist() == [[2, 0], [0, 5]]


def test_skeletons_whose_joints_are_tracks_of_their_own_are_put_together() -> None:
    rows = '<skeleton frame="0" points="junk"/><skeleton frame="1" keyframe="0" points="junk"/>'
    head = '<track label="head"><points frame="0" points="1,1"/><points frame="1" points="2,2" occluded="1"/></track>'
    hand = '<track label="hand"><points frame="0" points="5,5"/><points frame="1" outside="1" points="5,5"/></track>'
    found = read(f'<track id="0" label="person">{rows}{head}{hand}</track>')
    first, second = found.shape(0), found.shape(1)
    assert isinstance(first, Skeleton)
    assert isinstance(second, Skeleton)
    assert (first.names, first.visibility.tolist()) == (("head", "hand"), [2, 2])
    assert second.visibility.tolist() == [1, 0]
    assert second.points[0].tolist() == [2, 2]
    assert found.problems == ()


def test_tracks_of_several_tasks_have_frames_of_their_own() -> None:
    found = read(
        f'<track id="0" label="car" task_id="1">{box(0, 0)}</track>'
        f'<track id="1" label="car" task_id="2">{box(0, 0)}</track>'
    )
    assert frames(found) == ["1/frame_000000", "2/frame_000000"]


def test_frames_have_the_names_of_images_that_the_file_lists() -> None:
    images = '<image id="0" name="street.jpg" width="9" height="9"/>'
    found = read(f'{images}<track id="0" label="car">{box(0, 0)}{box(1, 0)}</track>')
    assert frames(found) == ["street.jpg", "frame_000001"]


def test_a_video_task_without_tracks_is_an_empty_set_with_its_frames() -> None:
    found = read("", "<start_frame>0</start_frame><stop_frame>2</stop_frame>")
    assert (len(found), len(found.images), found.format) == (0, 3, "CVAT for video 1.1")


def test_bad_rows_are_lost_and_said() -> None:
    bad = '<box frame="x" xtl="0" ytl="0" xbr="1" ybr="1"/><box frame="1" xtl="0"/>' + box(0, 3)
    found = read(f'<track id="7" label="car">{box(0, 0)}{bad}</track>')
    assert len(found) == 1
    assert [(p.what, p.count, p.lost) for p in found.problems] == [
        ("a shape of a track has no frame number", 1, True),
        ("ytl is missing", 1, True),
        ("a track has two shapes in one frame: the first one counts", 1, True),
    ]
    assert found.problems[1].where == "track '7', frame '1', <box>"


def test_a_track_over_a_billion_frames_is_refused() -> None:
    with pytest.raises(InputError, match=r"video\.xml: it has [0-9,]+ frames; at most 1,000,000"):
        read(f'<track id="0" label="car">{box(0, 0)}{box(900_000_000, 8)}</track>')


@pytest.mark.parametrize(
    ("first", "second", "middle"),
    [(350, 10, 355), (10, 350, 5), (0, 180, 315), (180, 0, 135), (90, 100, 92.5), (0, 179, 44.75)],
)
def test_a_quarter_of_the_way_is_a_quarter_of_the_shorter_turn(first: float, second: float, middle: float) -> None:
    moved = between(Box(0, 0, 4, 8, first), Box(4, -8, 12, 8, second), 0.25)
    assert moved == Box(1, -2, 6, 8, middle)


def test_cuboids_and_points_move_and_what_is_unlike_stays() -> None:
    cuboid = between(Cuboid(np.zeros((8, 2))), Cuboid(np.full((8, 2), 8.0)), 0.75)
    assert isinstance(cuboid, Cuboid)
    assert cuboid.corners.tolist() == [[6, 6]] * 8
    one, two = Points(np.zeros((1, 2))), Points(np.ones((2, 2)))
    assert between(one, two, 0.5) is one
    box = Box(0, 0, 1, 1)
    assert between(box, Ellipse(1, 1, 1, 1), 0.5) is box
    head = Skeleton(("head",), np.zeros((1, 2)), np.array([2], np.int8))
    other = Skeleton(("hand",), np.ones((1, 2)), np.array([2], np.int8))
    assert between(head, other, 0.5) is head


def test_tracks_may_fill_as_many_frames_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_TRACK_FRAMES", "5")
    track = f'<track id="0" label="car">{box(0, 0)}{box(3, 8)}</track>'
    assert len(read(f'{track}<track id="1" label="car">{box(9, 0)}</track>')) == 5
    with pytest.raises(InputError, match=r"video\.xml.*TRACK_FRAMES"):
        read(f'{track}<track id="1" label="car">{box(8, 0)}{box(9, 0)}</track>')
    gone = f'<track id="0" label="car">{box(0, 0, outside=1)}{box(900, 8)}</track>'
    assert len(read(gone)) == 1


def test_the_last_frame_is_a_billion() -> None:
    assert frames(read(f'<track id="0" label="car">{box(LAST_FRAME, 0)}</track>')) == [f"frame_{LAST_FRAME}"]
    found = read(f'<track id="0" label="car">{box(LAST_FRAME + 1, 0)}</track>')
    assert [(p.what, p.lost) for p in found.problems] == [("a shape of a track has no frame number", True)]


def test_a_track_without_label_or_id_is_told_by_its_position() -> None:
    found = read(f'<track id="4" label="car">{box(0, 0)}</track><track>{box(0, 0)}</track>')
    assert [(p.what, p.where, p.lost) for p in found.problems] == [("an annotation has no label", "track 1", False)]


def test_subsets_tell_tasks_apart_and_frames_come_in_order() -> None:
    found = read(
        f'<track label="car" subset="b" task_id="1">{box(1, 0)}</track>'
        f'<track label="car" subset="a" task_id="1">{box(7, 0)}{box(8, 0)}</track>'
    )
    assert [image.name for image in found.images] == ["a/frame_000007", "a/frame_000008", "b/frame_000001"]
    assert found.image.tolist() == [2, 0, 1]
    alone = read(f'<track label="car" subset="b">{box(1, 0)}</track>')
    assert frames(alone) == ["frame_000001"]
    assert alone.image_ids == {"1": 0}


def test_joints_that_are_tracks_make_skeletons_also_without_rows_of_their_own() -> None:
    head = '<track label="head"><points frame="2" points="1,1"/><points frame="1" points="0,0;1,1"/></track>'
    hand = '<track label="hand"><points frame="4" points="5,5" occluded="1"/></track>'
    found = read(f'<track id="0" label="person">{head}{hand}</track>')
    assert frames(found) == ["frame_000001", "frame_000002", "frame_000004"]
    shapes = [found.shape(i) for i in range(3)]
    assert [shape.visibility.tolist() for shape in shapes if isinstance(shape, Skeleton)] == [[0, 0], [2, 0], [0, 1]]


def test_a_joint_moves_while_it_is_seen_at_both_ends_hidden_or_not() -> None:
    seen = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (2, 0), (0, 2)]
    names = tuple(f"{a}{b}" for a, b in seen)
    first = Skeleton(names, np.zeros((9, 2)), np.array([a for a, _ in seen], np.int8))
    second = Skeleton(names, np.full((9, 2), 8.0), np.array([b for _, b in seen], np.int8))
    moved = between(first, second, 0.25)
    assert isinstance(moved, Skeleton)
    assert [name for name, x in zip(names, moved.points[:, 0], strict=True) if x] == ["11", "12", "21", "22"]
    assert moved.points.max() == 2
    assert moved.visibility.tolist() == first.visibility.tolist()


def test_a_shape_without_a_frame_costs_none_of_those_behind_it() -> None:
    shapes = box(0, 0) + box(0, 0).replace('frame="0"', 'frame="x"') + box(1, 4) + box(1, 5)
    found = read(f'<track id="0" label="car">{shapes}</track>')
    assert frames(found) == ["frame_000000", "frame_000001"]
    assert [(p.what, p.lost) for p in found.problems] == [
        ("a shape of a track has no frame number", True),
        ("a track has two shapes in one frame: the first one counts", True),
    ]
