"""Runs of masks: COCO's compressed text, windows they must fill, and the pixels of PNGs."""

import struct
import zlib
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from assay.annotations.shapes.shapes import bounds_of_runs
from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations.labelme import drawn_pixels
from assay.io.annotations.masks import (
    check_runs,
    runs_of_pixels,
    runs_of_stretches,
    runs_of_text,
    text_of_runs,
)

MASK = np.array([[0, 1, 0], [1, 1, 0]], np.uint8)


def png(pixels: Any, **options: Any) -> bytes:
    stream = BytesIO()
    (pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)).save(stream, "PNG", **options)
    return stream.getvalue()


def stating_size(content: bytes, width: int, height: int) -> bytes:
    """A PNG whose header states another size than its pixels fill."""
    header = b"IHDR" + struct.pack(">II", width, height) + content[24:29]
    return content[:12] + header + struct.pack(">I", zlib.crc32(header)) + content[33:]


@pytest.mark.parametrize("seed", range(5))
def test_compressed_text_gives_back_its_runs(seed: int) -> None:
    runs = np.random.default_rng(seed).integers(0, 100_000, 50)
    assert runs_of_text(text_of_runs(runs)).tolist() == runs.tolist()


def test_runs_that_do_not_fill_the_window_are_refused() -> None:
    check_runs(np.array([2, 4]), 3, 2)
    with pytest.raises(InputError, match="add up to 5 and not to 3 x 2 = 6"):
        check_runs(np.array([2, 3]), 3, 2)
    with pytest.raises(InputError, match="negative or longer"):
        check_runs(np.array([7, -1]), 3, 2)
    with pytest.raises(InputError, match="size of 0 x 2"):
        check_runs(np.array([0]), 0, 2)


def test_bounds_of_runs_are_those_of_their_pixels() -> None:
    pixels = np.zeros((6, 9), np.bool_)
    pixels[2:4, 3:7] = True
    assert bounds_of_runs(runs_of_pixels(pixels.ravel()), 6, 9) == (2, 4, 3, 7)
    assert bounds_of_runs(np.array([54]), 6, 9) is None


@pytest.mark.parametrize(
    "content",
    [
        png(MASK.astype(bool)),
        png(MASK),
        png(MASK * 200),
        png(MASK.astype(np.uint16) * 60_000),
        png(Image.fromarray(MASK).convert("P"), bits=2),
        png(Image.fromarray(MASK).convert("P"), transparency=1),
        png(np.stack([MASK * 0, MASK * 9, MASK * 0], axis=2)),
        png(np.stack([MASK, MASK * 0 + 255], axis=2)),
        png(np.stack([MASK, MASK, MASK, MASK * 0 + 255], axis=2)),
        png(np.stack([MASK, MASK, MASK], axis=2), transparency=(1, 1, 1)),
    ],
    ids=["1 bit", "dark", "bright", "16 bits", "palette", "clear", "colour", "opacity", "colour and opacity", "key"],
)
def test_whatever_is_not_black_is_drawn(content: bytes) -> None:
    assert drawn_pixels(content).tolist() == MASK.astype(bool).tolist()


def test_a_png_gives_no_more_than_its_header_states() -> None:
    assert drawn_pixels(stating_size(png(np.ones((500, 3), np.uint8)), 3, 1)).tolist() == [[True] * 3]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello", "it is no PNG"),
        (b"GIF89a\x07\0\x05\0\0\0\0;", "it is no PNG|damaged"),
        (stating_size(png(MASK), 1 << 15, 1 << 15), "the PNG states a size of 32768 x 32768 pixels"),
        (png(MASK)[:50], "the PNG is damaged"),
        (png(MASK)[:20], "the PNG is damaged"),
    ],
)
def test_what_is_no_mask_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        drawn_pixels(content)


