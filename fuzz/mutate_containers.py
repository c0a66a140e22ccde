"""XML and archives made hostile: what holds other things is changed together with them."""

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from fuzz.hostile import DEEP, XML_TEXTS
from fuzz.mutate import Mutator, damage, or_damage

# ---- XML -----------------------------------------------------------------------------------------------------------

ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')
BETWEEN = re.compile(rb">([^<>]+)<")
ELEMENT = re.compile(rb"<(\w+)(?:\s[^<>]*)?(?:/>|>[^<]*</\1>)")
WHOLE = re.compile(rb"<(\w+)(?:\s[^<>]*)?>.*?</\1>", re.DOTALL)
HEADS = (
    b'<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]>',
    b'<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    b'<?xml version="1.0" encoding="utf-16"?>',
    b'<?xml version="1.0" encoding="latin-1"?>',
    b'<?xml version="1.0" encoding="no-such"?>',
    b"<!-- -->",
    b"\xef\xbb\xbf",
)


@or_damage
def mutate_xml(content: bytes, rng: Random) -> bytes:
    """Attributes and texts replaced, elements deleted, doubled and moved, entities and encodings declared."""
    for _ in range(1 + int(rng.expovariate(0.8))):
        content = _change_xml(content, rng)
    return content


def _change_xml(content: bytes, rng: Random) -> bytes:
    draw = rng.random()
    if draw < 0.04:
        return rng.choice(HEADS) + content
    if draw < 0.05:
        return content.replace(b">", b">" + b"<a>" * DEEP, 1)
    pattern = ATTRIBUTE if draw < 0.45 else BETWEEN if draw < 0.7 else ELEMENT if draw < 0.9 else WHOLE
    matches = list(pattern.finditer(content))
    if not matches:
        return damage(content, rng)
    match = rng.choice(matches)
    start, end = match.span()
    if pattern in (ELEMENT, WHOLE):
        return _moved(content, match, rng)
    start, end = match.span(2 if pattern is ATTRIBUTE else 1)
    draw = rng.random()
    if pattern is ATTRIBUTE and draw < 0.2:
        return content[: match.start()] + content[match.end() :]
    if draw < 0.4:
        other = rng.choice(matches)
        return content[:start] + other[2 if pattern is ATTRIBUTE else 1] + content[end:]
    if draw < 0.5:
        return content[:start] + damage(content[start:end], rng) + content[end:]
    return content[:start] + rng.choice(XML_TEXTS).encode() + content[end:]


def _moved(content: bytes, match: re.Match[bytes], rng: Random) -> bytes:
    start, end = match.span()
    match rng.randrange(4):
        case 0:
            return content[:start] + content[end:]
        case 1:
            return content[:end] + content[start:end] * rng.choice((1, 1, 30)) + content[end:]
        case 2:
            return content[:start] + re.sub(rb"^<\w+|\w+>$", b"<other", content[start:end]) + content[end:]
    at = content.find(b">", rng.randrange(len(content) + 1)) + 1
    return content[:at] + content[start:end] + content[at:]


# ---- ZIP -----------------------------------------------------------------------------------------------------------

MEMBER_NAMES = (
    *("../a.json", "/etc/a.xml", "a/../../b.json", "C:\\a.xml", "a\\b.json", "", "/", ".", "..", "__MACOSX/a.json"),
    *("x" * 300 + ".json", "a/" * 200 + "b.xml", "é.json", "\u202ea.json", "a\x00b.json", "a\x1bb.json", "a.zip"),
)


def mutate_zip(members: Mapping[str, Mutator]) -> Mutator:
    """A mutator of archives: members changed by their ending, renamed, left out, doubled, packed into one another."""

    def mutate(content: bytes, rng: Random) -> bytes:
        files = _unzipped(content)
        if not files or rng.random() < 0.15:
            return damage(content, rng)
        for _ in range(1 + int(rng.expovariate(1.2))):
            files = _change_members(files, members, rng)
        packed = _zipped(files, rng)
        if rng.random() < 0.03:
            for _ in range(rng.choice((1, 2, 6, 30))):
                packed = _zipped([(rng.choice(("inner.zip", "a.ZIP", "b.json")), packed)], rng)
        return damage(packed, rng) if rng.random() < 0.05 else packed

    return mutate


@lru_cache(maxsize=128)
def _unzipped(content: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [(info.filename, archive.read(info)) for info in archive.infolist()[:50] if info.file_size < 1 << 20]
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error, EOFError):
        return []


def _change_members(
    files: list[tuple[str, bytes]], members: Mapping[str, Mutator], rng: Random
) -> list[tuple[str, bytes]]:
    if not files:
        return [(rng.choice(MEMBER_NAMES), b"")]
    at = rng.randrange(len(files))
    name, content = files[at]
    match rng.randrange(12):
        case 0:
            return [*files[:at], *files[at + 1 :]]
        case 1:
            return [*files, files[at]]
        case 2:
            return [*files[:at], (rng.choice(MEMBER_NAMES), content), *files[at + 1 :]]
        case 3:
            return [*files, (rng.choice(MEMBER_NAMES), rng.choice((b"", content, b"\0" * 70_000, b"{}", b"<a/>")))]
        case 4:
            return [*files[:at], (name, files[rng.randrange(len(files))][1]), *files[at + 1 :]]
    mutator = members.get(name.rpartition(".")[2].lower(), damage)
    return [*files[:at], (name, mutator(content, rng)), *files[at + 1 :]]


def _zipped(files: Sequence[tuple[str, bytes]], rng: Random) -> bytes:
    target = io.BytesIO()
    packing = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", packing) as archive:
        warnings.simplefilter("ignore")  # the same name twice is meant
        for name, content in files:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode()[:60_000])
            info.compress_type = packing
            if rng.random() < 0.01:
                info.external_attr = 0o120777 << 16  # a link
            archive.writestr(info, content)
    return target.getvalue()
