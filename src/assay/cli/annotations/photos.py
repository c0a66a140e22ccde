"""The images that a command was given."""

from pathlib import Path

from assay.io.archives.archive import is_zip, list_members
from assay.io.archives.image_files import LIMITS, ImageFiles, images_among, read_images


def opened_images(path: Path | None) -> ImageFiles | None:
    """The images of a folder or ZIP, if one was given."""
    return None if path is None else read_images(path)


def images_beside(truth: Path) -> Path | None:
    """The ground truth's own folder or ZIP, if images lie in it: then they need not be given apart."""
    if not truth.exists() or not (truth.is_dir() or is_zip(truth)):
        return None
    return truth if len(images_among(list_members(truth, limits=LIMITS))) else None
