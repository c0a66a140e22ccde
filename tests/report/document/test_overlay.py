"""Annotations over an image, before they have a format."""

import pytest

from assay.errors import InputError
from assay.report.document.overlay import Outline, Overlay, OverlayShape, Photo


def test_an_overlay_without_size_or_words_is_refused() -> None:
    with pytest.raises(InputError, match="no size"):
        Overlay("t", "s", "a", 0, 10, ())
    with pytest.raises(InputError, match="alt text"):
        Overlay("t", "s", "", 10, 10, ())


def test_the_key_names_each_role_that_is_drawn_once() -> None:
    square = Outline(((0, 0), (1, 0), (1, 1)))
    shapes = (OverlayShape("truth", (square,)), OverlayShape("truth", (square,)), OverlayShape("missed", (square,)))

    assert Overlay("t", "s", "a", 10, 10, shapes).key == (("truth", "ground truth"), ("missed", "missed"))
    assert Overlay("t", "s", "a", 10, 10, ()).key == ()


def test_a_role_may_be_called_by_other_words() -> None:
    overlay = Overlay("t", "s", "a", 10, 10, (OverlayShape("truth"),), words=(("truth", "ada"),))

    assert overlay.key == (("truth", "ada"),)


def test_the_bytes_of_a_photo_are_not_shown() -> None:
    assert "secret" not in repr(Photo("image/png", b"secret"))
