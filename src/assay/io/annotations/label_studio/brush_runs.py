"""Label Studio's run lengths of brush strokes into the runs that `Mask` keeps.

A stream of bits: 32 for the count of values, 5 for the size of a value less 1, four times 4 for the sizes of lengths
less 1; then blocks of a flag, 2 bits that choose one of the four sizes, a length less 1, and one value for all of the
block (flag 1) or each of its values (flag 0). Values are bytes: red, green, blue and opacity of each pixel, row by row.
A pixel belongs to the object where opacity is not 0, as in Label Studio's own export to COCO.
Sources: thi.ng/umbrella, packages/rle-pack; label-studio-converter, brush.py (decode_rle, ls_rle_to_coco_rle).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.io.annotations.masks import Runs, check_runs, runs_of_stretches

CHANNELS = 4
OPACITY = 3


def runs_of_brush(stated: Any, width: int, height: int) -> Runs:
    """Runs row by row over width x height pixels; InputError when the stream is broken or of another size.

    Long blocks are never written out, so a short stream cannot claim much memory.
    """
    if not isinstance(stated, list) or not all(type(byte) is int and 0 <= byte <= 255 for byte in stated):
        raise InputError("the run lengths of a brush stroke are not a list of bytes")
    drawn, lengths = _stretches(_Bits(bytes(stated)), width * height * CHANNELS)
    runs = runs_of_stretches(np.array(drawn, np.bool_), np.array(lengths, np.int64))
    check_runs(runs, width, height)
    return runs


class _Bits:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def read(self, size: int) -> int:
        first, end = self.at >> 3, self.at + size
        last = (end + 7) >> 3
        if last > len(self.content):
            raise InputError("the run lengths of a brush stroke break off")
        self.at = end
        return (int.from_bytes(self.content[first:last], "big") >> (last * 8 - end)) & ((1 << size) - 1)


def _stretches(bits: _Bits, expected: int) -> tuple[list[bool], list[int]]:
    """Whether pixels are drawn, and how many in a row."""
    count, word = bits.read(32), bits.read(5) + 1
    sizes = [bits.read(4) + 1 for _ in range(4)]
    if count != expected or word != 8:
        raise InputError("the run lengths of a brush stroke are not those of an image of the stated size")
    drawn: list[bool] = []
    lengths: list[int] = []
    at = 0
    while at < count:
        same = bits.read(1)
        end = at + 1 + bits.read(sizes[bits.read(2)])
        if end > count:
            raise InputError("the run lengths of a brush stroke are longer than the image")
        if same:
            drawn.append(bits.read(word) > 0)
            lengths.append(end // CHANNELS - at // CHANNELS)  # so many values of opacity are among them
        else:
            opacity = _opacity(bits.read(word * (end - at)).to_bytes(end - at, "big"), at)
            drawn += [value > 0 for value in opacity]
            lengths += [1] * len(opacity)
        at = end
    return drawn, lengths


def _opacity(values: bytes, at: int) -> Sequence[int]:
    return values[(OPACITY - at) % CHANNELS :: CHANNELS]
