"""Files made hostile: a seed and a random generator in, other bytes out.

Each mutator knows the structure of its format, so that most of what it makes gets past the first check of a reader;
one input in six is damaged without regard to structure. The same seed and generator give the same bytes.
"""

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from fuzz.hostile import HOSTILE_NUMBERS, HOSTILE_TEXTS, JSON_VALUES, SURROGATES, TOML_VALUES, YAML_VALUES

Mutator = Callable[[bytes, Random], bytes]

MOST_BYTES = 200_000
"""Larger inputs are cut: size is bounded by the readers' limits, which have tests of their own."""
INTERESTING = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1)


def damage(content: bytes, rng: Random) -> bytes:
    """The bytes flipped, cut, doubled or put elsewhere, without regard to what they mean."""
    data = bytearray(content or b"\0")
    for _ in range(1 + int(rng.expovariate(0.7))):
        at = rng.randrange(len(data) or 1)
        match rng.randrange(8):
            case 0:
                data[at : at + 1] = bytes([(data[at] if data else 0) ^ 1 << rng.randrange(8)])
            case 1:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 2:
                data = data[:at]
            case 3:
                del data[at : at + 1 + int(rng.expovariate(0.1))]
            case 4:
                data[at:at] = rng.randbytes(1 + int(rng.expovariate(0.3)))
            case 5:
                end = at + 1 + int(rng.expovariate(0.05))
                data[at:at] = data[at:end] * rng.choice((1, 2, 20))
            case 6:
                number, size = rng.choice(INTERESTING), rng.choice((1, 2, 4))
                data[at : at + size] = (number % 256**size).to_bytes(size, rng.choice(("little", "big")))
            case _:
                start = rng.randrange(len(data) or 1)
                data[at:at] = data[start : start + 1 + int(rng.expovariate(0.05))]
    return bytes(data[:MOST_BYTES])


def or_damage(mutate: Mutator) -> Mutator:
    """Mostly the mutator that knows the format, alone or twice; sometimes only damage, or damage after it."""

    def either(content: bytes, rng: Random) -> bytes:
        draw = rng.random()
        if draw < 0.1:
            return damage(content, rng)
        hostile = mutate(content, rng)
        if draw > 0.7:
            hostile = mutate(hostile, rng)
        hostile = damage(hostile, rng) if draw > 0.94 else hostile
        return hostile[:MOST_BYTES] if len(hostile) > MOST_BYTES else hostile

    return either


# ---- JSON ----------------------------------------------------------------------------------------------------------

Place = tuple[Any, Any]
"""A list or mapping, and the index or key in it."""


def _places(tree: Any) -> list[Place]:
    places: list[Place] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        items = enumerate(node) if isinstance(node, list) else node.items() if isinstance(node, dict) else ()
        for key, value in items:
            places.append((node, key))
            pending.append(value)
    return places


@lru_cache(maxsize=512)
def _parsed(content: bytes) -> str | None:
    """The same JSON as short text; None when it is none, or too deep to be looked through."""
    try:
        return json.dumps(json.loads(content))
    except (ValueError, RecursionError):
        return None


RAW = re.compile(r'"@(\d+)@"')


@or_damage
def mutate_json(content: bytes, rng: Random) -> bytes:
    """Values replaced, nodes deleted, doubled, moved, swapped, keys renamed or said twice."""
    text = _parsed(content)
    if text is None:
        return damage(content, rng)
    tree, raw = json.loads(text), list[str]()
    for _ in range(1 + int(rng.expovariate(0.8))):
        _change_tree(tree, rng, raw)
    if rng.random() < 0.01:
        tree = rng.choice(([tree], {"a": tree}, [tree, tree]))
    out = json.dumps(tree, ensure_ascii=rng.random() < 0.5, indent=None if rng.random() < 0.8 else 1)
    out = RAW.sub(lambda match: raw[int(match[1])] if int(match[1]) < len(raw) else match[0], out)
    encoding = "utf-8" if rng.random() < 0.97 else rng.choice(("utf-16", "utf-8-sig", "utf-32", "latin-1"))
    return out.encode(encoding, "backslashreplace" if encoding == "latin-1" else "surrogatepass")


def _stand_in(value: str, raw: list[str]) -> str:
    """A text that stands for raw JSON until all is written."""
    raw.append(value)
    return f"@{len(raw) - 1}@"


def _change_tree(tree: Any, rng: Random, raw: list[str]) -> None:
    places = _places(tree)
    if not places:
        return
    node, key = rng.choice(places)
    other, at = rng.choice(places)
    match rng.randrange(10):
        case 0:
            del node[key]
        case 1 if isinstance(node, list):
            node[key:key] = [node[key]] * rng.choice((1, 1, 2, 50))
        case 1 | 2 if isinstance(node, dict):
            # the same key twice, the second with another value
            doubled = rng.choice((json.dumps(node[key])[:2000], rng.choice(JSON_VALUES) or "0"))
            node[_stand_in(f"{json.dumps(key)}: {doubled}, {json.dumps(key)}", raw)] = node.pop(key)
        case 3:
            node[key] = json.loads(json.dumps(other[at]))
        case 4 if isinstance(node[key], list):
            rng.shuffle(node[key])
        case 5 if isinstance(node, dict):
            node[_stand_in(rng.choice((*map(json.dumps, HOSTILE_TEXTS), *SURROGATES)), raw)] = node.pop(key)
        case 6 if isinstance(node[key], str):
            node[key] = _other_text(node[key], rng)
        case 6 | 7 if isinstance(node[key], int | float):
            node[key] = _stand_in(rng.choice(HOSTILE_NUMBERS), raw)
        case 8 if isinstance(node[key], int | float | str):
            node[key] = rng.choice(([node[key]], {"a": node[key]}, str(node[key]), [node[key]] * 3))
        case _:
            node[key] = _stand_in(rng.choice(JSON_VALUES), raw)


