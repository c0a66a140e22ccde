"""Models as RSMTool pickles them, made hostile: names, texts, numbers and arrays changed where they stand.

A pickle has its arrays between its instructions, so it is searched for what can be told by its first byte, not parsed.
"""

import re
import struct
from random import Random

from fuzz.hostile import HOSTILE_TEXTS
from fuzz.mutate import MOST_BYTES, or_damage

FRAME = re.compile(rb"\x95.{4}\0{4}", re.DOTALL)
"""States how long what follows is. It may be left out, and must be where lengths change."""
TEXT = re.compile(rb"\x8c([\x01-\x7f])(?=[\x20-\x7e])")
NUMBER = re.compile(rb"[GKMJ]")
SIZES = {b"G": 8, b"K": 1, b"M": 2, b"J": 4}
CONSTANT = re.compile(rb"(?<=\x94)[\x88\x89N\])}]")
CONSTANTS = (b"\x88", b"\x89", b"N", b"]", b")", b"}")
DOUBLES = (0.0, -0.0, 1.0, -1.0, 1e-308, 1e308, float("inf"), float("-inf"), float("nan"), 3.5, 1e19)
WORDS = ("numpy", "ndarray", "coef_", "intercept_", "scale", "weight", "feature", "transform", "none", "f8", "i8", "O8")


@or_damage
def mutate_pickle(content: bytes, rng: Random) -> bytes:
    """A text, a number, a constant or eight bytes of an array replaced, once or a few times."""
    content = FRAME.sub(b"", content)
    for _ in range(1 + int(rng.expovariate(1.0))):
        change = rng.choice((_change_text, _change_number, _change_number, _change_constant, _change_array))
        content = change(content, rng)
    return content[:MOST_BYTES]


def _change_text(content: bytes, rng: Random) -> bytes:
    texts = [match for match in TEXT.finditer(content) if content[match.end() :][: match[1][0]].isascii()]
    if not texts:
        return content
    match, other = rng.choice(texts), rng.choice(texts)
    known = content[other.end() :][: other[1][0]]
    text = rng.choice((known, rng.choice(WORDS).encode(), rng.choice(HOSTILE_TEXTS).encode("utf-8", "replace")[:200]))
    return content[: match.start()] + b"\x8c" + bytes([len(text)]) + text + content[match.end() + match[1][0] :]


def _change_number(content: bytes, rng: Random) -> bytes:
    numbers = list(NUMBER.finditer(content))
    if not numbers:
        return content
    match = rng.choice(numbers)
    size = SIZES[match[0]]
    new = (
        struct.pack(">d", rng.choice(DOUBLES))
        if size == 8
        else rng.choice((0, 1, 2, -1, 127)).to_bytes(size, "little", signed=True)
    )
    return content[: match.end()] + new + content[match.end() + size :]


def _change_constant(content: bytes, rng: Random) -> bytes:
    constants = list(CONSTANT.finditer(content))
    if not constants:
        return content
    at = rng.choice(constants).start()
    return content[:at] + rng.choice(CONSTANTS) + content[at + 1 :]


def _change_array(content: bytes, rng: Random) -> bytes:
    """Eight bytes behind one of the words that announce an array."""
    arrays = list(re.finditer(rb"numpy_array_alignment_bytes.{0,12}?b", content, re.DOTALL))
    if not arrays:
        return content
    start = rng.choice(arrays).end()
    at = start + 1 + content[start : start + 1][0] % 16 + 8 * rng.randrange(8) if start < len(content) else start
    return content[:at] + struct.pack("<d", rng.choice(DOUBLES)) + content[at + 8 :]