def test_pixels_are_counted_before_they_are_unpacked() -> None:
    just_too_many = stating_size(png(MASK), value_of("image_pixels") // 8 + 1, 8)
    with pytest.raises(InputError, match="states a size"):
        drawn_pixels(just_too_many)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([15], "?"),
        ([16], "`0"),
        ([31], "o0"),
        ([32], "P1"),
        ([5, 1, 2, 3], "5122"),  # from the fourth on, differences to the last but one
        ([0, 9, 0, 2, 7], "090I7"),
        ([512], "P`0"),
    ],
)
def test_each_number_is_written_five_bits_at_a_time(runs: list[int], text: str) -> None:
    assert text_of_runs(np.array(runs)) == text
    assert runs_of_text(text).tolist() == runs


@pytest.mark.parametrize(
    ("text", "message"),
    [("/", "never occurs"), ("p", "never occurs"), ("5P", "break off")],
)
def test_a_text_that_is_no_mask_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        runs_of_text(text)


def test_a_number_has_at_most_twelve_letters() -> None:
    assert runs_of_text("").tolist() == []
    assert runs_of_text("P" * 11 + "0").size == 1
    with pytest.raises(InputError, match="a number that is too long"):
        runs_of_text("P" * 12 + "0")
    with pytest.raises(InputError, match="a number that is too long"):
        runs_of_text("1" + "P" * 12 + "01")


def test_a_mask_fills_its_window_to_the_last_pixel() -> None:
    most = value_of("mask_pixels")
    check_runs(np.array([0, 6]), 3, 2)
    for runs, size, message in (
        ([6], (3, 0), "size of 3 x 0 pixels"),
        ([6], (-3, -2), "size of -3 x -2 pixels"),
        ([-1, 7], (3, 2), "negative or longer"),
        ([7], (3, 2), "negative or longer"),
        ([6, 1], (3, 2), "add up to 7 and not to 3 x 2 = 6 pixels"),
        ([], (3, 2), "add up to 0"),
        ([1], (most + 1, 1), "states a size"),
    ):
        with pytest.raises(InputError, match=message):
            check_runs(np.array(runs, np.int64), *size)
    check_runs(np.array([most]), most, 1)


@pytest.mark.parametrize(
    ("runs", "bounds"),
    [
        ([0, 1, 53], (0, 1, 0, 1)),
        ([53, 1], (5, 6, 8, 9)),
        ([8, 2, 44], (0, 2, 0, 9)),  # over the end of a line
        ([9, 9, 36], (1, 2, 0, 9)),
        ([3, 2, 8, 1, 40], (0, 2, 3, 5)),
        ([2, 0, 9, 1, 42], (1, 2, 2, 3)),
    ],
)
def test_bounds_are_the_first_and_past_last_line_and_place(runs: list[int], bounds: tuple[int, ...]) -> None:
    assert bounds_of_runs(np.array(runs), 6, 9) == bounds


def test_a_mask_without_lines_or_pixels_has_no_bounds() -> None:
    assert bounds_of_runs(np.array([0, 3]), 0, 3) is None
    assert bounds_of_runs(np.array([3, 0]), 1, 3) is None


def test_neighbours_of_one_kind_are_one_run() -> None:
    stretches = np.array([True, True, False, True, False, False])
    runs = runs_of_stretches(stretches, np.array([1, 2, 0, 3, 4, 5]))
    assert (runs.tolist(), runs.flags.writeable) == ([0, 6, 9], False)
    assert runs_of_stretches(np.array([True]), np.array([0])).tolist() == []
    assert runs_of_pixels(np.array([False, True])).tolist() == [1, 1]


@pytest.mark.parametrize("kind", ["GIF", "TIFF", "BMP"])
def test_whole_images_of_other_kinds_are_no_masks(kind: str) -> None:
    stream = BytesIO()
    Image.fromarray(MASK).save(stream, kind)
    with pytest.raises(InputError, match="it is no PNG"):
        drawn_pixels(stream.getvalue())
