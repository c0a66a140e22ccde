"""CVAT for video 1.1: `<track>` elements, frame by frame, into columns.

CVAT writes a shape for every frame; other writers leave frames out. Between two shapes of a track a box, points, an
ellipse, a skeleton and a cuboid move evenly; a polygon, a line and a mask stay as they were. Where the next shape is
outside the image, the last one stays until then; after a shape that is outside there is nothing until the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from xml.etree.ElementTree import Element

import numpy as np

from assay.annotations.shapes.annotation_set import Image, Value
from assay.annotations.shapes.shapes import Box, Coordinates, Cuboid, Ellipse, Points, Shape, Skeleton
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat.meta import MOST_FRAMES, CvatMeta
from assay.io.annotations.cvat.shapes import attributes, group, is_set, read_shape, skeleton_of

LAST_FRAME = 10**9


@dataclass(frozen=True, eq=False, slots=True)
class TrackRow:
    """A track in one frame."""

    frame: int
    shape: Shape
    outside: bool
    occluded: bool
    attributes: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Track:
    number: int
    label: str
    task: str
    group: int
    rows: tuple[TrackRow, ...]


@dataclass(slots=True)
class CvatVideo:
    """The tracks of a file as they are read; a frame gets its image once all are known."""

    source: str
    columns: AnnotationColumns
    tracks: list[Track] = field(default_factory=list)
    frames: int = 0
    """How many frames the tracks fill so far."""

    def add(self, element: Element, meta: CvatMeta) -> None:
        """One `<track>`, with every frame it is seen in."""
        number = len(self.tracks)
        where = f"track {element.get('id', number)!r}"
        label = element.get("label", "")
        if not label:
            self.columns.problems.repaired("an annotation has no label", where)
        nested = element.findall("track")
        rows = self._rows(element, meta, where)
        seen = self._with_joints(rows, nested, meta, label, where) if nested else self._expanded(rows, meta.step)
        task = element.get("subset") or element.get("task_id") or ""
        self.tracks.append(Track(number, label, task, group(element), tuple(seen)))

    def finish(self, meta: CvatMeta, names: dict[str, int]) -> dict[str, int]:
        """Images for all frames and annotations for all rows; the images by frame number."""
        tasks = {track.task for track in self.tracks}
        keys = {(track.task if len(tasks) > 1 else "", row.frame) for track in self.tracks for row in track.rows}
        if len(tasks) <= 1:
            keys |= {("", frame) for frame in meta.frames}
        images = {key: self._image(key, meta, names) for key in sorted(keys)}
        for track in self.tracks:
            for row in track.rows:
                self.columns.add(
                    row.shape,
                    image=images[track.task if len(tasks) > 1 else "", row.frame],
                    label=track.label,
                    attributes=row.attributes,
                    track=track.number,
                    group=track.group,
                    occluded=row.occluded,
                )
        return {str(frame): index for (task, frame), index in images.items() if not task}

    def _image(self, key: tuple[str, int], meta: CvatMeta, names: dict[str, int]) -> int:
        task, frame = key
        if not task and str(frame) in names:  # the file lists its images beside the tracks
            return names[str(frame)]
        name = f"{task}/frame_{frame:06d}" if task else f"frame_{frame:06d}"
        return self.columns.add_image(Image(name, meta.width, meta.height))

    def _rows(self, element: Element, meta: CvatMeta, where: str) -> list[TrackRow]:
        rows: dict[int, TrackRow] = {}
        for child in element:
            if child.tag == "track":
                continue
            place = f"{where}, frame {child.get('frame')!r}, <{child.tag}>"
            row = self._row(child, element.get("label", ""), meta, place)
            if row is not None and row.frame in rows:
                self.columns.problems.lost("a track has two shapes in one frame: the first one counts", place)
            elif row is not None:
                rows[row.frame] = row
        return sorted(rows.values(), key=lambda row: row.frame)

    def _row(self, element: Element, label: str, meta: CvatMeta, where: str) -> TrackRow | None:
        frame = element.get("frame", "")
        if not frame.isdecimal() or int(frame[:12]) > LAST_FRAME:
            self.columns.problems.lost("a shape of a track has no frame number", where)
            return None
        drawn = Element(element.tag, {**element.attrib, "label": label or "?"})
        drawn.extend(element)
        shape = read_shape(drawn, meta, self.columns, where)
        if shape is None:
            return None
        return TrackRow(int(frame), shape, is_set(element, "outside"), is_set(element, "occluded"), attributes(element))

    def _expanded(self, rows: Sequence[TrackRow], step: int) -> list[TrackRow]:
        """Every frame the track is seen in; InputError before they are made if there are too many."""
        self.frames += len(rows) + sum((b.frame - a.frame - 1) // step for a, b in pairwise(rows) if not a.outside)
        if self.frames > MOST_FRAMES:
            raise InputError(
                f"its tracks fill more than {MOST_FRAMES:,} frames", source=self.source, remedy="Export it in parts."
            )
        return list(expanded(rows, step))

    def _with_joints(
        self, rows: Sequence[TrackRow], nested: Sequence[Element], meta: CvatMeta, label: str, where: str
    ) -> list[TrackRow]:
        """Skeletons whose joints are tracks of their own inside the track, as older files have them."""
        joints: dict[str, dict[int, TrackRow]] = {}
        for track in nested:
            name = track.get("label", "")
            inner = self._rows(track, meta, f"{where}, joint {name!r}")
            joints[name] = {row.frame: row for row in self._expanded(inner, meta.step)}
        names = meta.keypoints(label)
        if rows:
            frames = self._expanded(rows, meta.step)
        else:
            first = {frame: row for seen in reversed(joints.values()) for frame, row in seen.items()}
            frames = [first[frame] for frame in sorted(first)]
        return [replace(row, shape=skeleton_of(_joints_at(row.frame, joints), names)) for row in frames]


def _joints_at(frame: int, joints: dict[str, dict[int, TrackRow]]) -> dict[str, tuple[float, float, int]]:
    drawn = {}
    for name, rows in joints.items():
        row = rows.get(frame)
        if row is None or not isinstance(row.shape, Points) or len(row.shape.points) != 1:
            drawn[name] = (0.0, 0.0, 0)
        else:
            x, y = row.shape.points[0]
            drawn[name] = (float(x), float(y), 1 if row.occluded else 2)
    return drawn


def expanded(rows: Sequence[TrackRow], step: int) -> Iterator[TrackRow]:
    """The rows that are seen, and those between them that the file leaves out."""
    for row, following in pairwise(rows):
        if row.outside:
            continue
        yield row
        for frame in range(row.frame + step, following.frame, step):
            if following.outside:
                yield replace(row, frame=frame)
            else:
                share = (frame - row.frame) / (following.frame - row.frame)
                yield replace(row, frame=frame, shape=between(row.shape, following.shape, share))
    if rows and not rows[-1].outside:
        yield rows[-1]


def between(first: Shape, second: Shape, share: float) -> Shape:
    """The shape part of the way from one keyframe to the next; the first where there is no even way.

    >>> between(Box(0, 0, 2, 2, 350), Box(4, 0, 6, 2, 10), 0.5)
    Box(left=2.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """

    def mixed(a: float, b: float) -> float:
        return a + (b - a) * share

    def moved(a: Coordinates, b: Coordinates) -> Coordinates:
        points = a + (b - a) * share
        points.flags.writeable = False
        return points

    match first, second:
        case Box(), Box():
            return Box(
                left=mixed(first.left, second.left),
                top=mixed(first.top, second.top),
                right=mixed(first.right, second.right),
                bottom=mixed(first.bottom, second.bottom),
                rotation=_turned(first.rotation, second.rotation, share),
            )
        case Ellipse(), Ellipse():
            return Ellipse(
                x=mixed(first.x, second.x),
                y=mixed(first.y, second.y),
                radius_x=mixed(first.radius_x, second.radius_x),
                radius_y=mixed(first.radius_y, second.radius_y),
                rotation=_turned(first.rotation, second.rotation, share),
            )
        case Points(), Points() if first.points.shape == second.points.shape:
            return Points(moved(first.points, second.points))
        case Cuboid(), Cuboid():
            return Cuboid(moved(first.corners, second.corners))
        case Skeleton(), Skeleton() if first.names == second.names:
            both = ((first.visibility > 0) & (second.visibility > 0))[:, None]
            points = np.where(both, moved(first.points, second.points), first.points)
            points.flags.writeable = False
            return replace(first, points=points)
    return first


def _turned(first: float, second: float, share: float) -> float:
    """The shorter way round, as CVAT turns."""
    return (first + ((second - first + 180.0) % 360.0 - 180.0) * share) % 360.0
