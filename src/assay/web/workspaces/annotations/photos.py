"""The images a report may carry: of a kind that can be shown, and not more than a page should hold.

It needs `files` and `report`, which do not know each other, and the command line uses it as well.
"""

from assay.io.archives.image_files import ImageFiles
from assay.io.archives.image_header import image_header
from assay.report.annotations.overlay import PhotoOf
from assay.report.document.overlay import Photo

LARGEST = 3 << 20
"""Bytes of one image; a larger one is replaced by a plain canvas."""
TOGETHER = 16 << 20
"""Bytes of all images in one report."""


def photos(images: ImageFiles | None, *, together: int = TOGETHER) -> PhotoOf:
    """A finder of images for one report, which gives no more once the report is full."""
    left = together

    def photo_of(name: str) -> Photo | None:
        nonlocal left
        content = images.find(name) if images is not None and name else None
        header = image_header(content) if content is not None else None
        if content is None or header is None or len(content) > min(LARGEST, left):
            return None
        left -= len(content)
        return Photo(header.media, content)

    return photo_of
