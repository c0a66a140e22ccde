"""Label Studio's exports, JSON and JSON-MIN, as tasks: an image and who drew what in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.io.annotations.label_studio.names import address_of
from assay.io.annotations.problem_tally import ProblemTally

Result = Mapping[str, Any]

OF_THE_EXPORT = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "inner_id", "project"}
)
"""What JSON-MIN writes beside the task's own values and what was drawn."""


@dataclass(frozen=True, eq=False, slots=True)
class TaskDrawing:
    """What one annotator did in one task."""

    annotator: str
    result: tuple[Result, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """An image and the drawings of all annotators."""

    name: str
    address: str
    drawings: tuple[TaskDrawing, ...]
    predictions: int = 0


def tasks_of(items: list[Any], source: str, problems: ProblemTally) -> list[Task]:
    """The tasks of an export; items about one image, as JSON-MIN has one for each annotator, are put together."""
    found: dict[str, Task] = {}
    for position, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            problems.lost("an item of the list is no task", f"item {position}")
            continue
        whole = "data" in item or "task" in item
        task = _task(item, position, problems) if whole else _of_minimal(item, position, problems)
        if task is not None:
            before = found.get(task.address, Task(task.name, task.address, ()))
            drawings = (*before.drawings, *task.drawings)
            predictions = before.predictions + task.predictions
            found[task.address] = Task(before.name, task.address, drawings, predictions)
    if not found and items:
        raise InputError(
            f"{source}: not one of its {len(items):,} tasks names an image. Export the project with its data."
        )
    return list(found.values())


def _task(item: Mapping[str, Any], position: int, problems: ProblemTally) -> Task | None:
    """A task with its annotations, or, as a storage keeps it, an annotation with its task."""
    holder, drawn = item, item.get("annotations", item.get("completions"))
    if isinstance(item.get("task"), dict) and "result" in item:
        holder, drawn = item["task"], [item]
    name = f"task {_id(holder, position)}"
    data = holder.get("data")
    address = address_of(data)[1] if isinstance(data, dict) else ""
    if not address:
        problems.lost("a task names no image, or several", name)
        return None
    drawings = tuple(_drawings(drawn, name, problems))
    predictions = holder.get("predictions")
    return Task(name, address, drawings, len(predictions) if isinstance(predictions, list) else 0)


def _drawings(drawn: Any, name: str, problems: ProblemTally) -> Iterator[TaskDrawing]:
    for one in drawn if isinstance(drawn, list) else []:
        if not isinstance(one, dict) or not isinstance(one.get("result"), list):
            problems.lost("an annotation of a task has no result", name)
        elif one.get("was_cancelled") is True:
            problems.mended("an annotator skipped a task: what was drawn is not scored", name)
        else:
            results = tuple(result for result in one["result"] if isinstance(result, dict))
            problems.lost("a result is no object", name, len(one["result"]) - len(results))
            yield TaskDrawing(_annotator(one.get("completed_by")), results)


def _of_minimal(item: Mapping[str, Any], position: int, problems: ProblemTally) -> Task | None:
    name = f"task {_id(item, position)}"
    image_key, address = address_of({k: v for k, v in item.items() if k not in OF_THE_EXPORT})
    if not address:
        problems.lost("a task names no image, or several", name)
        return None
    results: list[Result] = []
    for key, value in item.items():
        if key not in OF_THE_EXPORT and key != image_key:
            results += _minimal_results(key, value, name, problems)
    return Task(name, address, (TaskDrawing(_annotator(item.get("annotator")), tuple(results)),))


def _minimal_results(key: str, value: Any, name: str, problems: ProblemTally) -> Iterator[Result]:
    """What the export of whole results would have held, as far as it can be told."""
    if isinstance(value, list) and value and all(isinstance(region, dict) for region in value):
        for number, region in enumerate(value, start=1):
            yield {**region, "id": f"{key} {number}", "from_name": key, "value": region}
    elif isinstance(value, dict) and "choices" in value:
        yield {"id": key, "from_name": key, "type": "choices", "value": value}
    elif value not in (None, "", [], {}):
        problems.mended(
            "JSON-MIN does not tell a choice from the task's own texts: such a field is not scored; export JSON",
            f"{name}, field {key[:40]!r}",
        )


def _annotator(stated: Any) -> str:
    """The number or address of an annotator as text."""
    if isinstance(stated, dict):
        stated = next((stated[key] for key in ("email", "id", "username") if stated.get(key) is not None), None)
    return "" if stated is None else str(stated)


def _id(item: Mapping[str, Any], position: int) -> str:
    stated = item.get("id")
    return str(stated)[:40] if isinstance(stated, int | str) else f"at position {position}"
