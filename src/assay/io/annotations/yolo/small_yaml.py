"""The YAML of data sets (data.yaml): keys, texts, numbers, and lists and mappings of them, in lines or in brackets.

No more of YAML than that is read, and of a file only the keys that are asked for: what stands under others, such as the
programs that Ultralytics puts under `download`, is passed over.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from assay.errors import InputError

DEEPEST = 8
LONGEST = 1 << 20
TOKEN = re.compile(
    r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\[\]{},]|:(?=\s|$)|[^\[\]{},:'"\s](?:[^\[\]{},:]|:(?!\s))*)"""
)

TOP_KEY = re.compile(r"""(?:['"]([^'"]+)['"]|([^\s#'"\[\]{},:%-][^:'"]*?))\s*:(?:\s|$)""")
TAG = re.compile(r"^([^:]+:\s*)[!&][^\s\[{'\"]*")

Line = tuple[int, str]


def read_small_yaml(text: str, source: str, keys: frozenset[str] | None = None) -> dict[str, Any]:
    """The top mapping, all of it or some keys. Whole numbers become int, all else stays text.

    InputError when it is not understood.

    >>> read_small_yaml("names:\\n  0: cat  # a pet\\n  1: 'big dog'\\nkpt_shape: [17, 3]", "data.yaml")
    {'names': {'0': 'cat', '1': 'big dog'}, 'kpt_shape': [17, 3]}
    """
    if len(text) > LONGEST:
        raise InputError(f"{source} has {len(text):,} letters; a data set is described in fewer than {LONGEST:,}.")
    text = text if keys is None else _only(text, keys)
    lines = _joined([line for raw in text.expandtabs().splitlines() if (line := _line(raw))[1]], source)
    found, at = _block(lines, 0, source, 0)
    if at < len(lines) or not isinstance(found, dict):
        shown = lines[min(at, len(lines) - 1)][1][:40] if lines else ""
        raise InputError(f"{source} cannot be understood as YAML at {shown!r}. Write 'names: [first, second]'.")
    return found


def _only(text: str, keys: frozenset[str]) -> str:
    """The lines of some top keys; a tag or an anchor before their value is dropped.

    >>> _only("download: |\\n  x: y\\nnames: !!seq\\n- a\\n", frozenset({"names"}))
    'names: \\n- a'
    """
    found: list[str] = []
    wanted = False
    for line in text.splitlines():
        top = TOP_KEY.match(line)
        if top or line.startswith(("---", "...", "%")):
            wanted = top is not None and (top[1] or top[2]) in keys
        if wanted:
            found.append(TAG.sub(r"\1", line) if top else line)
    return "\n".join(found)


def _line(raw: str) -> Line:
    """Indent and text without comment."""
    comment = next((i for i, letter in _bare(raw) if letter == "#" and (i == 0 or raw[i - 1] == " ")), len(raw))
    text = raw[:comment]
    return len(text) - len(text.lstrip()), "" if text.strip() == "---" else text.strip()


def _bare(text: str) -> Iterator[tuple[int, str]]:
    """The letters that are in no quotes, with their places; a quote within a word opens none."""
    quote = ""
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and (i == 0 or text[i - 1] in " [{,:"):
            quote = letter
        else:
            yield i, letter


def _joined(lines: Sequence[Line], source: str) -> list[Line]:
    """Lines such that brackets that open close within one."""
    found: list[tuple[int, list[str]]] = []
    is_open = 0
    for indent, text in lines:
        if is_open > 0:
            found[-1][1].append(text)
        else:
            found.append((indent, [text]))
        is_open += sum((letter in "[{") - (letter in "]}") for _, letter in _bare(text))
    if is_open > 0:
        raise InputError(f"{source}: a bracket opens and does not close.")
    return [(indent, " ".join(texts)) for indent, texts in found]


def _key_and_value(text: str) -> tuple[str, str] | None:
    """What stands before and after the first colon that ends a key; None when there is none."""
    if text[0] in "[{":
        return None
    colon = next((i for i, letter in _bare(text) if letter == ":" and text[i + 1 : i + 2] in {"", " "}), -1)
    return (_scalar_text(text[:colon].strip()), text[colon + 1 :].strip()) if colon > 0 else None


def _block(lines: list[Line], at: int, source: str, depth: int) -> tuple[Any, int]:
    """The list or mapping that begins at a line, and the line after it."""
    if depth > DEEPEST:
        raise InputError(f"{source}: lists or mappings are nested too deeply.")
    if at >= len(lines):
        return {}, at
    indent = lines[at][0]
    entries: list[Any] = []
    mapping: dict[str, Any] = {}
    while at < len(lines) and lines[at][0] == indent:
        text = lines[at][1]
        at += 1
        if text.startswith("- "):
            entries.append(_value(text[2:].strip(), source))
        elif pair := _key_and_value(text):
            key, value = pair
            below = at < len(lines) and (lines[at][0] > indent or (lines[at][0] == indent and lines[at][1][:2] == "- "))
            if not value and below:
                mapping[key], at = _below(lines, at, source, depth)
            else:
                mapping[key] = _value(value, source)
        else:
            return (entries or mapping), at - 1
    return (entries or mapping), at


def _below(lines: list[Line], at: int, source: str, depth: int) -> tuple[Any, int]:
    """What belongs to a key: a list may stand at the indent of the key itself, but ends at the next key."""
    if not lines[at][1].startswith("- "):
        return _block(lines, at, source, depth + 1)
    indent, end = lines[at][0], at
    while end < len(lines) and lines[end][0] == indent and lines[end][1].startswith("- "):
        end += 1
    return [_value(text[2:].strip(), source) for _, text in lines[at:end]], end


def _value(text: str, source: str) -> Any:
    if text[:1] not in {"[", "{"}:
        return _scalar(text)
    tokens = TOKEN.findall(text)
    found, rest = _flow(tokens, 0, source, 0)
    if rest != len(tokens):
        raise InputError(f"{source}: {text[:40]!r} cannot be understood as YAML.")
    return found


def _flow(tokens: list[str], at: int, source: str, depth: int) -> tuple[Any, int]:
    """A value in brackets."""
    if depth > DEEPEST or at >= len(tokens):
        raise InputError(f"{source}: a bracket does not close, or brackets are nested too deeply.")
    if tokens[at] not in {"[", "{"}:
        return _scalar(tokens[at].strip()), at + 1
    close = "]" if tokens[at] == "[" else "}"
    items: list[Any] = []
    pairs: dict[str, Any] = {}
    at += 1
    while at < len(tokens) and tokens[at] != close:
        item, after = _flow(tokens, at, source, depth + 1)
        if close == "}" and after < len(tokens) and tokens[after] == ":":
            pairs[str(item)], after = _flow(tokens, after + 1, source, depth + 1)
        else:
            items.append(item)
        at = after + (after < len(tokens) and tokens[after] == ",")
    if at >= len(tokens):
        raise InputError(f"{source}: a bracket opens and does not close.")
    return (pairs if close == "}" else items), at + 1


def _scalar(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else _scalar_text(text)


def _scalar_text(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1].replace('\\"', '"')
    return text
