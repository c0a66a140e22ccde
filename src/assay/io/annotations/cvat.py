"""CVAT's XML, for images and for video 1.1, into an `AnnotationSet`.

In a video CVAT writes a shape for every frame; other writers leave frames out. Between two shapes of a track a box,
points, an ellipse, a skeleton and a cuboid move evenly; a polygon, a line and a mask stay as they were. Where the next
shape is outside the image, the last one stays until then; after one that is outside there is nothing until the next.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Coordinates, Cuboid, Ellipse, Points, Shape, Skeleton
from assay.errors import InputError, shown
from assay.execution.limits import check
from assay.io.annotations import cvat_shapes as cvat
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat_shapes import CvatMeta, attributes, group, is_set, read_shape
from assay.io.annotations.shape_validation import CORRECT_SIZE, listed_twice, place, report_self_intersections
from assay.io.annotations.xml_elements import children_of

IMAGES, VIDEO = "CVAT for images 1.1", "CVAT for video 1.1"
LAST_FRAME = 10**9


def read_cvat(content: bytes, *, source: str) -> AnnotationSet:
    """All annotations of a CVAT export: `<image>`s as they are, `<track>`s frame by frame."""
    columns, meta = AnnotationColumns(), CvatMeta()
    images, video = CvatImages(source, columns), CvatVideo(source, columns)
    for child in children_of("annotations", "CVAT", content, source):
        match child.tag:
            case "meta":
                meta = cvat.read_meta(child)
                for definition in meta.definitions:
                    columns.label(definition.name)
            case "image":
                images.add(child, meta)
            case "track":
                video.add(child, meta)
            case "version":
                pass
            case other:
                columns.problems.lost(f"<{shown(other)}> is no part of the format that is known", f"<{shown(other)}>")
    images.name_apart()
    is_video = bool(video.tracks) or (meta.is_video and not images.keys)
    ids = video.finish(meta, images.ids) if is_video else images.ids
    annotations = columns.finished(
        source=source,
        format=VIDEO if is_video else IMAGES,
        definitions=meta.definitions,
        image_ids=ids if len(ids) == len(columns.images) else {},
    )
    return report_self_intersections(annotations)


@dataclass(slots=True)
class CvatImages:
    """The images of a file as they are read."""

    source: str
    columns: AnnotationColumns
    keys: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """By name, subset and task: a project holds several tasks, each perhaps with an img0.jpg."""
    ids: dict[str, int] = field(default_factory=dict)

    def add(self, element: Element, meta: CvatMeta) -> None:
        """One `<image>` with all that is drawn in it."""
        index = self._image(element)
        for number, child in enumerate(element, start=1):
            where = f"image {element.get('name')!r}, <{child.tag}>, element {number}"
            shape = read_shape(child, meta, self.columns, where)
            if shape is not None:
                label, hidden, known = child.get("label", ""), is_set(child, "occluded"), attributes(child)
                self.columns.add(shape, image=index, label=label, attributes=known, group=group(child), occluded=hidden)

    def _image(self, element: Element) -> int:
        name = element.get("name")
        if not name:
            problem = f"the image with id {element.get('id')!r} has no name, so nothing can be compared with it"
            raise InputError(problem, source=self.source, remedy="Give it the name of its file.")
        image = Image(name, self._size(element, "width"), self._size(element, "height"))
        key = (name, element.get("subset", ""), element.get("task_id", ""))
        if key not in self.keys:
            self.keys[key] = self.columns.add_image(image)
            self.ids.setdefault(element.get("id", ""), self.keys[key])
            return self.keys[key]
        known = self.columns.images[self.keys[key]]
        if known != image:
            raise listed_twice(known, image, self.source)
        self.columns.problems.repaired("an image is listed twice: its annotations were put together", f"image {name!r}")
        return self.keys[key]

    def _size(self, element: Element, name: str) -> float:
        try:
            size = place(element.get(name, "0"), name)
            if size < 0:
                raise InputError(f"{name} is negative")
        except InputError as problem:
            what = f"image {element.get('name')!r}: {problem}"
            raise InputError(what, source=self.source, remedy=CORRECT_SIZE) from None
        return size

    def name_apart(self) -> None:
        """Put the subset before the name, and if need be the task: another file of the project has them all."""
        names = {}
        for name, subset, task in self.keys:
            full = "/".join(part for part in (subset, f"task {task}", name) if part)
            names[name, subset, task] = (f"{subset}/{name}" if subset else name, full)
        times = Counter(name for both in names.values() for name in set(both))
        for key, index in self.keys.items():
            name = next((name for name in names[key] if times[name] == 1), names[key][-1])
            self.columns.images[index] = replace(self.columns.images[index], name=name)


@dataclass(frozen=True, eq=False, slots=True)
class TrackRow:
    """A track in one frame."""

    frame: int
    shape: Shape
    outside: bool
    occluded: bool
    attributes: dict[str, Value]


@dataclass(slots=True)
class CvatVideo:
    """The tracks of a file as they are read; a frame gets its image once all are known."""

    source: str
    columns: AnnotationColumns
    tracks: list[tuple[str, str, int, list[TrackRow]]] = field(default_factory=list)
    """Label, task, group and rows of each, as they come."""
    frames: int = 0
    """How many frames the tracks fill so far."""

    def add(self, element: Element, meta: CvatMeta) -> None:
        """One `<track>`, with every frame it is seen in."""
        where = f"track {element.get('id', len(self.tracks))!r}"
        label = element.get("label", "")
        if not label:
            self.columns.problems.repaired("an annotation has no label", where)
        nested = element.findall("track")
        rows = self._rows(element, meta, where)
        seen = self._with_joints(rows, nested, meta, label, where) if nested else self._expanded(rows, meta.step)
        task = element.get("subset") or element.get("task_id") or ""
        self.tracks.append((label, task, group(element), seen))

    def finish(self, meta: CvatMeta, names: dict[str, int]) -> dict[str, int]:
        """Images for all frames and annotations for all rows; the images by frame number."""
        several = len({task for _, task, _, _ in self.tracks}) > 1
        keys = {(task if several else "", row.frame) for _, task, _, rows in self.tracks for row in rows}
        if not several:
            keys |= {("", frame) for frame in meta.frames}
        images: dict[tuple[str, int], int] = {}
        for task, frame in sorted(keys):
            if not task and str(frame) in names:  # the file lists its images beside the tracks
                images[task, frame] = names[str(frame)]
            else:
                name = f"{task}/frame_{frame:06d}" if task else f"frame_{frame:06d}"
                images[task, frame] = self.columns.add_image(Image(name, meta.width, meta.height))
        for track, (label, task, of_group, rows) in enumerate(self.tracks):
            for row in rows:
                image, hidden, known = images[task if several else "", row.frame], row.occluded, row.attributes
                self.columns.add(
                    row.shape, image=image, label=label, attributes=known, track=track, group=of_group, occluded=hidden
                )
        return {str(frame): index for (task, frame), index in images.items() if not task}

    def _rows(self, element: Element, meta: CvatMeta, where: str) -> list[TrackRow]:
        rows: dict[int, TrackRow] = {}
        for child in element:
            if child.tag == "track":
                continue
            spot = f"{where}, frame {child.get('frame')!r}, <{child.tag}>"
            frame = child.get("frame", "")
            if not frame.isdecimal() or int(frame[:12]) > LAST_FRAME:
                self.columns.problems.lost("a shape of a track has no frame number", spot)
                continue
            drawn = Element(child.tag, {**child.attrib, "label": element.get("label", "") or "?"})
            drawn.extend(child)
            shape = read_shape(drawn, meta, self.columns, spot)
            if shape is not None and int(frame) in rows:
                self.columns.problems.lost("a track has two shapes in one frame: the first one counts", spot)
            elif shape is not None:
                flags = is_set(child, "outside"), is_set(child, "occluded")
                rows[int(frame)] = TrackRow(int(frame), shape, *flags, attributes(child))
        return sorted(rows.values(), key=lambda row: row.frame)

    def _expanded(self, rows: Sequence[TrackRow], step: int) -> list[TrackRow]:
        """Every frame the track is seen in; InputError before they are made if there are too many."""
        self.frames += len(rows) + sum((b.frame - a.frame - 1) // step for a, b in pairwise(rows) if not a.outside)
        check("track_frames", self.frames, self.source)
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
        if rows:
            frames = self._expanded(rows, meta.step)
        else:
            first = {frame: row for seen in reversed(joints.values()) for frame, row in seen.items()}
            frames = [first[frame] for frame in sorted(first)]
        skeletons = []
        for row in frames:
            drawn = {}
            for name, seen in joints.items():
                joint = seen.get(row.frame)
                drawn[name] = (0.0, 0.0, 0)
                if joint is not None and isinstance(joint.shape, Points) and len(joint.shape.points) == 1:
                    x, y = joint.shape.points[0]
                    drawn[name] = (float(x), float(y), 1 if joint.occluded else 2)
            skeletons.append(replace(row, shape=cvat.skeleton_of(drawn, meta.keypoints(label))))
        return skeletons


def expanded(rows: Sequence[TrackRow], step: int) -> Iterator[TrackRow]:
    """The rows that are seen, and those between them that the file leaves out."""
    for row, following in pairwise(rows):
        if row.outside:
            continue
        yield row
        for frame in range(row.frame + step, following.frame, step):
            share = 0.0 if following.outside else (frame - row.frame) / (following.frame - row.frame)
            yield replace(row, frame=frame, shape=between(row.shape, following.shape, share) if share else row.shape)
    if rows and not rows[-1].outside:
        yield rows[-1]


def between(first: Shape, second: Shape, share: float) -> Shape:
    """The shape part of the way from one keyframe to the next; the first where there is no even way.

    >>> between(Box(0, 0, 2, 2, 350), Box(4, 0, 6, 2, 10), 0.5)
    Box(left=2.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """

    def moved(a: Coordinates, b: Coordinates) -> Coordinates:
        return read_only(a + (b - a) * share)

    if isinstance(first, Box | Ellipse) and type(first) is type(second):
        ends = {f.name: (getattr(first, f.name), getattr(second, f.name)) for f in fields(first)}
        numbers: dict[str, Any] = {name: a + (b - a) * share for name, (a, b) in ends.items()}
        a, b = ends["rotation"]
        numbers["rotation"] = (a + ((b - a + 180.0) % 360.0 - 180.0) * share) % 360.0  # the shorter way, as CVAT turns
        return replace(first, **numbers)
    match first, second:
        case Points(), Points() if first.points.shape == second.points.shape:
            return Points(moved(first.points, second.points))
        case Cuboid(), Cuboid():
            return Cuboid(moved(first.corners, second.corners))
        case Skeleton(), Skeleton() if first.names == second.names:
            both = ((first.visibility > 0) & (second.visibility > 0))[:, None]
            return replace(first, points=read_only(np.where(both, moved(first.points, second.points), first.points)))
    return first
