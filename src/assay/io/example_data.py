"""The example data that come with the program: scores, annotations, essays and a small model, all invented.

They are data files alone; the scripts that made them are in `examples/` of the source, next to the same files.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError

PACKAGE = Path(__file__).resolve().parents[1]
PACKAGED, CHECKOUT = PACKAGE / "example_data", PACKAGE.parents[1] / "examples"
"""Where an installed program has them, and where a checkout of the source has them."""


def example_folder() -> Path:
    """The folder of the example data."""
    for folder in (PACKAGED, CHECKOUT):
        if (folder / "scores.csv").is_file():
            return folder
    raise InputError(
        "the example data were not installed", source=PACKAGED, remedy="Install Assay from its wheel or its source."
    )


def copy_examples(folder: Path, *names: str) -> Path:
    """The folder, with copies of these examples in it: files, or all files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        source = example_folder() / name
        if source.is_dir():
            shutil.copytree(source, folder, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, folder / name)
    return folder


def copy_all_examples(folder: Path) -> int:
    """Every example file copied to a folder, without the scripts that made them; how many there are."""
    source = example_folder()
    paths = [path for path in source.rglob("*") if path.is_file() and _is_data(path.relative_to(source))]
    for path in paths:
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return len(paths)


def _is_data(path: Path) -> bool:
    """Whether it is one of the files that a wheel holds."""
    return path.suffix not in (".py", ".pyc", ".md", ".ipynb") and path.parts[0] != "sentences"


@dataclass(frozen=True, slots=True)
class ExampleAnnotations:
    """Where the files of the street task are."""

    truth: Path
    images: Path
    submissions: tuple[Path, ...]


def annotations_in(folder: Path) -> ExampleAnnotations:
    """The street task in a folder that holds it."""
    return ExampleAnnotations(
        folder / "truth.xml", folder / "images", tuple(sorted((folder / "submissions").iterdir()))
    )


def example_annotations() -> ExampleAnnotations:
    """The street task: a ground truth, twelve images, seven submissions, one of them cut off."""
    return annotations_in(example_folder() / "annotations")
