"""Uploaded annotations, read in a child: by their paths, since what is open in one process cannot travel to another.

A child that stays for the next submission of the same upload still has the list of them, and the ground truth. Paths
are those of a cache by content: what a path holds never changes.
"""

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.execution.children import read_apart
from assay.io.annotations.files import Pending, list_submissions, read_annotations
from assay.io.archive import list_members
from assay.io.image_files import LIMITS, ImageFiles, images_among

Place: TypeAlias = tuple[Path, str]
"""A file, and what it is called."""
Images: TypeAlias = tuple[Place, ...]


def read_uploaded_truth(truth: Place, images: Images) -> AnnotationSet:
    """The ground truth; InputError when it cannot be read."""
    return read_apart(_truth, truth, images, source=truth[1])


def uploaded_students(file: Place, truth: Place | None, images: Images) -> list[str]:
    """Whose work a file holds, in order; names may repeat."""
    return read_apart(_students, file, truth, images, source=file[1])


def read_uploaded_submission(file: Place, number: int, truth: Place | None, images: Images) -> AnnotationSet:
    """The work of one of its students."""
    return read_apart(_submission, file, number, truth, images, source=file[1])


def images_of(places: Images) -> ImageFiles | None:
    """The images of all uploads, loose or in ZIPs; none is read yet. None when there are none."""
    images = images_among([m for path, name in places for m in list_members(path, limits=LIMITS, name=name)])
    return images if len(images) else None


_images = lru_cache(maxsize=2)(images_of)


@lru_cache(maxsize=2)
def _truth(truth: Place, images: Images) -> AnnotationSet:
    return read_annotations(truth[0], images=_images(images), name=truth[1])


@lru_cache(maxsize=2)
def _listed(file: Place, truth: Place | None, images: Images) -> list[Pending]:
    like = _truth(truth, images) if truth else None
    return list_submissions(file[0], like=like, images=_images(images), name=file[1])


def _students(file: Place, truth: Place | None, images: Images) -> list[str]:
    return [student for student, _ in _listed(file, truth, images)]


def _submission(file: Place, number: int, truth: Place | None, images: Images) -> AnnotationSet:
    return _listed(file, truth, images)[number][1]()
