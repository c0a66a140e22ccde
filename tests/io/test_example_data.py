"""The example data are found in a checkout and in a wheel, which carries the data and not their makers."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from assay.errors import InputError
from assay.io import example_data
from assay.io.example_data import copy_all_examples, copy_examples, example_annotations, example_folder
from tests.paths import EXAMPLES, ROOT

MAKERS = {".py", ".toml", ".md", ".ipynb"}
"""What stands beside the data: scripts, the sentences they are made from, words for people, notebooks."""


def test_a_checkout_reads_its_own_examples() -> None:
    assert example_folder() == EXAMPLES
    assert [path.stem for path in example_annotations().submissions][:3] == ["ada", "ben", "chloe"]


def test_copies_are_what_was_copied(tmp_path: Path) -> None:
    folder = copy_examples(tmp_path / "new" / "input", "scores.csv", "annotations")

    assert (folder / "scores.csv").read_bytes() == (EXAMPLES / "scores.csv").read_bytes()
    assert (folder / "truth.xml").read_bytes() == (EXAMPLES / "annotations" / "truth.xml").read_bytes()
    assert len(list((folder / "images").iterdir())) == 12


def test_without_the_data_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(example_data, "PACKAGED", tmp_path / "packaged")
    monkeypatch.setattr(example_data, "CHECKOUT", tmp_path / "checkout")

    with pytest.raises(InputError) as problem:
        example_folder()
    assert problem.value.source == str(tmp_path / "packaged")
    assert problem.value.remedy


def test_a_wheel_holds_all_example_data_and_finds_them(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a copy, so that nothing that runs beside this sees half-made files
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(EXAMPLES, source / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "errors.py", "io/__init__.py", "io/example_data.py"):
        (source / "src" / "assay" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "src" / "assay" / name, source / "src" / "assay" / name)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True, capture_output=True)

    (wheel,) = (tmp_path / "dist").iterdir()
    with ZipFile(wheel) as content:
        content.extractall(tmp_path / "installed")
    packaged = tmp_path / "installed" / "assay" / "example_data"
    shipped = {path.relative_to(packaged) for path in packaged.rglob("*") if path.is_file()}
    files = {path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("*") if path.is_file()}
    data = {path for path in files if path.suffix not in MAKERS or path == Path("rubric.toml")}
    assert shipped == {path for path in data if "__pycache__" not in path.parts}
    lookup = "from assay.io.example_data import copy_all_examples, example_folder; print(example_folder())"
    run = [sys.executable, "-P", "-c", lookup]
    printed = subprocess.run(
        run, env={"PYTHONPATH": str(tmp_path / "installed")}, check=True, capture_output=True, text=True
    )
    assert Path(printed.stdout.strip()) == packaged.resolve()


def test_all_examples_are_copied_without_the_scripts_that_made_them(tmp_path: Path) -> None:
    count = copy_all_examples(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(names) == count
    assert {"scores.csv", "rubric.toml", "annotations/truth.xml", "essays/phones.txt"} <= names
    assert not [name for name in names if name.endswith((".py", ".ipynb")) or name.startswith("sentences")]
