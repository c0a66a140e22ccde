"""Label Studio's exports, JSON and JSON-MIN, as tasks: an image and who drew what in it.

Several annotators of the same tasks are several submissions. Of images it keeps addresses: uploads, local files,
buckets and pages; their names are made here.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from assay.errors import InputError, shown
from assay.io.annotations.columns import ProblemTally, plain_name
from assay.io.image_files import ENDINGS
from assay.io.json_text import as_utf8, decoded, top_level

Result = Mapping[str, Any]
USUAL = ("image", "img", "image_url", "url", "photo", "picture", "file")
PREFIX = re.compile(r"^[0-9a-f]{8}-(?=.)")

OF_THE_EXPORT = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "inner_id", "project"}
)
"""What JSON-MIN writes beside the task's own values and what was drawn."""
HEAD = 1 << 16
MARKS = (b'"completed_by"', b'"annotator"')
"""One of these stands in the first item of every export."""


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
    tasks: dict[str, Task] = {}
    for position, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            problems.lost("an item of the list is no task", f"item {position}")
            continue
        whole = "data" in item or "task" in item
        task = _task(item, position, problems) if whole else _of_minimal(item, position, problems)
        if task is not None:
            before = tasks.get(task.address, Task(task.name, task.address, ()))
            drawings = (*before.drawings, *task.drawings)
            predictions = before.predictions + task.predictions
            tasks[task.address] = Task(before.name, task.address, drawings, predictions)
    if not tasks and items:
        problem = f"not one of its {len(items):,} tasks names an image"
        raise InputError(problem, source=source, remedy="Export the project with its data.")
    return list(tasks.values())


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
    drawings = []
    for one in drawn if isinstance(drawn, list) else []:
        if not isinstance(one, dict) or not isinstance(one.get("result"), list):
            problems.lost("an annotation of a task has no result", name)
        elif one.get("was_cancelled") is True:
            problems.repaired("an annotator skipped a task: what was drawn is not scored", name)
        else:
            results = tuple(result for result in one["result"] if isinstance(result, dict))
            problems.lost("a result is no object", name, len(one["result"]) - len(results))
            drawings.append(TaskDrawing(_annotator(one.get("completed_by")), results))
    predictions = holder.get("predictions")
    return Task(name, address, tuple(drawings), len(predictions) if isinstance(predictions, list) else 0)


def _of_minimal(item: Mapping[str, Any], position: int, problems: ProblemTally) -> Task | None:
    name = f"task {_id(item, position)}"
    image_key, address = address_of({k: v for k, v in item.items() if k not in OF_THE_EXPORT})
    if not address:
        problems.lost("a task names no image, or several", name)
        return None
    results: list[Result] = []  # what the export of whole results would have held, as far as it can be told
    for key, value in item.items():
        if key in OF_THE_EXPORT or key == image_key:
            continue
        if isinstance(value, list) and value and all(isinstance(region, dict) for region in value):
            for number, region in enumerate(value, start=1):
                results.append({**region, "id": f"{key} {number}", "from_name": key, "value": region})
        elif isinstance(value, dict) and "choices" in value:
            results.append({"id": key, "from_name": key, "type": "choices", "value": value})
        elif value not in (None, "", [], {}):
            what = "JSON-MIN does not tell a choice from the task's own texts: such a field is not scored; export JSON"
            problems.repaired(what, f"{name}, field {shown(key)!r}")
    return Task(name, address, (TaskDrawing(_annotator(item.get("annotator")), tuple(results)),))


def _annotator(stated: Any) -> str:
    if isinstance(stated, dict):
        stated = next((stated[key] for key in ("email", "id", "username") if stated.get(key) is not None), None)
    return "" if stated is None else str(stated)


def _id(item: Mapping[str, Any], position: int) -> str:
    stated = item.get("id")
    return shown(stated) if isinstance(stated, int | str) else f"at position {position}"


def may_hold_several(head: bytes) -> bool:
    """Whether a file may be an export of several annotators, by its first bytes."""
    text = as_utf8(head).lstrip()
    return text[:1] == b"[" and any(mark in text for mark in MARKS)


def annotators_of(content: bytes, source: str) -> tuple[str, ...]:
    """The annotators in the order in which they occur, if two of them worked on one task; else none.

    Where each task has one annotator, the export is one submission, by however many hands.
    """
    if not may_hold_several(content[:HEAD]):
        return ()
    try:
        text, _ = top_level(content, source)
        items: list[Any] = decoded(text, source)
        tasks = tasks_of(items, source, ProblemTally())
    except InputError:
        return ()  # reading it will tell
    hands = [tuple(dict.fromkeys(d.annotator for d in task.drawings if d.annotator)) for task in tasks]
    if all(len(names) < 2 for names in hands):
        return ()
    return tuple(dict.fromkeys(name for names in hands for name in names))


def student_of(annotator: str) -> str:
    """How a submission is called: by the annotator's address, or number.

    >>> student_of("ada@example.org"), student_of("7")
    ('ada@example.org', 'annotator 7')
    """
    return annotator if not annotator.isdecimal() else f"annotator {annotator}"


def address_of(values: Mapping[str, Any]) -> tuple[str, str]:
    """The key and the address of a task's image: the usual key, else the only text that ends as an image; or blanks."""
    texts = {key: value for key, value in values.items() if isinstance(value, str) and value.strip()}
    if key := next((key for key in USUAL if key in texts), ""):
        return key, texts[key]
    images = [key for key, text in texts.items() if PurePosixPath(path_of(text)).suffix.lower() in ENDINGS]
    return (images[0], texts[images[0]]) if len(images) == 1 else ("", "")


def path_of(address: str) -> str:
    """The path of an image, whatever holds it.

    >>> path_of("/data/local-files/?d=shots/a%20b.jpg"), path_of("s3://bucket/x/a.jpg?token=1")
    ('shots/a b.jpg', 'x/a.jpg')
    """
    if address.startswith("data:"):
        return ""
    try:
        parts = urlsplit(address.replace("\\", "/"))
        local = parse_qs(parts.query).get("d", [""])[0]
    except ValueError:
        return plain_name(address)
    return plain_name(local or unquote(parts.path))


def image_names(addresses: Sequence[str]) -> list[str]:
    """A name for each address, the shortest that only it has, or blank when it has none.

    Uploads lose the eight letters Label Studio puts before them: two projects put different ones.

    >>> image_names(["/data/upload/3/0a1b2c3d-a.jpg", "s3://one/b.jpg", "s3://two/b.jpg"])
    ['a.jpg', 'one/b.jpg', 'two/b.jpg']
    """
    names_of = []
    for address in addresses:  # from the shortest to the one that is certain to differ
        path = path_of(address)
        short = PREFIX.sub("", PurePosixPath(path).name) if "data/upload/" in f"{path}/" else path
        whole = plain_name(address.split("://", 1)[-1].split("?", 1)[0])
        names_of.append([""] if address.startswith("data:") else [short, path, whole, address])
    times = Counter(name for names in names_of for name in set(names))
    return [next((name for name in names if times[name] == 1), names[-1]) for names in names_of]
