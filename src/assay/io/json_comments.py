"""JSON as people write it by hand: with comments."""

import json
import re
from pathlib import Path
from typing import Any

from assay.errors import InputError

# a text is matched first, so that slashes inside it are left alone
_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)


def without_comments(text: str) -> str:
    """The text with // and /* */ comments blanked out; line numbers stay as they are.

    >>> without_comments('{"a": "b//c"} // d')
    '{"a": "b//c"}     '
    """
    return _TEXT_OR_COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\r\n]", " ", m[0]), text)


def read_json_object(path: Path) -> dict[str, Any]:
    """The one object in a JSON file that may hold comments; InputError names the line of a mistake."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("it does not exist", source=path, remedy="Check the name and the folder.") from None
    except (OSError, UnicodeDecodeError) as problem:
        what = f"it cannot be read as a text file: {problem}"
        raise InputError(what, source=path, remedy="Save it as text in UTF-8.") from problem
    try:
        content = json.loads(without_comments(text), object_pairs_hook=_once_each)
    except json.JSONDecodeError as problem:
        what = f"{problem.msg} (column {problem.colno})"
        remedy = "Check that every line but the last ends with a comma and that all quotes match."
        raise InputError(what, source=path.name, row=problem.lineno, remedy=remedy) from problem
    except _Repeated as problem:
        raise InputError(f"it sets {problem} more than once", source=path.name, remedy="Keep one of them.") from problem
    if not isinstance(content, dict):
        raise InputError("it holds no object", source=path.name, remedy="Write all options between { and }.")
    return content


class _Repeated(ValueError):
    pass


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(", ".join(sorted({repr(name) for name in names if names.count(name) > 1})))
    return content
