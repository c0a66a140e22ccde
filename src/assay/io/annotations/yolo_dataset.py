"""The files of a YOLO data set: labels, names of classes, lists of images; and which image a label file is about.

Sources: Ultralytics' documentation of data sets (data.yaml with names and kpt_shape); Darknet (obj.names, obj.data,
train.txt); labelImg and Label Studio (classes.txt, notes.json); Roboflow (_darknet.labels).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

import msgspec

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.errors import InputError, MissingExtra
from assay.execution.limits import check
from assay.io.annotations.columns import ProblemTally, plain_name
from assay.io.archive import Member
from assay.io.image_files import ENDINGS as IMAGE_ENDINGS
from assay.io.image_files import ImageFiles
from assay.io.image_header import image_size
from assay.io.json_text import as_utf8, broken_json_named

FileKind: TypeAlias = Literal["labels", "classes", "yaml", "notes", "list", "settings", "none"]

ENDINGS = frozenset({".txt", ".yaml", ".yml", ".names", ".labels", ".data"})
CLASSES = frozenset({"classes.txt", "obj.names", "_darknet.labels", "labels.txt", "predefined_classes.txt"})
KEYS = frozenset({"names", "kpt_shape", "kpt_names"})
"""What is read of data.yaml."""
DEEPEST_YAML = 8
TOP_KEY = re.compile(r"""(?:['"]([^'"]+)['"]|([^\s#'"\[\]{},:%-][^:'"]*?))\s*:(?:\s|$)""")
WHOLE_NUMBER = re.compile(r"-?\d{1,15}")
WRITE_NAMES = "Write 'names: [first, second]'."


@dataclass(frozen=True, slots=True)
class YoloClasses:
    """What a data set says about its classes."""

    names: Mapping[int, str]
    keypoints: tuple[int, int] | None = None
    """How many keypoints a pose has, and with how many numbers each."""
    joints: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def part_of(path: str, text: bytes) -> FileKind:
    """What a file of a data set is: labels by what it holds, the others by what they hold and are called."""
    name = PurePosixPath(path).name.lower()
    if name in CLASSES or name.endswith(".names"):
        return "classes"
    if name.endswith(".data"):
        return "settings"
    if text.lstrip()[:1] == b"{":
        return "notes"
    lines = [line.strip() for line in text[:4096].splitlines() if line.strip()]
    words = lines[0].split() if lines else []
    # a class and numbers, be they right or wrong
    if not lines or (len(words) > 2 and words[0].isdigit() and all(map(_is_number, words))):
        return "labels"
    if PurePosixPath(lines[0].decode(errors="replace")).suffix.lower() in IMAGE_ENDINGS:
        return "list"
    is_yaml = name.endswith((".yaml", ".yml")) and any(line.startswith((b"names", b"nc")) for line in lines)
    return "yaml" if is_yaml else "none"


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def classes_of(files: Iterable[tuple[str, bytes]], problems: ProblemTally) -> YoloClasses:
    """The classes, from data.yaml if it names them, else from the list of names; InputError when two lists differ."""
    named: dict[str, dict[int, str]] = {}
    keypoints: tuple[int, int] | None = None
    joints: dict[int, tuple[str, ...]] = {}
    for path, content in files:
        part = part_of(path, content)
        if part == "yaml":
            stated = read_data_yaml(_text(content, path), path)
            if "names" in stated:
                named[path] = _numbered(stated["names"], path)
            match stated.get("kpt_shape"):
                case [int(count), int(numbers)] if 0 < count <= 10_000 and numbers in {2, 3}:
                    keypoints = count, numbers
                case other if other is not None:
                    remedy = "Write 'kpt_shape: [17, 3]'."
                    raise InputError("kpt_shape is not [keypoints, 2 or 3]", source=path, remedy=remedy)
            pairs = stated["kpt_names"].items() if isinstance(stated.get("kpt_names"), dict) else ()
            joints |= {int(k): tuple(map(str, v)) for k, v in pairs if str(k).isdecimal() and isinstance(v, list)}
        elif part == "classes":
            named[path] = dict(enumerate(line.strip() for line in _text(content, path).strip().splitlines()))
        elif part == "notes":
            named[path] = _of_notes(content, path)
    names = next(iter(named.values()), {})
    for path, other in named.items():
        if other != names:
            problem = f"it names other classes than {next(iter(named))}"
            raise InputError(problem, source=path, remedy="Hand in one of them.")
    if len(set(names.values())) < len(names):
        problems.repaired("classes have the same name: they are one label", next(iter(named)))
    return YoloClasses(names, keypoints, joints)


def read_data_yaml(text: str, source: str) -> dict[str, Any]:
    """What data.yaml says of KEYS: whole numbers become int, all else stays text, so that a class may be called `no`.

    What stands under other keys, such as the programs that Ultralytics puts under `download`, is not looked at. Tags
    are passed over and aliases refused: nothing is made of the text but lists, mappings, texts and numbers.

    >>> read_data_yaml("names:\\n  0: cat  # a pet\\n  1: no\\nkpt_shape: [17, 3]\\ntrain: x", "data.yaml")
    {'names': {'0': 'cat', '1': 'no'}, 'kpt_shape': [17, 3]}
    """
    check("yaml_characters", len(text), source)
    try:
        import yaml  # noqa: PLC0415 - optional, and few data sets come as YOLO
    except ImportError as absent:
        raise MissingExtra("Reading data.yaml of YOLO", "annotations") from absent
    is_asked, lines = False, []  # the lines of other top keys blank, so that line numbers stay
    for line in text.expandtabs().splitlines():
        top = TOP_KEY.match(line)
        if top or line.startswith(("---", "...", "%")):
            is_asked = top is not None and (top[1] or top[2]) in KEYS
        lines.append(line if is_asked else "")
    try:
        events = yaml.parse("\n".join(lines), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        stated = _of_events(event for event in events if not isinstance(event, yaml.StreamStartEvent))
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        what = getattr(problem, "problem", None) or "a character is not allowed"
        row = mark.line + 1 if mark else None
        raise InputError(f"it is no YAML: {what}", source=source, row=row, remedy=WRITE_NAMES) from None
    except InputError as problem:
        raise problem.at(source) from None
    return stated if isinstance(stated, dict) else {}


def _of_events(events: Iterator[Any], depth: int = -2) -> Any:
    """The value that begins with the next event of PyYAML's parser; None where a document, list or mapping ends."""
    event = next(events)
    kind = type(event).__name__
    if depth > DEEPEST_YAML:
        raise InputError("lists or mappings are nested too deeply", remedy=WRITE_NAMES)
    if kind == "AliasEvent":
        raise InputError("an alias (*) stands for a value", remedy="Write the value itself.")
    if kind == "ScalarEvent":
        is_number = event.implicit[0] and WHOLE_NUMBER.fullmatch(event.value)
        return int(event.value) if is_number else event.value
    if kind.endswith("StartEvent"):
        values = list(iter(lambda: _of_events(events, depth + 1), None))
        if kind == "DocumentStartEvent":
            return values[0]
        if kind == "MappingStartEvent":
            return {str(key): value for key, value in zip(values[::2], values[1::2], strict=True)}
        return values
    return None


def _text(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("it holds text that is not UTF-8", source=path, remedy="Save it as UTF-8.") from None


def _numbered(stated: Any, path: str) -> dict[int, str]:
    if isinstance(stated, list):
        check("yolo_classes", len(stated), path)
        return {i: str(name) for i, name in enumerate(stated)}
    if isinstance(stated, dict) and all(str(key).isdecimal() and len(str(key)) < 10 for key in stated):
        return {int(key): str(name) for key, name in stated.items()}
    raise InputError("names is neither a list nor numbers with names", source=path, remedy=WRITE_NAMES)


def _of_notes(content: bytes, path: str) -> dict[int, str]:
    """Label Studio writes the classes once more as notes.json."""
    with broken_json_named(content, path):
        stated = msgspec.json.decode(content)
    categories = stated.get("categories") if isinstance(stated, dict) else None
    match categories:
        case [*rows] if all(isinstance(r, dict) and isinstance(r.get("id"), int) for r in rows):
            return {r["id"]: str(r.get("name", r["id"])) for r in rows}
    raise InputError("it holds no categories with id and name", source=path, remedy="Export the labels again.")


def yolo_members(members: Sequence[Member]) -> list[Member]:
    """The texts of YOLO: rows of labels, whatever else lies in their folders, and names of classes anywhere.

    Texts of a hand-in without labels are notes and readmes, but empty ones in a folder `labels`, or beside names of
    classes, are images without objects.
    """
    texts = {m: as_utf8(m.read()) for m in members if PurePosixPath(m.name).suffix.lower() in ENDINGS}
    kinds = {m: part_of(m.name, content) for m, content in texts.items()}
    described = any(kind in {"yaml", "classes"} for kind in kinds.values())
    folders = set()
    for m, content in texts.items():
        path = PurePosixPath(m.name)
        in_labels = described or "labels" in path.parent.as_posix().lower().split("/")
        is_empty_label = path.suffix.lower() == ".txt" and in_labels
        if kinds[m] == "labels" if content.strip() else is_empty_label:
            folders.add(path.parent)
    if not folders:
        return []
    return [m for m in texts if PurePosixPath(m.name).parent in folders or kinds[m] not in {"labels", "none"}]


@dataclass(frozen=True, eq=False, slots=True)
class YoloImages:
    """Where images are looked for: the ground truth, the images themselves, and the data set's lists of names."""

    truth: Mapping[str, Image]
    files: ImageFiles | None
    by_stem: Mapping[str, Mapping[str, list[str]]]

    @classmethod
    def of(cls, like: AnnotationSet | None, files: ImageFiles | None, listed: Iterable[str]) -> "YoloImages":
        truth = {image.name: image for image in like.images} if like is not None else {}
        names = {"truth": truth, "files": files.by_path if files is not None else (), "lists": map(plain_name, listed)}
        by_stem: dict[str, dict[str, list[str]]] = {place: {} for place in names}
        for place, stated in names.items():
            for name in stated:
                by_stem[place].setdefault(_stem_parts(name)[-1], []).append(name)
        return cls(truth, files, by_stem)

    def image_of(self, label_path: str) -> Image:
        """The image of a label file. Its size is the ground truth's, else the image's own, else 0.

        The truth's comes first: shares of a size are right for an image that was made smaller, too.
        """
        stem = PurePosixPath(label_path).stem
        of_truth, own, listed = (
            best_fitting(label_path, self.by_stem[place].get(stem, ())) for place in ("truth", "files", "lists")
        )
        known = self.truth.get(of_truth, Image(""))
        size: tuple[float, float] | None = (known.width, known.height) if known.width and known.height else None
        if size is None and own and self.files is not None:
            size = image_size(self.files.by_path[own].read())
        return Image(of_truth or own or listed or stem, *(size or (0, 0)))


def best_fitting(label_path: str, images: Sequence[str]) -> str:
    """The image whose path ends most like the label file's, with images for labels; blank when two fit as well.

    >>> best_fitting("a/labels/train/1.txt", ["a/images/train/1.jpg", "a/images/val/1.jpg"])
    'a/images/train/1.jpg'
    """
    beside = PurePosixPath(label_path).with_suffix("").parts
    instead = tuple("images" if part.lower() == "labels" else part for part in beside)
    fits: dict[str, int] = {}
    for image in images:
        own = _stem_parts(image)
        for parts in (beside, instead):
            pairs = zip(reversed(own), reversed(parts), strict=False)
            alike = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(own), len(parts)))
            fits[image] = max(fits.get(image, 0), alike)
    most = max(fits.values(), default=0)
    best = [image for image, fit in fits.items() if fit == most]
    return best[0] if len(best) == 1 else ""


def _stem_parts(name: str) -> tuple[str, ...]:
    return PurePosixPath(name.replace("\\", "/") or ".").with_suffix("").parts if plain_name(name) else ("",)
