"""Reads content as a file of a student would be: by the front door, so that the format is recognised too."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.files import read_annotations


def read_file(folder: Path, name: str, content: bytes, like: AnnotationSet | None = None) -> AnnotationSet:
    path = folder / name
    path.write_bytes(content)
    return read_annotations(path, like=like)


def read_zip(folder: Path, files: Mapping[str, bytes]) -> AnnotationSet:
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return read_file(folder, "handed_in.zip", target.getvalue())


def lost(annotations: AnnotationSet) -> list[str]:
    return [problem.what for problem in annotations.problems if problem.lost]


def labels_of(annotations: AnnotationSet) -> list[str]:
    return [annotations.labels[i] for i in annotations.label]