def _other_text(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    hostile = rng.choice(HOSTILE_TEXTS)
    return rng.choice((hostile, text[:at], text[at:], text[:at] + hostile + text[at:], text * 2, text.swapcase()))


# ---- lines: CSV, TOML, YAML, labels of YOLO ------------------------------------------------------------------------


def _change_lines(lines: list[bytes], rng: Random) -> None:
    """A line deleted, doubled, moved or put together with the next."""
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines[at:at] = [lines[at]] * rng.choice((1, 1, 40))
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at] + lines[other]
        case _:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]


def _by_line(change: Callable[[bytes, Random], bytes]) -> Mutator:
    @or_damage
    def mutate(content: bytes, rng: Random) -> bytes:
        end = rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")) if rng.random() < 0.1 else b"\n"
        lines = content.split(b"\n")
        for _ in range(1 + int(rng.expovariate(0.7))):
            if rng.random() < 0.25 and lines:
                _change_lines(lines, rng)
            elif lines:
                at = rng.randrange(len(lines))
                lines[at] = change(lines[at], rng)
        out = end.join(lines)
        if rng.random() < 0.02:
            out = out.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "utf-16-le")))
        return out

    return mutate


def _cell(line: bytes, rng: Random) -> bytes:
    separator = next((s for s in (b",", b"\t", b";", b" ") if s in line), b",")
    cells = line.split(separator)
    at = rng.randrange(len(cells))
    match rng.randrange(7):
        case 0:
            del cells[at]
        case 1:
            cells[at:at] = [cells[at]] * rng.choice((1, 1, 200))
        case 2:
            cells[at] = rng.choice((b'"', b'""', b'"a', b'a"b', b'"a,b"', b'"a\nb"', b"'", b"\0", b"\xff", b"\xc3"))
        case 3:
            separator = rng.choice((b",", b";", b"\t", b"|", b" ", b",,"))
        case 4:
            cells[at] = cells[rng.randrange(len(cells))]
        case 5:
            cells[at] = rng.choice(HOSTILE_TEXTS).encode("utf-8", "surrogatepass")
        case _:
            cells[at] = rng.choice(HOSTILE_NUMBERS).encode()
    return separator.join(cells)


def _toml_line(line: bytes, rng: Random) -> bytes:
    key, equals, value = line.partition(b"=")
    if not equals:
        return rng.choice((b"[" + line + b"]", line[:-1], line.replace(b"[", b"[["), line + b".a", b"a = 1"))
    if rng.random() < 0.2:
        return rng.choice((b"", b"a.b", b'"\\u0000"', b"'x y'", key * 2, b"a" * 400)) + equals + value
    return key + equals + b" " + rng.choice(TOML_VALUES).encode()


def _yaml_line(line: bytes, rng: Random) -> bytes:
    key, colon, _ = line.partition(b":")
    if not colon or rng.random() < 0.2:
        return rng.choice((b"  " + line, line.lstrip(), b"- " + line, line + b":", b"\t" + line, b"? " + line))
    return key + colon + b" " + rng.choice(YAML_VALUES).encode()


mutate_csv, mutate_toml, mutate_yaml = _by_line(_cell), _by_line(_toml_line), _by_line(_yaml_line)


@or_damage
def mutate_jsonl(content: bytes, rng: Random) -> bytes:
    """A table of JSON objects: one line mutated as JSON, or lines moved."""
    lines = content.split(b"\n")
    if rng.random() < 0.2:
        _change_lines(lines, rng)
    elif lines:
        at = rng.randrange(len(lines))
        lines[at] = mutate_json(lines[at], rng).replace(b"\n", b" ")
    return b"\n".join(lines)


NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


@or_damage
def mutate_numbers(content: bytes, rng: Random) -> bytes:
    """Numbers in a text replaced by others of it, by small ones next to them, or by hostile ones."""
    for _ in range(1 + int(rng.expovariate(0.8))):
        numbers = list(NUMBER.finditer(content))
        if not numbers:
            return damage(content, rng)
        start, end = rng.choice(numbers).span()
        near = str(rng.randrange(-3, 5))
        new = rng.choice((near, near, rng.choice(HOSTILE_NUMBERS), rng.choice(numbers)[0].decode(), ""))
        content = content[:start] + new.encode() + content[end:]
    return mutate_csv(content, rng) if rng.random() < 0.1 else content


def mutate_words(words: Sequence[str]) -> Mutator:
    """A mutator of short texts, such as scales, gates and instructions, by words of their language."""

    @or_damage
    def mutate(content: bytes, rng: Random) -> bytes:
        parts = re.split(r"(\W)", content.decode("utf-8", "replace"))
        for _ in range(1 + int(rng.expovariate(0.5))):
            at = rng.randrange(len(parts)) if parts else 0
            hostile = rng.choice((rng.choice(HOSTILE_TEXTS), rng.choice(HOSTILE_NUMBERS)))
            new = rng.choice(
                (rng.choice(words), rng.choice(words), hostile, "", " ", rng.choice(parts) if parts else "")
            )
            parts[at : at + rng.choice((0, 1))] = [new]
        return "".join(parts).encode("utf-8", "surrogatepass")

    return mutate
