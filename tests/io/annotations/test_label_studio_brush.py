"""Label Studio's run lengths of brush strokes."""

import pytest

from assay.errors import InputError
from assay.io.annotations.label_studio import runs_of_brush

SIZES = (3, 3, 3, 3)


def packed(values: list[int], blocks: list[tuple[bool, int]]) -> list[int]:
    """Values in blocks of one repeated value (True) or of values one by one, as Label Studio packs them."""
    bits = f"{len(values):032b}{7:05b}" + "".join(f"{size - 1:04b}" for size in SIZES)
    at = 0
    for same, length in blocks:
        bits += f"{int(same)}00{length - 1:03b}"
        bits += "".join(f"{value:08b}" for value in (values[at : at + 1] if same else values[at : at + length]))
        at += length
    bits += "0" * (-len(bits) % 8)
    return [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]


def test_pixels_are_drawn_where_they_are_not_clear() -> None:
    clear, drawn = [9, 9, 9, 0], [0, 0, 0, 255]
    assert runs_of_brush(packed(clear + drawn, [(False, 8)]), 2, 1).tolist() == [1, 1]
    assert runs_of_brush(packed([255] * 8 + [0] * 8, [(True, 8), (True, 8)]), 2, 2).tolist() == [0, 2, 2]


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ("abc", "not a list of bytes"),
        ([256], "not a list of bytes"),
        ([1, 2, 3], "break off"),
        (packed([255] * 8, [(True, 8)]), "not those of an image of the stated size"),
        (packed([255] * 16, [(True, 8)]), "break off|longer"),
    ],
)
def test_a_stream_that_is_broken_is_refused(stream: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        runs_of_brush(stream, 4, 1)


def test_a_pixel_is_drawn_as_soon_as_it_is_not_quite_clear() -> None:
    assert runs_of_brush(packed([0, 0, 0, 1, 0, 0, 0, 0], [(False, 8)]), 2, 1).tolist() == [0, 1, 1]
    assert runs_of_brush(packed([1] * 8, [(True, 8)]), 2, 1).tolist() == [0, 2]


def test_blocks_may_begin_and_end_within_a_pixel() -> None:
    values = [0, 0, 0, 255, 255, 255, 255, 255]
    for blocks in ([(True, 3), (True, 5)], [(True, 3), (False, 5)], [(False, 2), (False, 6)]):
        assert runs_of_brush(packed(values, blocks), 2, 1).tolist() == [0, 2]
    values = [9, 9, 9, 0, 9, 9, 9, 0, 9, 9, 9, 7]
    blocks = [(False, 3), (False, 3), (False, 6)]
    assert runs_of_brush(packed(values, blocks), 3, 1).tolist() == [2, 1]


def test_bytes_are_from_0_to_255() -> None:
    for wrong in ([-1], [True], [1.0]):
        with pytest.raises(InputError, match="not a list of bytes"):
            runs_of_brush(wrong, 1, 1)
    with pytest.raises(InputError, match="break off"):
        runs_of_brush([0, 255], 1, 1)


def test_a_block_beyond_the_image_is_refused() -> None:
    stream = packed([255] * 8, [(True, 8)])
    assert runs_of_brush(stream, 1, 2).tolist() == [0, 2]
    with pytest.raises(InputError, match="longer than the image"):
        runs_of_brush([0, 0, 0, 4, *stream[4:]], 1, 1)
