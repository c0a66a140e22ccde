"""The images for a report: found by name, of a kind that can be shown, and not more than a page should hold."""

from pathlib import Path

from assay.files.image_files import ImageFiles, read_images
from assay.files.image_header import image_header
from assay.report.annotation_overlay import PhotoOf
from assay.report.overlay import Photo

LARGEST = 3 << 20
"""Bytes of one image; a larger one is replaced by a plain canvas."""
TOGETHER = 16 << 20
"""Bytes of all images in one report."""


def photos(images: ImageFiles | None) -> PhotoOf:
    """A finder of images for one report, which gives no more once the report is full."""
    left = TOGETHER

    def photo_of(name: str) -> Photo | None:
        nonlocal left
        content = images.find(name) if images is not None and name else None
        header = image_header(content) if content is not None else None
        if content is None or header is None or len(content) > min(LARGEST, left):
            return None
        left -= len(content)
        return Photo(header.media, content)

    return photo_of


def opened_images(path: Path | None) -> ImageFiles | None:
    """The images of a folder or ZIP, if one was given."""
    return None if path is None else read_images(path)
