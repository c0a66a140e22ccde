"""Formats with a file for each image: every file read, and every image with a name of its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import TypeVar

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A file of annotations and the image it says it is about."""

    path: str
    image: str


def read_each(
    files: Iterable[tuple[str, bytes]], read: Callable[[str, bytes], Read], problems: ProblemTally
) -> list[Read]:
    """What `read` makes of each file; a file that is broken becomes a problem unless all of them are."""
    contents: list[Read] = []
    broken: list[InputError] = []
    for path, content in files:
        try:
            contents.append(read(path, content))
        except InputError as problem:
            broken.append(problem)
            problems.lost(f"a file cannot be read: {problem}", path)
    if broken and not contents:
        raise broken[0]
    return contents


def plain_name(stated: str) -> str:
    """The name of an image without the parts of its path that lead nowhere.

    >>> plain_name(r"..\\img\\a.jpg"), plain_name("C:/x/a.jpg")
    ('img/a.jpg', 'x/a.jpg')
    """
    parts = stated.strip().replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."} and not part.endswith(":"))


def names_apart(files: Sequence[ImageFile], problems: ProblemTally) -> list[str]:
    """A name for the image of each file, no two the same.

    Images of one name in several folders get the folder before their name. When files of one folder name the same
    image, as copies with an old name inside do, each goes by its own file's name.
    """
    times = Counter(file.image for file in files)
    names = []
    for file, folder in zip(files, _folders(files), strict=True):
        names.append(f"{folder}/{file.image}" if times[file.image] > 1 and folder else file.image)
    times = Counter(names)
    for i, file in enumerate(files):
        if times[names[i]] > 1:
            problems.repaired(
                "several files say they are about the same image: each is taken for the image of its own name",
                f"{file.path}, image {file.image!r}",
            )
            path = PurePosixPath(names[i])
            names[i] = str(path.with_name(PurePosixPath(file.path).stem + path.suffix))
    return names


def _folders(files: Sequence[ImageFile]) -> list[str]:
    """Where each file lies, from where they part."""
    parents = [str(PurePosixPath(file.path).parent) for file in files]
    top = commonpath(parents) if len({parent.startswith("/") for parent in parents}) == 1 else ""
    return ["" if parent == top else str(PurePosixPath(parent).relative_to(top)) for parent in parents]
