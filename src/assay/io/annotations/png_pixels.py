"""The pixels of a small PNG, such as LabelMe keeps a mask in; enough of the format for that and no more.

Source: the PNG specification (W3C, third edition), sections 5, 7 and 9.
"""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ALPHA = frozenset({4, 6})
MOST_PIXELS = 1 << 26
MOST_PREDICTED = 1 << 23
"""Filters that go pixel by pixel are slow to undo: more bytes of them than any object's rows have are refused."""

Bytes = NDArray[np.uint8]


def drawn_pixels(png: bytes) -> NDArray[np.bool_]:
    """(height, width): where the image is not black (index 0 of a palette); a last channel of opacity does not count.

    InputError when it is broken, interlaced, has 16 bits per channel, or is larger than any mask.
    """
    chunks = _chunks(png)
    header = chunks.get(b"IHDR", b"")
    if len(header) != 13:
        raise InputError("the PNG has no proper header")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if not (0 < width * height <= MOST_PIXELS):
        raise InputError(f"the PNG states a size of {width} x {height} pixels")
    if interlaced or colour not in CHANNELS or depth not in {1, 2, 4, 8} or (depth < 8 and CHANNELS[colour] > 1):
        raise InputError("the PNG is interlaced or of a kind that no mask is")
    channels = CHANNELS[colour]
    row = (width * channels * depth + 7) // 8
    lines = _lines(_inflated(chunks.get(b"IDAT", b""), height * (row + 1)), height, row, max(1, channels * depth // 8))
    values = _values(lines, depth)[:, : width * channels].reshape(height, width, channels)
    if colour in ALPHA:
        values = values[:, :, :-1]
    return np.asarray(values.any(axis=2))


def _chunks(png: bytes) -> dict[bytes, bytes]:
    if not png.startswith(SIGNATURE):
        raise InputError("it is no PNG")
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at + 12 <= len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind = png[at + 4 : at + 8]
        found[kind] = found.get(kind, b"") + png[at + 8 : at + 8 + length]
        at += 12 + length
    return found


def _inflated(packed: bytes, size: int) -> Bytes:
    """Never more than `size` bytes, whatever the stream would give."""
    try:
        unpacked = zlib.decompressobj().decompress(packed, size)
    except zlib.error:
        raise InputError("the PNG cannot be unpacked") from None
    if len(unpacked) != size:
        raise InputError("the PNG breaks off")
    return np.frombuffer(unpacked, np.uint8)


def _lines(stream: Bytes, height: int, row: int, step: int) -> Bytes:
    """The rows with their filters undone; `step` bytes to the left is the same channel of the last pixel."""
    lines = stream.reshape(height, row + 1)
    if int(np.isin(lines[:, 0], (3, 4)).sum()) * row > MOST_PREDICTED:
        raise InputError("the PNG is too large to be a mask")
    out = np.zeros((height, row), np.uint8)
    above = np.zeros(row, np.uint8)
    for i in range(height):
        kind, line = int(lines[i, 0]), lines[i, 1:]
        if kind == 0:
            above = line
        elif kind == 1:
            above = _cumulated(line, step)
        elif kind == 2:
            above = line + above
        elif kind in {3, 4}:
            above = _predicted(line, above, step, paeth=kind == 4)
        else:
            raise InputError("the PNG has a filter that does not exist")
        out[i] = above
    return out


def _cumulated(line: Bytes, step: int) -> Bytes:
    out = np.empty_like(line)
    for channel in range(step):
        out[channel::step] = np.cumsum(line[channel::step], dtype=np.uint8)
    return out


def _predicted(line: Bytes, above: Bytes, step: int, *, paeth: bool) -> Bytes:
    up, out = above.tolist(), line.tolist()
    for i, value in enumerate(out):
        left = out[i - step] if i >= step else 0
        corner = up[i - step] if i >= step else 0
        guess = _paeth(left, up[i], corner) if paeth else (left + up[i]) // 2
        out[i] = (value + guess) & 255
    return np.array(out, np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def _values(lines: Bytes, depth: int) -> Bytes:
    """One byte per value."""
    if depth == 8:
        return lines
    bits = np.unpackbits(lines, axis=1)
    return np.asarray(bits.reshape(len(lines), -1, depth).any(axis=2).astype(np.uint8))
