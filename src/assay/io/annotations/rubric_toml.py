"""Rules for scoring annotations <-> TOML that people edit; every mistake of a file is reported at once."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from assay.annotations.rubric import rubric as rules
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import CHOICES, PROFILE_SETTINGS, AttributeRule, LabelRule, Rubric
from assay.errors import InputError
from assay.io.toml_text import parse_toml

Path = tuple[str, ...]

NUMBERS = ("beta", "near_miss", "similarity_floor", "crowd_share")
RARE_NUMBERS = (
    *("miss_cost", "extra_cost", "duplicate_cost", "known_wrong_credit", "full_overlap", "smallest", "pass_mark"),
)
RARE_LISTS = ("label_credits", "ignore_where")
"""Settings that are written only where they say something else than the profile."""
SWITCHES = ("across_families", "key_anywhere", "separators_alike", "count_empty_images")
TABLES = ("weights", "thresholds", "sigmas", "labels")
TOP = ("profile", "only_labels", "match_key", *NUMBERS, *RARE_NUMBERS, *RARE_LISTS, *CHOICES, *SWITCHES, *TABLES)
LABEL_NUMBERS = ("weight", "miss_cost", "extra_cost")
LABEL_KEYS = ("least", *LABEL_NUMBERS, "attributes")
ATTRIBUTE_KEYS = ("compare", "tolerance", "weight", "values")
LARGEST = 1e300
"""Whole numbers beyond are none that a setting can have."""

COMMENTS: Mapping[str, str] = {
    "profile": f"What the rules begin as: {', '.join(PROFILE_SETTINGS)}. What is not stated is as in the profile.",
    "only_labels": 'The labels that count, such as ["car", "bus"]; with none named, all do.',
    "match_key": "The attribute that names an object within its image. Leave it out if there is none.",
    "beta": "Below 1, extra annotations cost more than missed objects.",
    "near_miss": "From this similarity up to the threshold, a missed object is reported as a near miss.",
    "miss_cost": "What a missed object costs, relative to what beta says; 0 is nothing.",
    "extra_cost": "What an extra annotation costs, relative to what beta says; 0 is nothing.",
    "duplicate_cost": "What a second annotation of a matched object costs, relative to another extra.",
    "known_wrong_credit": 'Credit for a wrong class label, 0 to 1, where known_wrong_label = "zero".',
    "full_overlap": "From this overlap on, localization earns full credit.",
    "smallest": "Objects whose longer side has fewer pixels than this are not scored.",
    "pass_mark": "The score from which a submission passes.",
    "label_credits": 'Credit, 0 to 1, for confusing two classes, such as [["car", "truck", 0.5]].',
    "ignore_where": 'Objects with such a value are not scored, such as [["occluded", "true"]].',
    "similarity_floor": "Likeness of two texts below this counts as 0.",
    "crowd_share": "An unmatched annotation with this share inside a crowd region is not an extra.",
    "label_mode": "Labels in matching: ignore, tiebreak, prefer (same label first), require (same label only).",
    "known_wrong_label": "Credit for a wrong class label: similarity (text similarity) or zero.",
    "no_attributes": "An object without attributes: full (credit for them) or renormalise (other parts count more).",
    "missing_images": "Objects on images the submission does not list: missed or skip.",
    "extra_images": "Annotations on images the ground truth does not list: extra or ignore.",
    "resized_images": "Images of another size than in the ground truth: error or scale.",
    "unsupported_attributes": "Attributes that a submission's format cannot hold, as YOLO's: skip or wrong.",
    "box_files": "Boxes alone, where the ground truth has outlines alone: compared with their boxes, or outlines.",
    "across_families": "Whether a box may match a polygon of the same object.",
    "key_anywhere": "Whether annotations with the same key match even where they do not overlap.",
    "separators_alike": 'Whether "traffic_light", "traffic-light" and "traffic light" are the same.',
    "count_empty_images": "Whether an image rightly left empty counts as something found.",
    "weights": "What counts how much, in any unit: the first three are divided by their sum, and so are the last two.",
    "thresholds": "The least overlap of a pair (keypoint similarity for skeletons), by kind of shape, 0 to 1.",
    "sigmas": "Spread of keypoints by name, beside the defaults.",
    "labels": "Labels with the attributes that are scored, and how each is compared:\n"
    '# "text" by text similarity, "exact", "boolean" or "number";\n'
    '# or { compare = "number", tolerance = 2, weight = 1 }. `least` is a label\'s own threshold.',
}


# ---- writing -------------------------------------------------------------------------------------------------------
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def rubric_toml(rubric: Rubric) -> str:
    """The rules as TOML, with a comment on every setting and the rules in words on top."""
    words = ("Rules for scoring annotations.", "", *pseudocode(rubric).splitlines())
    # a comment may hold no control characters, which the names of labels and attributes may
    lines = ["# " + "".join(letter if letter.isprintable() else " " for letter in line) for line in words]
    lines = [line.rstrip() for line in lines]
    lines.append("")
    for name in ("profile", "only_labels", "match_key", *NUMBERS, *CHOICES, *SWITCHES):
        if (value := getattr(rubric, name)) is not None:
            lines += [f"# {COMMENTS[name]}", f"{name} = {_value(value)}"]
    base = rules.profile(rubric.profile)
    for name in (*RARE_NUMBERS, *RARE_LISTS):
        value = getattr(rubric, name)
        if value != getattr(base, name):
            lines += [f"# {COMMENTS[name]}", f"{name} = {_rows(value) if name in RARE_LISTS else _value(value)}"]
    for name, group in (("weights", rubric.weights), ("thresholds", rubric.thresholds)):
        lines += ["", f"# {COMMENTS[name]}", f"[{name}]"]
        lines += [f"{f.name} = {_value(getattr(group, f.name))}" for f in fields(group)]
    if rubric.sigmas:
        lines += ["", f"# {COMMENTS['sigmas']}", "[sigmas]"]
        lines += [f"{_text(name)} = {_value(sigma)}" for name, sigma in rubric.sigmas.items()]
    lines += ["", f"# {COMMENTS['labels']}", "[labels]"]
    for rule in rubric.labels:
        lines += ["", f"[labels.{_text(rule.name)}]"]
        if rule.least is not None:
            lines.append(f"least = {_value(rule.least)}")
        lines += [f"{n} = {_value(getattr(rule, n))}" for n in LABEL_NUMBERS if getattr(rule, n) != 1]
        lines += [f"attributes.{_text(a.name)} = {_attribute(a)}" for a in rule.attributes]
    return "\n".join(lines) + "\n"


def _attribute(rule: AttributeRule) -> str:
    stated: dict[str, Any] = {"compare": rule.comparator, "tolerance": rule.tolerance or None}
    stated |= {"weight": rule.weight if rule.weight != 1 else None, "values": rule.values or None}
    parts = {name: _value(value) for name, value in stated.items() if value is not None}
    if len(parts) == 1:
        return parts["compare"]
    return "{ " + ", ".join(f"{name} = {value}" for name, value in parts.items()) + " }"


def _rows(rows: tuple[tuple[str | float, ...], ...]) -> str:
    return "[" + ", ".join("[" + ", ".join(map(_value, row)) + "]" for row in rows) + "]"


def _text(text: str) -> str:
    escaped = "".join(
        _ESCAPES.get(letter, f"\\u{ord(letter):04x}" if ord(letter) < 32 or ord(letter) == 127 else letter)
        for letter in text
    )
    return f'"{escaped}"'


def _value(value: float | bool | str | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


# ---- reading -------------------------------------------------------------------------------------------------------


def read_rubric(text: str, *, source: str = "rules.toml") -> Rubric:
    """The rules of a TOML text; settings it does not state are those of its profile."""
    content = parse_toml(text, source=source, field="rules", remedy='Text needs quotes, as in label_mode = "prefer".')
    reader = _Reader(_line_numbers(text))
    rubric = reader.rubric(content)
    if reader.mistakes or rubric is None:
        shown = "\n".join(f"  {mistake}" for mistake in reader.mistakes)
        count = len(reader.mistakes)
        raise InputError(f"{count} mistake{'' if count == 1 else 's'}:\n{shown}", source=source, field="rules")
    return rubric


class _Reader:
    """Turns the content of a file into a rubric and gathers what is wrong with it."""

    def __init__(self, lines: Mapping[Path, int]) -> None:
        self.lines = lines
        self.mistakes: list[str] = []

    def wrong(self, path: Path, what: str) -> None:
        line = self.lines.get(path)
        where = f"line {line}, " if line else ""
        self.mistakes.append(f"{where}{'.'.join(path)}: {what}")

    def known(self, content: Mapping[str, Any], path: Path, names: tuple[str, ...]) -> Iterator[str]:
        """The keys that mean something; the others are reported with the nearest that do."""
        for name in content:
            if name in names:
                yield name
            else:
                near = get_close_matches(name, names, n=2, cutoff=0.5)
                hint = f"Did you mean {' or '.join(near)}?" if near else f"Possible are: {', '.join(names)}."
                self.wrong((*path, name), f"there is no such setting. {hint}")

    def rubric(self, content: Mapping[str, Any]) -> Rubric | None:
        base = self.base(content)
        read: dict[str, Callable[[Any, Path], Any]] = {
            **dict.fromkeys((*NUMBERS, *RARE_NUMBERS), self.number),
            "label_credits": lambda value, path: self.rows(value, path, (str, str, float)),
            "ignore_where": lambda value, path: self.rows(value, path, (str, str)),
            **dict.fromkeys(SWITCHES, self.switch),
            **dict.fromkeys(CHOICES, lambda value, path: self.one_of(value, path, CHOICES[path[0]])),
            "only_labels": self.texts,
            "match_key": self.text,
            "sigmas": self.numbers,
            "labels": self.labels,
            "weights": lambda value, path: self.group(value, path, base.weights),
            "thresholds": lambda value, path: self.group(value, path, base.thresholds),
        }
        changes: dict[str, Any] = {}
        for name in self.known(content, (), TOP):
            if name != "profile":
                value = read[name](content[name], (name,))
                changes |= {} if value is None else {name: value}
        if not self.mistakes:  # those between settings are found by the rubric itself
            draft = object.__new__(Rubric)
            for f in fields(Rubric):
                object.__setattr__(draft, f.name, changes.get(f.name, getattr(base, f.name)))
            self.mistakes += rules.rubric_mistakes(draft)
        return None if self.mistakes else replace(base, **changes)

    def base(self, content: Mapping[str, Any]) -> Rubric:
        name = content.get("profile", "annotator-ai-1.0")
        if isinstance(name, str) and rules.NEWEST.get(name, name) in PROFILE_SETTINGS:
            return rules.profile(name)
        near = get_close_matches(str(name), [*PROFILE_SETTINGS, *rules.NEWEST], n=1, cutoff=0.3)
        hint = f"Did you mean {near[0]!r}?" if near else f"Choose one of {', '.join(PROFILE_SETTINGS)}."
        self.wrong(("profile",), f"there is no profile {name!r}. {hint}")
        return Rubric()

    def checked(self, value: Any, path: Path, fits: bool, what: str) -> Any:
        """The value, None when it does not fit."""
        if not fits:
            self.wrong(path, f"{value!r} is not {what}")
        return value if fits else None

    def number(self, value: Any, path: Path) -> float | None:
        fits = isinstance(value, float) or (type(value) is int and abs(value) <= LARGEST)
        return None if self.checked(value, path, fits, "a number.") is None else float(value)

    def switch(self, value: Any, path: Path) -> Any:
        return self.checked(value, path, isinstance(value, bool), "true or false (without quotes).")

    def text(self, value: Any, path: Path) -> Any:
        fits = isinstance(value, str) and bool(value.strip())
        return self.checked(value, path, fits, "a text. Leave the line out if there is none.")

    def texts(self, value: Any, path: Path) -> tuple[str, ...] | None:
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        texts = self.checked(value, path, fits, 'a list of texts, such as ["red", "blue"].')
        return None if texts is None else tuple(texts)

    def rows(self, value: Any, path: Path, kinds: tuple[type, ...]) -> tuple[tuple[Any, ...], ...] | None:
        """Lists of one shape within a list."""

        def fits(row: Any) -> bool:
            if not isinstance(row, list) or len(row) != len(kinds):
                return False
            return all(isinstance(v, str) if k is str else type(v) in (int, float) for v, k in zip(row, kinds))  # noqa: B905 - of one length

        good = isinstance(value, list) and all(map(fits, value))
        checked = self.checked(value, path, good, f"a list such as {COMMENTS[path[0]].rsplit('such as ', 1)[1]}")
        return None if checked is None else tuple(tuple(k(v) for v, k in zip(row, kinds, strict=True)) for row in value)

    def one_of(self, value: Any, path: Path, words: tuple[str, ...]) -> str | None:
        if value in words:
            return str(value)
        near = get_close_matches(str(value), words, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}?" if near else f"Choose one of {', '.join(words)}."
        self.wrong(path, f"{value!r} is not possible. {hint}")
        return None

    def table(self, value: Any, path: Path) -> Mapping[str, Any]:
        where = f"a table: write [{'.'.join(path)}] and the settings below it."
        return self.checked(value, path, isinstance(value, dict), where) or {}

    def numbers(self, value: Any, path: Path) -> dict[str, float]:
        numbers = {name: self.number(item, (*path, name)) for name, item in self.table(value, path).items()}
        return {name: number for name, number in numbers.items() if number is not None}

    def group(self, value: Any, path: Path, base: rules.Weights | rules.Thresholds) -> rules.Weights | rules.Thresholds:
        content = self.table(value, path)
        known = self.known(content, path, tuple(f.name for f in fields(base)))
        numbers = {name: self.number(content[name], (*path, name)) for name in known}
        changes: dict[str, Any] = {name: number for name, number in numbers.items() if number is not None}
        return replace(base, **changes)

    def labels(self, value: Any, path: Path) -> tuple[LabelRule, ...]:
        label_rules = []
        for name, item in self.table(value, path).items():
            at = (*path, name)
            content = self.table(item, at)
            known = set(self.known(content, at, LABEL_KEYS))
            least = self.number(content["least"], (*at, "least")) if "least" in known else None
            own = {n: self.number(content[n], (*at, n)) for n in LABEL_NUMBERS if n in known}
            costs: dict[str, Any] = {n: cost for n, cost in own.items() if cost is not None}
            inside = (*at, "attributes")
            listed = self.table(content["attributes"], inside) if "attributes" in known else {}
            attributes = tuple(self.attribute(key, stated, (*inside, key)) for key, stated in listed.items())
            label_rules.append(LabelRule(name, attributes, least, **costs))
        return tuple(label_rules)

    def attribute(self, name: str, value: Any, path: Path) -> AttributeRule:
        if not isinstance(value, dict):
            value = {"compare": value}
        known = set(self.known(value, path, ATTRIBUTE_KEYS))
        compare = self.one_of(value["compare"], path, rules.COMPARATORS) if "compare" in known else "text"
        changes: dict[str, Any] = {"comparator": compare or "text"}
        for key in ("tolerance", "weight"):
            if key in known:
                changes[key] = self.number(value[key], (*path, key))
        if "values" in known:
            changes["values"] = self.texts(value["values"], (*path, "values"))
        return replace(AttributeRule(name), **{key: item for key, item in changes.items() if item is not None})


def _line_numbers(text: str) -> dict[Path, int]:
    """The line of every table and key, as far as they begin a line; for messages only."""
    numbers: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = _key_path(stripped, is_table=True) or table
            numbers.setdefault(table, number)
        elif "=" in stripped and not stripped.startswith("#"):
            path = _key_path(stripped, is_table=False)
            if path:
                numbers.setdefault((*table, *path), number)
    return numbers


def _key_path(line: str, *, is_table: bool) -> Path:
    """The names a header or a line begins with; empty when the line is no statement by itself."""
    try:
        content: Any = tomllib.loads(line)
    except (ValueError, RecursionError):
        return ()
    path: list[str] = []
    while isinstance(content, dict) and len(content) == 1:
        name, content = next(iter(content.items()))
        path.append(name)
        if not is_table and not isinstance(content, dict):
            break
    return tuple(path)
