"""COCO files to measure with: objects of real images, tiled, and a student who draws them a little off.

The objects come from a COCO file if one is given; without, they are made up: blobs of some 25 corners. Jitter is an
affine change of 5 % (as a person would misjudge an edge), one object in ten is missed, and boxes nobody asked for
are added.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

KEYPOINTS = [
    "nose",
    *(
        f"{side}_{part}"
        for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
        for side in ("left", "right")
    ),
]
"""As COCO orders them."""

Record = dict[str, Any]
"""An entry of a COCO file, as json gives it."""


@dataclass(frozen=True, slots=True)
class Files:
    """A truth and a student's results for it."""

    truth: Path
    student: Path
    images: int
    objects: int
    drawn: int


def write_files(folder: Path, task: str, *, images: int, source: Path | None) -> Files:
    """The files of one task: boxes, polygons, keypoints or masks."""
    rng = np.random.default_rng(7)
    if task == "keypoints":
        made = _people(rng, images)
    else:
        made = _tiled(json.loads(source.read_bytes()), images) if source else _blobs(rng, images)
    drawn = [_jittered(record, task, rng) for record in made["annotations"] if rng.random() > 0.1]
    drawn += [_stray(record, task) for record in drawn[:: len(drawn) // 500 or 1] if task != "keypoints"]
    if task == "boxes":  # a file that holds boxes and nothing else, so that boxes are what the command scores
        for record in made["annotations"]:
            del record["segmentation"]
    elif task == "masks":
        sizes = {image["id"]: (image["height"], image["width"]) for image in made["images"]}
        for record in (*made["annotations"], *drawn):
            record["segmentation"] = _run_lengths(record["segmentation"], *sizes[record["image_id"]])
    truth, student = folder / f"{task}_truth.json", folder / f"{task}_student.json"
    truth.write_text(json.dumps(made), encoding="utf-8")
    student.write_text(json.dumps(_dataset(made, drawn) if task == "polygons" else drawn), encoding="utf-8")
    return Files(truth, student, len(made["images"]), len(made["annotations"]), len(drawn))


def _run_lengths(rings: list[list[float]], height: int, width: int) -> Record:
    """The outline as pixels, in COCO's compressed text."""
    from pycocotools import mask

    counted: Record = mask.merge(mask.frPyObjects(rings, height, width))
    return {"size": counted["size"], "counts": counted["counts"].decode("ascii")}


def _dataset(made: Record, drawn: list[Record]) -> Record:
    """The student's polygons as a file of its own: pycocotools does not read polygons as results."""
    whole = [_outlined_by(record, number + 1) for number, record in enumerate(drawn)]
    return {**made, "annotations": whole}


def _outlined_by(record: Record, number: int) -> Record:
    points = np.concatenate([np.array(ring).reshape(-1, 2) for ring in record["segmentation"]])
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    return {
        **record,
        "id": number,
        "iscrowd": 0,
        "bbox": [*low.round(2).tolist(), *size.round(2).tolist()],
        "area": float(size.prod()),
    }


def _tiled(source: Mapping[str, list[Record]], images: int) -> Record:
    """The images of the source over and over, crowds left out: other tools match them by other rules."""
    of_image: dict[int, list[Record]] = {}
    for record in source["annotations"]:
        if not record.get("iscrowd") and isinstance(record["segmentation"], list):
            of_image.setdefault(record["image_id"], []).append(record)
    annotations: list[Record] = []
    tiles = []
    for number in range(images):
        image = source["images"][number % len(source["images"])]
        tiles.append(
            {"id": number + 1, "file_name": f"{number}.jpg", "width": image["width"], "height": image["height"]}
        )
        for record in of_image.get(image["id"], []):
            annotations.append({**record, "id": len(annotations) + 1, "image_id": number + 1})
    return {"images": tiles, "annotations": annotations, "categories": source["categories"]}


def _blobs(rng: np.random.Generator, images: int, per_image: int = 8, corners: int = 25) -> Record:
    annotations: list[Record] = []
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    for number in range(images):
        for _ in range(rng.poisson(per_image)):
            reach = rng.uniform(8, 120) * (1 + 0.25 * np.sin(turn * rng.integers(2, 5) + rng.uniform(0, 6)))
            ring = np.stack([np.cos(turn), np.sin(turn)], 1) * reach[:, None] + rng.uniform(100, 500, 2)
            annotations.append(_outlined(ring, len(annotations) + 1, number + 1))
    return {"images": _images(images), "annotations": annotations, "categories": [{"id": 1, "name": "blob"}]}


def _outlined(ring: np.ndarray[Any, Any], number: int, image: int) -> Record:
    low, high = ring.min(axis=0), ring.max(axis=0)
    return {
        "id": number,
        "image_id": image,
        "category_id": 1,
        "iscrowd": 0,
        "bbox": [*low.round(2).tolist(), *(high - low).round(2).tolist()],
        "area": float(np.prod(high - low) * 0.7),
        "segmentation": [ring.round(2).ravel().tolist()],
    }


def _images(images: int) -> list[Record]:
    return [{"id": n + 1, "file_name": f"{n}.jpg", "width": 640, "height": 640} for n in range(images)]


def _people(rng: np.random.Generator, images: int) -> Record:
    annotations: list[Record] = []
    for number in range(images):
        for _ in range(rng.poisson(4)):
            size, corner = rng.uniform(40, 200, 2), rng.uniform(0, 400, 2)
            points = rng.uniform(0, 1, (17, 2)) * size + corner
            seen = rng.choice([0, 1, 2, 2, 2], 17)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number + 1,
                    "category_id": 1,
                    "iscrowd": 0,
                    "bbox": [*corner.round(2).tolist(), *size.round(2).tolist()],
                    "area": float(size.prod() * 0.6),
                    "num_keypoints": int((seen > 0).sum()),
                    "keypoints": np.column_stack([points.round(1) * (seen > 0)[:, None], seen]).ravel().tolist(),
                }
            )
    categories = [{"id": 1, "name": "person", "keypoints": KEYPOINTS, "skeleton": []}]
    return {"images": _images(images), "annotations": annotations, "categories": categories}


