"""Which files of a hand-in belong to YOLO."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from assay.io.annotations.yolo.dataset import ENDINGS, is_labels, part_of
from assay.io.archives.archive import Member
from assay.io.tables.text_encoding import as_utf8


def yolo_members(members: Sequence[Member]) -> list[Member]:
    """The texts of YOLO: rows of labels, whatever else lies in their folders, and names of classes anywhere.

    Texts of a hand-in without labels are notes and readmes, but empty ones in a folder `labels`, or beside names of
    classes, are images without objects.
    """
    texts = {m: as_utf8(m.read()) for m in members if PurePosixPath(m.name).suffix.lower() in ENDINGS}
    folders = {PurePosixPath(m.name).parent for m, content in texts.items() if is_labels(m.name, content)}
    described = any(part_of(m.name, content) in {"yaml", "classes"} for m, content in texts.items())
    folders |= {
        path.parent
        for path in (PurePosixPath(m.name) for m, content in texts.items() if not content.strip())
        if path.suffix.lower() == ".txt" and (described or "labels" in path.parent.as_posix().lower().split("/"))
    }
    if not folders:
        return []
    return [
        m
        for m, content in texts.items()
        if PurePosixPath(m.name).parent in folders or part_of(m.name, content) not in {"labels", "none"}
    ]
