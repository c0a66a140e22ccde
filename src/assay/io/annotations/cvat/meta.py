"""The meta block of a CVAT file: labels with their attributes, and which frames a video task has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import Element

from assay.annotations.shapes.annotation_set import AttributeDefinition, LabelDefinition

MOST_FRAMES = 1_000_000
SVG_SHAPE = re.compile(r"<(line|circle)\b([^<>]*)>")
STATED = re.compile(r'([\w-]+)="([^"]*)"')
STEP = re.compile(r"step\s*=\s*(\d+)")


@dataclass(frozen=True, slots=True)
class CvatMeta:
    """What a file says about itself; all of it may be missing."""

    definitions: tuple[LabelDefinition, ...] = ()
    frames: Sequence[int] = ()
    """The frames of a video task, as its shapes number them."""
    step: int = 1
    width: float = 0
    height: float = 0
    is_video: bool = False

    def keypoints(self, label: str) -> tuple[str, ...]:
        """The joints of a skeleton label in the order of its definition."""
        return next((d.keypoints for d in self.definitions if d.name == label), ())


def read_meta(meta: Element) -> CvatMeta:
    """The meta block of a task, a job or a project."""
    labels = [label for block in meta.iter("labels") for label in block.findall("label")]
    step = _step(meta)
    return CvatMeta(
        definitions=_definitions(labels),
        frames=_frames(meta, step),
        step=step,
        width=_number(meta, "original_size/width"),
        height=_number(meta, "original_size/height"),
        is_video=_text(next(meta.iter("mode"), None)) == "interpolation",
    )


def _definitions(labels: Sequence[Element]) -> tuple[LabelDefinition, ...]:
    """The labels one can draw; the joints of a skeleton stand below it and not beside it."""
    joints: dict[str, list[str]] = {}
    for label in labels:
        if parent := _text(label.find("parent")):
            joints.setdefault(parent, []).append(_text(label.find("name")))
    definitions = {}
    for label in labels:
        name = _text(label.find("name"))
        if not _text(label.find("parent")):
            bones = tuple(_bones(_text(label.find("svg"))))
            definitions[name] = LabelDefinition(name, tuple(_attributes(label)), tuple(joints.get(name, ())), bones)
    return tuple(definitions.values())


def _bones(drawing: str) -> Iterator[tuple[str, str]]:
    """The joints that the drawing of a skeleton label connects, by name: its circles are joints, its lines bones."""
    shapes = [(tag, dict(STATED.findall(stated))) for tag, stated in SVG_SHAPE.findall(drawing)]
    names = {s.get("data-node-id", ""): s.get("data-label-name", "") for tag, s in shapes if tag == "circle"}
    for tag, stated in shapes:
        ends = (names.get(stated.get(f"data-node-{end}", ""), "") for end in ("from", "to"))
        first, second = map(unescape, ends)
        if tag == "line" and first and second:
            yield first, second


def _attributes(label: Element) -> Iterator[AttributeDefinition]:
    for attribute in label.findall("attributes/attribute"):
        values = [value.strip() for value in _text(attribute.find("values")).split("\n")]
        yield AttributeDefinition(
            _text(attribute.find("name")),
            _text(attribute.find("input_type")),
            tuple(value for value in values if value),
        )


def _frames(meta: Element, step: int) -> Sequence[int]:
    start, stop = (_text(next(meta.iter(tag), None)) for tag in ("start_frame", "stop_frame"))
    if len(list(meta.iter("start_frame"))) != 1 or not (_is_short(start) and _is_short(stop)):
        return ()  # several tasks, or none that says so
    frames = range(int(start), int(stop) + 1, step)
    return frames if int(stop) - int(start) <= MOST_FRAMES * step else ()


def _step(meta: Element) -> int:
    """Of a task that takes every third frame, shapes are numbered 0, 3, 6."""
    step = STEP.search(_text(next(meta.iter("frame_filter"), None)))
    return max(1, min(int(step[1][:9]), MOST_FRAMES)) if step else 1


def _number(meta: Element, path: str) -> float:
    text = _text(meta.find(f".//{path}"))
    return float(text) if _is_short(text) else 0.0


def _is_short(text: str) -> bool:
    """Whether a text is a whole number of a size that makes sense."""
    return text.isdecimal() and len(text) < 10


def _text(element: Element | None) -> str:
    return "" if element is None else (element.text or "").strip()
