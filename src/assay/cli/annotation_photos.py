"""The images that a command was given."""

from pathlib import Path

from assay.files.image_files import ImageFiles, read_images


def opened_images(path: Path | None) -> ImageFiles | None:
    """The images of a folder or ZIP, if one was given."""
    return None if path is None else read_images(path)
