"""Whose a file is, by its name or that of the folder or ZIP it lies in."""

from pathlib import Path, PurePosixPath

ENDINGS = frozenset({".json", ".xml"})
"""Files of a folder or ZIP that may be annotations; others (images, notes) are passed over."""

SAID_BY_TOOLS = frozenset(
    {"annotations", "annotation", "instances", "keypoints", "person_keypoints", "_annotations.coco", "default", "train"}
    | {"val", "valid", "validation", "test", "images", "labels", "result", "results", "export", "data", "coco", "cvat"}
    | {"obj_train_data", "obj_valid_data", "obj_test_data", "yolo", "vocdevkit", "voc2007", "voc2012", "voc", "labelme"}
)
"""Names that tools give to files and folders, which say nothing about the student."""


def named_by(path: Path) -> str:
    """Whose a path is: by its own name, or that of the folder it lies in if a tool named it.

    >>> named_by(Path("class/alice/annotations.xml")), named_by(Path("bob.v2.json")), named_by(Path("export.zip"))
    ('alice', 'bob.v2', 'export')
    """
    own = path.name if path.is_dir() else path.stem
    above = [part for part in path.parent.parts if part not in {path.anchor, ".", ".."}]
    return student_of_path("/".join([*above, own]), own)


def student_of_path(name: str, owner: str) -> str:
    """Whose file it is: the first name from the file upwards that no tool gives, else the folder's or ZIP's.

    >>> student_of_path("alice/annotations/instances_default.json", "batch")
    'alice'
    >>> student_of_path("annotations.xml", "bob"), student_of_path("carol.json", "batch")
    ('bob', 'carol')
    """
    path = PurePosixPath(name)
    stem = path.name.removesuffix(path.suffix) if path.suffix.lower() in ENDINGS else path.name
    for part in (stem, *reversed(path.parts[:-1])):
        words = part.lower()
        if words not in SAID_BY_TOOLS and not words.startswith(("instances_", "person_keypoints_", "annotations_")):
            return part
    return owner
