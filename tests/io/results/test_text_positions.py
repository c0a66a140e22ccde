"""Positions as editors count them."""

from assay.io.results.text_positions import TextPositions

RAW = "First line.\nSecond 😀 line.\n\nFourth"


def test_lines_and_characters_count_from_0() -> None:
    positions = TextPositions(RAW)

    assert positions.at(0) == {"line": 0, "character": 0}
    assert positions.at(11) == {"line": 0, "character": 11}
    assert positions.at(12) == {"line": 1, "character": 0}
    assert positions.at(RAW.index("Fourth")) == {"line": 3, "character": 0}
    assert positions.at(len(RAW)) == {"line": 3, "character": 6}


def test_a_letter_beyond_the_basic_plane_is_two_characters_as_in_utf_16() -> None:
    start = RAW.index("line", 12)

    place = TextPositions(RAW).range_of(start, start + 4)

    line = RAW.split("\n")[1]
    units = len(line[: line.index("line")].encode("utf-16-le")) // 2
    assert place == {"start": {"line": 1, "character": units}, "end": {"line": 1, "character": units + 4}}
