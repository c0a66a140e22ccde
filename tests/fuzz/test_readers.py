"""Every reader of what users hand in has a fuzz target, and hostile inputs never get more than a clean refusal."""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import assay.io
from assay.errors import AssayError
from assay.io.annotations.detect import FORMATS as ANNOTATION_FORMATS
from assay.io.annotations.detect import Format
from assay.kernel import kernel
from fuzz.readers import BY_NAME, READERS, Reader
from fuzz.trial import in_this_process, run

INPUTS, OF_SLOW = 25, 6
HANDED_IN = ("bytes", "Path", "Stream", "TableSource")
"""Types of what a reader takes."""
NOT_READERS = {
    "archive.unreadable": "words of an error",
    "tables.output.unwritable": "words of an error",
    "essays.features_table.FeaturesWriter": "writes",
    "essays.features_table.ScoresWriter": "writes",
    "example_data.annotations_in": "files that come with the program",
    "example_data.copy_examples": "files that come with the program",
    "example_data.copy_all_examples": "files that come with the program",
    "tables.output.address_of": "looks at a name",
    "tables.output.OutputFolder": "writes",
    "results.spilling_scores.SpillingScores": "holds scores of this very run in a file without a name",
    "tables.table_formats.readstat_contents": "what pyreadstat read; nothing but SAS writes whole files of SAS",
}


def public_readers() -> Iterator[tuple[str, CodeType]]:
    """Every public function of assay.io that takes bytes, a path or a stream and returns something, and classes."""
    for info in pkgutil.walk_packages(assay.io.__path__, "assay.io."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", "") != info.name:
                continue
            called: Any = vars(value).get("__init__") if isinstance(value, type) else inspect.unwrap(value)
            written = (
                isinstance(called, FunctionType) and called.__code__.co_filename != "<string>"
            )  # as in dataclasses
            if written and _reads(called, of_class=isinstance(value, type)):
                yield f"{info.name.removeprefix('assay.io.')}.{name}", called.__code__


def _reads(function: FunctionType, *, of_class: bool) -> bool:
    stated = dict(function.__annotations__)
    returned = stated.pop("return", None)
    taken = [getattr(kind, "__name__", "") + str(kind) for kind in stated.values()]
    writes = returned is None and not of_class
    return not writes and any(word in kind for word in HANDED_IN for kind in taken)


@pytest.fixture(scope="module")
def entered() -> set[CodeType]:
    """Every function that the seeds of all readers enter."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    for reader in READERS:
        for seed in reader.seeds():
            sys.setprofile(note)
            try:
                with in_this_process():
                    reader.target(seed)
            except AssayError:
                pass
            finally:
                sys.setprofile(None)
    return codes


def test_every_reader_has_a_fuzz_target(entered: set[CodeType]) -> None:
    asleep = "annotations.coco.scanned." if kernel() is None else "nothing"  # where the kernel was not built
    missed = [
        name
        for name, code in public_readers()
        if code not in entered and name not in NOT_READERS and not name.startswith(asleep)
    ]
    assert missed == [], "add a row to fuzz/readers.py whose seeds reach it"


def test_what_is_said_to_be_no_reader_is_there() -> None:
    assert set(NOT_READERS) - {name for name, _ in public_readers()} == set()


def test_a_new_reader_is_noticed() -> None:
    names = {name for name, _ in public_readers()}
    assert {"annotations.coco.reader.read_coco", "tables.table_formats.xlsx_contents", "archive.list_members"} <= names
    assert {"tables.part_folder.PartFolder", "essays.documents.read_essay_document"} <= names


@pytest.mark.parametrize("form", ANNOTATION_FORMATS, ids=lambda form: form.name)
def test_every_annotation_format_has_a_seed(form: Format, entered: set[CodeType]) -> None:
    assert form.read.__code__ in entered


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_hostile_inputs_are_read_or_refused_cleanly(name: str) -> None:
    reader = BY_NAME[name]
    findings: list[str] = []
    tally = run(
        reader, OF_SLOW if reader.slow else INPUTS, seed=7, report=lambda _, __, shown: findings.append(shown), traced=0
    )
    assert findings == []
    assert tally.read + tally.refused == tally.inputs


def failing(problem: type[BaseException]) -> Callable[[bytes], object]:
    def target(_: bytes) -> object:
        raise problem("no reader")

    return target


def broken(problem: type[BaseException]) -> Reader:
    return Reader("broken", failing(problem), lambda: [b"seed"], lambda content, _: content, ("scale",))


@pytest.mark.parametrize(
    ("problem", "count"),
    [(KeyError, "unclean"), (RecursionError, "unclean"), (MemoryError, "over_memory"), (RuntimeWarning, "unclean")],
)
def test_anything_but_a_clean_refusal_is_a_finding(problem: type[BaseException], count: str) -> None:
    tally = run(broken(problem), 3, seed=1)
    assert (getattr(tally, count), tally.inputs) == (3, 3)
    assert list(tally.findings) == [f"{problem.__name__} in outside"]


def test_the_same_seed_tries_the_same_inputs() -> None:
    def tried(seed: int) -> list[bytes]:
        inputs: list[bytes] = []
        run(BY_NAME["gate"], 30, seed, before=lambda content, _: inputs.append(content))
        return inputs

    assert tried(3) == tried(3)
    assert tried(3) != tried(4)


def test_lines_that_inputs_reach_are_counted() -> None:
    tally = run(BY_NAME["score_scale"], 50, seed=1, traced=1)
    assert 0 < tally.branches < tally.of_branches
