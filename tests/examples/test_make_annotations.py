"""The example annotations: the folder holds what the generator writes, and the pictures are pictures."""

import struct
import zlib
from pathlib import Path

import numpy as np

from assay.io.annotations.files import read_annotations
from assay.io.image_header import image_header
from examples.make_annotations import ERRS, write_example_annotations
from examples.street import HEIGHT, WIDTH, png, street_objects
from tests.paths import EXAMPLES


def pixels_of(file: bytes) -> bytes:
    """The unpacked pixels: how tightly they are packed depends on the zlib of the machine."""
    start = file.index(b"IDAT")
    (length,) = struct.unpack(">I", file[start - 4 : start])
    return zlib.decompress(file[start + 4 : start + 4 + length])


def test_the_examples_are_those_that_the_generator_writes(tmp_path: Path) -> None:
    example = write_example_annotations(tmp_path)

    for path in (example.truth, *example.submissions):
        assert (EXAMPLES / "annotations" / path.relative_to(tmp_path)).read_bytes() == path.read_bytes(), path.name
    for path in example.images.iterdir():
        assert pixels_of((EXAMPLES / "annotations" / "images" / path.name).read_bytes()) == pixels_of(
            path.read_bytes()
        ), path.name


def test_each_student_is_described_and_all_objects_lie_on_their_image() -> None:
    assert {path.stem for path in (EXAMPLES / "annotations" / "submissions").iterdir()} == set(ERRS)
    for thing in street_objects():
        left, top, right, bottom = thing.bounds
        assert left >= 0
        assert top >= 0
        assert right <= WIDTH
        assert bottom <= HEIGHT


def test_the_ground_truth_defines_its_labels_and_attributes() -> None:
    truth = read_annotations(EXAMPLES / "annotations" / "truth.xml")

    assert len(truth) == 127
    car = next(label for label in truth.definitions if label.name == "car")
    assert [(a.name, a.input) for a in car.attributes] == [("colour", "select"), ("hidden", "checkbox")]


def test_a_png_says_its_size() -> None:
    picture = png(np.zeros((5, 7, 3), np.uint8))

    header = image_header(picture)
    assert header is not None
    assert (header.media, header.width, header.height) == ("image/png", 7, 5)
    assert image_header(b"<svg onload=alert(1)>") is None
    assert image_header(b"") is None
