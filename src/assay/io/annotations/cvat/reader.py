"""CVAT's XML, for images and for video, into an `AnnotationSet`."""

from collections import Counter
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat.meta import CvatMeta, read_meta
from assay.io.annotations.cvat.shapes import attributes, group, is_set, read_shape
from assay.io.annotations.cvat.video import CvatVideo
from assay.io.annotations.shape_validation import CORRECT_SIZE, place, report_self_intersections
from assay.io.annotations.xml_elements import root_and_children, wrong_root

IMAGES, VIDEO = "CVAT for images 1.1", "CVAT for video 1.1"


def read_cvat(content: bytes, *, source: str) -> AnnotationSet:
    """All annotations of a CVAT export: `<image>`s as they are, `<track>`s frame by frame."""
    columns, meta = AnnotationColumns(), CvatMeta()
    images, video = CvatImages(source, columns), CvatVideo(source, columns)
    children = root_and_children(content, source)
    if (root := next(children)).tag != "annotations":
        raise wrong_root(root, "CVAT's <annotations>", source)
    for child in children:
        match child.tag:
            case "meta":
                meta = read_meta(child)
                for definition in meta.definitions:
                    columns.label(definition.name)
            case "image":
                images.add(child, meta)
            case "track":
                video.add(child, meta)
            case "version":
                pass
            case other:
                columns.problems.lost(f"<{other[:40]}> is no part of the format that is known", f"<{other[:40]}>")
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


@dataclass(frozen=True, slots=True)
class ImageKey:
    """What tells images of one export apart: a project holds several tasks, each perhaps with an img0.jpg."""

    name: str
    subset: str
    task: str

    def names(self) -> list[str]:
        """From the shortest to the one that is certain to differ."""
        full = "/".join(part for part in (self.subset, f"task {self.task}", self.name) if part)
        return [f"{self.subset}/{self.name}" if self.subset else self.name, full]


@dataclass(slots=True)
class CvatImages:
    """The images of a file as they are read."""

    source: str
    columns: AnnotationColumns
    keys: dict[ImageKey, int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)

    def add(self, element: Element, meta: CvatMeta) -> None:
        """One `<image>` with all that is drawn in it."""
        index = self._image(element)
        for number, child in enumerate(element, start=1):
            where = f"image {element.get('name')!r}, <{child.tag}>, element {number}"
            shape = read_shape(child, meta, self.columns, where)
            if shape is not None:
                self.columns.add(
                    shape,
                    image=index,
                    label=child.get("label", ""),
                    attributes=attributes(child),
                    group=group(child),
                    occluded=is_set(child, "occluded"),
                )

    def _image(self, element: Element) -> int:
        name = element.get("name")
        if not name:
            raise InputError(
                f"the image with id {element.get('id')!r} has no name, so nothing can be compared with it",
                source=self.source,
                remedy="Give it the name of its file.",
            )
        image = Image(name, self._size(element, "width"), self._size(element, "height"))
        key = ImageKey(name, element.get("subset", ""), element.get("task_id", ""))
        if key not in self.keys:
            self.keys[key] = self.columns.add_image(image)
            self.ids.setdefault(element.get("id", ""), self.keys[key])
            return self.keys[key]
        known = self.columns.images[self.keys[key]]
        if known != image:
            raise InputError(
                f"image {name!r} is listed twice, as {known.width:g} x {known.height:g} and as "
                f"{image.width:g} x {image.height:g} pixels",
                source=self.source,
                remedy="Give each image a name of its own.",
            )
        self.columns.problems.repaired("an image is listed twice: its annotations were put together", f"image {name!r}")
        return self.keys[key]

    def _size(self, element: Element, name: str) -> float:
        text = element.get(name)
        try:
            size = 0.0 if text is None else place(text, name)
            if size < 0:
                raise InputError(f"{name} is negative")
        except InputError as problem:
            what = f"image {element.get('name')!r}: {problem}"
            raise InputError(what, source=self.source, remedy=CORRECT_SIZE) from None
        return size

    def name_apart(self) -> None:
        """Put the subset before the name, and if need be the task: another file of the project has them all."""
        times = Counter(name for key in self.keys for name in set(key.names()))
        for key, index in self.keys.items():
            name = next((name for name in key.names() if times[name] == 1), key.names()[-1])
            self.columns.images[index] = replace(self.columns.images[index], name=name)