def _jittered(record: Record, task: str, rng: np.random.Generator) -> Record:
    """What the student draws of an object: a row of COCO results."""
    x, y, w, h = record["bbox"]
    move, stretch = rng.normal(0, 0.05, 2) * [w, h], 1 + rng.normal(0, 0.05, 2)
    corner, size = np.array([x, y]), np.array([w, h])
    drawn: Record = {"image_id": record["image_id"], "category_id": record["category_id"], "score": 1.0}
    if task == "boxes":
        drawn["bbox"] = [*(corner + move).round(2).tolist(), *(size * stretch).round(2).tolist()]
    elif task in {"polygons", "masks"}:
        rings = [np.array(ring).reshape(-1, 2) for ring in record["segmentation"]]
        drawn["segmentation"] = [((r - corner) * stretch + corner + move).round(2).ravel().tolist() for r in rings]
    else:
        points = np.array(record["keypoints"]).reshape(-1, 3)
        points[:, :2] += rng.normal(0, 0.02, (17, 2)) * size.mean()
        points[:, 2] = 2
        drawn["keypoints"] = points.round(1).ravel().tolist()
    return drawn


def _stray(record: Record, task: str) -> Record:
    """A second drawing of the same object, moved by a third of its width."""
    shift = (record["bbox"][2] if task == "boxes" else 20.0) / 3
    if task == "boxes":
        return {**record, "bbox": [record["bbox"][0] + shift, *record["bbox"][1:]]}
    moved = [[v + shift * (k % 2 == 0) for k, v in enumerate(ring)] for ring in record["segmentation"]]
    return {**record, "segmentation": moved}
