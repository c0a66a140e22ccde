"""CVAT's XML, for images and for video, into an `AnnotationSet`."""

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat.images import CvatImages
from assay.io.annotations.cvat.meta import CvatMeta, read_meta
from assay.io.annotations.cvat.video import CvatVideo
from assay.io.annotations.self_intersections import report_crossing_rings
from assay.io.annotations.xml_elements import root_and_children

IMAGES, VIDEO = "CVAT for images 1.1", "CVAT for video 1.1"


def read_cvat(content: bytes, *, source: str) -> AnnotationSet:
    """All annotations of a CVAT export: `<image>`s as they are, `<track>`s frame by frame."""
    columns, meta = AnnotationColumns(), CvatMeta()
    images, video = CvatImages(source, columns), CvatVideo(source, columns)
    children = root_and_children(content, source)
    if (root := next(children)).tag != "annotations":
        raise InputError(f"{source} is XML, but its root is <{root.tag}> and not CVAT's <annotations>.")
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
    return report_crossing_rings(annotations)
