"""What the journeys of `assay annotations` share: the example on disk, and a way to run a command."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from assay.cli.annotations.commands import annotations_app
from assay.errors import AssayError

Run = Callable[..., Result]


def run(*arguments: object) -> Result:
    """A command of `assay annotations`; only errors that a user can mend are let through."""
    result = CliRunner().invoke(annotations_app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit | AssayError):
        raise result.exception
    return result


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def results(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return content


def student(out: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in results(out)["students"] if one["student"] == name)
    return found


def plan_coco(objects: list[dict[str, Any]], names: list[str] | None = None) -> dict[str, Any]:
    """A COCO file as the scoring plan's section 2 has it: boxes with a label and attributes on image1.jpg."""
    labels = list(dict.fromkeys(one["label"] for one in objects))
    return {
        "images": [{"id": 7, "file_name": name, "width": 800, "height": 600} for name in names or ["image1.jpg"]],
        "categories": [{"id": i, "name": label} for i, label in enumerate(labels, 1)],
        "annotations": [
            {
                "id": 100 + i,
                "image_id": 7,
                "category_id": labels.index(one["label"]) + 1,
                "bbox": one["bbox"],
                "attributes": one.get("attributes", {}),
            }
            for i, one in enumerate(objects)
        ],
    }
