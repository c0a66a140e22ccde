"""Write the example annotations of this folder anew: `python examples/make_annotations.py`.

An invented street task, its ground truth and what six invented students made of it.

Each student errs in a way of their own, so that there is something to find: ada is careful, ben draws too loosely,
chloe overlooks small objects, dmitri takes vans for cars and forgets colours, emre leaves a gap on the right and draws
things twice, farid handed in chloe's work with a few changes. The file of grace is cut off in the middle.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, Image, LabelDefinition
from assay.annotations.shapes.shapes import Polygon, ShapeKind
from assay.io.annotations.writers import coco_json, cvat_xml
from assay.io.example_data import ExampleAnnotations, annotations_in

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.street import (
    HEIGHT,
    IMAGES,
    LAMPS,
    PAINT,
    SEED,
    WIDTH,
    StreetObject,
    street_objects,
    street_png,
)

FOLDER = Path(__file__).resolve().parent
_COLOUR = AttributeDefinition("colour", "select", tuple(PAINT))
_HIDDEN = AttributeDefinition("hidden", "checkbox", ("false",))
DEFINITIONS = (
    LabelDefinition("car", (_COLOUR, _HIDDEN)),
    LabelDefinition("van", (_COLOUR, _HIDDEN)),
    LabelDefinition("cyclist", (AttributeDefinition("helmet", "checkbox", ("false",)), _HIDDEN)),
    LabelDefinition("pedestrian", (_HIDDEN,)),
    LabelDefinition("traffic_light", (AttributeDefinition("state", "radio", tuple(LAMPS)),)),
    LabelDefinition("stop_sign"),
)
SMALL = 420.0
"""Square pixels; the far pedestrians and most signs are smaller."""

Work = list[StreetObject]


def write_example_annotations(folder: Path) -> ExampleAnnotations:
    """truth.xml, images/*.png and submissions/*.json, *.xml in a folder; their paths."""
    truth = street_objects()
    images, handed_in = folder / "images", folder / "submissions"
    for path in (images, handed_in):
        path.mkdir(parents=True, exist_ok=True)
    (folder / "truth.xml").write_text(cvat_xml(as_set(truth)), encoding="utf-8")
    for number in range(IMAGES):
        (images / image_name(number)).write_bytes(street_png(number, truth))
    for name, text in submission_files(truth).items():
        (handed_in / name).write_text(text, encoding="utf-8")
    return annotations_in(folder)


def image_name(number: int) -> str:
    return f"street_{number + 1:02d}.png"


def submission_files(truth: Sequence[StreetObject]) -> dict[str, str]:
    """File name -> content, for every student."""
    work = {name: student(truth, np.random.default_rng(SEED + 100 + i)) for i, (name, student) in enumerate(STUDENTS)}
    work["farid"] = _farid(work["chloe"], np.random.default_rng(SEED + 200))
    files = {
        f"{name}.xml" if name in ("ada", "chloe") else f"{name}.json": (
            cvat_xml(as_set(drawn)) if name in ("ada", "chloe") else coco_json(as_set(drawn))
        )
        for name, drawn in work.items()
    }
    cut_off = files["ben.json"]
    return files | {"grace.json": cut_off[: len(cut_off) // 3]}


def as_set(drawn: Sequence[StreetObject]) -> AnnotationSet:
    """The objects as annotations, image by image."""
    labels = tuple(dict.fromkeys([*(d.name for d in DEFINITIONS), *(o.label for o in drawn)]))
    return AnnotationSet(
        images=tuple(Image(image_name(i), WIDTH, HEIGHT) for i in range(IMAGES)),
        labels=labels,
        image=np.array([o.image for o in drawn], dtype=np.int32),
        label=np.array([labels.index(o.label) for o in drawn], dtype=np.int32),
        kind=np.array([ShapeKind.BOX if o.is_box else ShapeKind.POLYGON for o in drawn], dtype=np.uint8),
        bounds=np.array([o.bounds for o in drawn], dtype=float).reshape(-1, 4),
        rotation=np.zeros(len(drawn)),
        shape_of=lambda index: Polygon((drawn[index].points,)),
        ids=[str(number) for number in range(1, len(drawn) + 1)],
        attributes={i: dict(o.attributes) for i, o in enumerate(drawn) if o.attributes},
        definitions=DEFINITIONS,
    )


# ---- students ------------------------------------------------------------------------------------------------------


def _redrawn(thing: StreetObject, rng: np.random.Generator, slip: float) -> StreetObject:
    """The same object drawn by hand: every point a little off, most of it in common."""
    moved = thing.points + rng.normal(scale=slip, size=2) + rng.normal(scale=0.5 * slip, size=thing.points.shape)
    return replace(thing, points=np.round(moved, 1))


def _moved(thing: StreetObject, by: tuple[float, float, float, float]) -> StreetObject:
    """Its edges moved outwards by shares of its size: left, top, right, bottom."""
    left, top, right, bottom = thing.bounds
    w, h = right - left, bottom - top
    edges = np.array([[left - by[0] * w, top - by[1] * h], [right + by[2] * w, bottom + by[3] * h]])
    place = (thing.points - (left, top)) / (w, h)
    return replace(thing, points=np.round(edges[0] + place * (edges[1] - edges[0]), 1))


def _area(thing: StreetObject) -> float:
    left, top, right, bottom = thing.bounds
    return (right - left) * (bottom - top)


def _ada(truth: Sequence[StreetObject], rng: np.random.Generator) -> Work:
    return [_redrawn(o, rng, 0.5) for o in truth if rng.random() > 0.02]


def _ben(truth: Sequence[StreetObject], rng: np.random.Generator) -> Work:
    loose = [_moved(o, tuple(rng.uniform(0.09, 0.16, size=4))) for o in truth if rng.random() > 0.04]
    return [_redrawn(o, rng, 0.4) for o in loose]


def _chloe(truth: Sequence[StreetObject], rng: np.random.Generator) -> Work:
    seen = [o for o in truth if _area(o) > SMALL or rng.random() < 0.25]
    return [_redrawn(o, rng, 0.8) for o in seen] + _nothing_there(rng, 3)


def _dmitri(truth: Sequence[StreetObject], rng: np.random.Generator) -> Work:
    drawn = []
    for o in truth:
        if rng.random() < 0.06:
            continue
        attributes = {name: value for name, value in o.attributes.items() if name != "colour" or rng.random() > 0.6}
        label = "car" if o.label == "van" and rng.random() < 0.8 else o.label
        drawn.append(_redrawn(replace(o, label=label, attributes=attributes), rng, 0.8))
    return drawn


def _emre(truth: Sequence[StreetObject], rng: np.random.Generator) -> Work:
    short = [_moved(o, (0.0, 0.0, -float(rng.uniform(0.14, 0.24)), 0.0)) for o in truth if rng.random() > 0.15]
    twice = [_redrawn(short[i], rng, 1.0) for i in rng.choice(len(short), 12, replace=False)]
    return [_redrawn(o, rng, 0.5) for o in short] + twice + _nothing_there(rng, 12)


def _farid(chloe: Work, rng: np.random.Generator) -> Work:
    """Chloe's file with a tenth of it redrawn, and a label that she spells right."""
    changed = [_redrawn(o, rng, 1.5) if rng.random() < 0.1 else o for o in chloe]
    return [replace(o, label="pedestrain") if o.label == "pedestrian" and rng.random() < 0.3 else o for o in changed]


def _nothing_there(rng: np.random.Generator, count: int) -> Work:
    """Boxes on house fronts, where nothing is to be annotated."""
    boxes = []
    for _ in range(count):
        corner = rng.uniform((10, 40), (560, 90))
        corners = np.round([corner, corner + rng.uniform((18, 24), (50, 50))], 1)
        boxes.append(StreetObject(int(rng.integers(IMAGES)), "traffic_light", corners, {"state": "red"}))
    return boxes


Student = Callable[[Sequence[StreetObject], np.random.Generator], Work]
STUDENTS: tuple[tuple[str, Student], ...] = (
    ("ada", _ada),
    ("ben", _ben),
    ("chloe", _chloe),
    ("dmitri", _dmitri),
    ("emre", _emre),
)
ERRS: Mapping[str, str] = {
    "ada": "careful",
    "ben": "draws too loosely",
    "chloe": "overlooks small objects",
    "dmitri": "takes vans for cars, forgets colours",
    "emre": "leaves a gap on the right, draws things twice",
    "farid": "handed in chloe's work with a few changes",
    "grace": "a file cut off in the middle",
}
"""What is wrong with each student's work, for documentation and tests."""


if __name__ == "__main__":
    example = write_example_annotations(FOLDER / "annotations")
    for written in (example.truth, example.images, *example.submissions):
        print(written)
