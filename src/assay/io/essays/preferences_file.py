"""A teacher's preferences as a TOML file: words to accept, rules that are off, a level, notes that were dismissed."""

import json
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.essays.feedback.levels import level_named
from assay.essays.feedback.preferences import CoursePreferences, Dismissed
from assay.execution.limits import check
from assay.io.tables.output import write_whole
from assay.io.toml_text import parse_toml

KEYS = ("accept", "off", "level", "dismissed")
REMEDY = 'Write, for example: accept = ["Wakanda"], off = ["repetition"], level = "grade6".'


def read_preferences(path: Path) -> CoursePreferences:
    """What the file holds; InputError says what is wrong in it, and where."""
    try:
        check("toml_bytes", path.stat().st_size, path)
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        what = f"cannot be read: {problem.strerror}"
        raise InputError(what, source=path, field="preferences", remedy="Check the name.") from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", source=path, field="preferences", remedy="Save it as UTF-8.") from None
    content = parse_toml(text, source=path, field="preferences", remedy=REMEDY)
    if unknown := [key for key in content if key not in KEYS]:
        what = f"unknown key {unknown[0]!r}; there are: {', '.join(KEYS)}"
        raise InputError(what, source=path, field="preferences", remedy=REMEDY)
    try:
        return _preferences(content)
    except InputError as problem:
        raise problem.at(path, field="preferences") from None


def _preferences(content: dict[str, Any]) -> CoursePreferences:
    accept, off = (_texts(content.get(key, []), key) for key in ("accept", "off"))
    rows = content.get("dismissed", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("'dismissed' is no list of tables", remedy="Write each under a heading [[dismissed]].")
    pairs = [_texts([row.get("type"), row.get("words")], "dismissed") for row in rows]
    level = content.get("level")
    return CoursePreferences(
        accept, off, tuple(Dismissed(*pair) for pair in pairs), None if level is None else level_named(str(level))
    )


def _texts(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{key!r} holds something else than texts", remedy=REMEDY)
    return tuple(value)


def write_preferences(preferences: CoursePreferences, path: Path) -> None:
    """The file, complete or not at all; comments of an earlier one are not carried over."""

    def texts(values: tuple[str, ...]) -> str:
        return f"[{', '.join(_quoted(value) for value in values)}]"

    lines = [f"accept = {texts(preferences.accept)}", f"off = {texts(preferences.off)}"]
    lines += [f'level = "{preferences.level}"'] if preferences.level else []
    for one in preferences.dismissed:
        lines += ["", "[[dismissed]]", f"type = {_quoted(one.type)}", f"words = {_quoted(one.words)}"]
    write_whole(path, ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _quoted(text: str) -> str:
    """A text as TOML writes it: as JSON does, but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
