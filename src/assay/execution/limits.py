"""FRONT DOOR `LIMITS`, `value_of`, `check`: how much is read of what users give, in one table.

Every limit can be raised by an environment variable, ASSAY_LIMIT_ and its name, with k, M or G behind the number
(powers of 1024). Whatever is over a limit is refused with an InputError that names the limit and the variable.
"""

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike

from assay.errors import InputError

_NUMBER = re.compile(r"(\d{1,15})\s*([kmgt]?)", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of one thing is read at most."""

    name: str
    default: int
    unit: str
    meaning: str

    @property
    def variable(self) -> str:
        """The environment variable that sets another value."""
        return f"ASSAY_LIMIT_{self.name.upper()}"


LIMITS: tuple[Limit, ...] = (
    Limit("file_bytes", 2 << 30, "bytes", "one file, in a folder or an archive too"),
    Limit("archive_members", 200_000, "files", "a folder or a ZIP"),
    Limit("archive_bytes", 8 << 30, "bytes", "all files of a ZIP, unpacked"),
    # deflate packs at most 1032:1; annotations seldom pass 60:1
    Limit("archive_ratio", 250, "bytes per packed byte", "a file of a ZIP, if it is larger than archive_ratio_from"),
    Limit("archive_ratio_from", 16 << 20, "bytes", "a file of a ZIP that may be packed as tightly as it likes"),
    # as CVAT writes when it exports several jobs
    Limit("archive_nesting", 2, "ZIPs", "one in another"),
    Limit("image_bytes", 256 << 20, "bytes", "one image"),
    Limit("image_archive_bytes", 1 << 40, "bytes", "all images of a ZIP, unpacked"),
    Limit("image_pixels", 1 << 26, "pixels", "an image whose pixels are read, such as a mask"),
    Limit("office_members", 4_000, "files", "the parts of a Word document or a workbook"),
    Limit("office_ratio", 100, "bytes per packed byte", "a part of a Word document, if larger than office_ratio_from"),
    Limit("office_ratio_from", 1 << 20, "bytes", "a part of a Word document that may be packed as tightly as it likes"),
    Limit("document_part_bytes", 24 << 20, "bytes", "one part of a Word document, unpacked"),
    Limit("document_bytes", 256 << 20, "bytes", "all parts of a Word document, unpacked"),
    Limit("essay_bytes", 20_000_000, "bytes", "the file of one essay"),
    # some 35,000 words; of nothing but quotation marks, reading so many takes a minute
    Limit("essay_characters", 200_000, "characters", "one essay"),
    Limit("essay_archive_members", 20_000, "files", "a ZIP of essays in the web app"),
    Limit("essay_archive_bytes", 2 << 30, "bytes", "all essays of a ZIP, unpacked"),
    Limit("pdf_pages", 200, "pages", "an essay in PDF"),
    Limit("pdf_characters", 2_000_000, "characters", "all pages of a PDF"),
    Limit("workbook_bytes", 4 << 30, "bytes", "all parts of a workbook, unpacked"),
    Limit("workbook_rows", 1_048_576, "rows", "from the first to the last row of a sheet that holds a cell"),
    Limit("workbook_columns", 16_384, "columns", "from the first to the last column of a sheet that holds a cell"),
    # the reader takes some 70 bytes for each, those that are empty among them
    Limit("workbook_cells", 30_000_000, "cells", "rows times columns of a sheet"),
    # the reader unpacks it into memory; unpacked or as Parquet a table may be larger
    Limit("gzip_bytes", 1 << 30, "bytes", "a table packed by gzip, unpacked"),
    Limit("joined_rows", 5_000_000, "rows", "a table that the web app joins to another"),
    Limit("json_bytes", 1 << 30, "bytes", "a model, a result or a configuration in JSON"),
    Limit("section_bytes", 1 << 20, "bytes", "a Markdown section of a report"),
    Limit("toml_bytes", 4 << 20, "bytes", "rules or settings in TOML"),
    Limit("toml_depth", 64, "parts", "one key in TOML"),
    Limit("yaml_characters", 1 << 20, "characters", "the YAML of a YOLO data set"),
    Limit("xml_depth", 64, "elements", "one in another"),
    Limit("mask_pixels", 1 << 30, "pixels", "the size that a run-length mask states"),
    Limit("mask_runs", 1 << 27, "runs", "all run-length masks of one COCO file"),
    # a million outlines, 511 MB, take 8 s and 1.7 GB to score against as many
    Limit("annotation_bytes", 256 << 20, "bytes", "one file of annotations, in a folder or an archive too"),
    Limit("polygon_points", 100_000, "points", "one polygon or line"),
    Limit("outline_points", 1 << 25, "points", "all outlines of one COCO file"),
    # repairing an outline of 20,000 random points takes 9 GB
    Limit("crossing_points", 5_000, "points", "one polygon that crosses itself"),
    Limit("track_frames", 1_000_000, "frames", "the tracks of a video"),
    Limit("yolo_classes", 100_000, "classes", "a YOLO data set"),
    Limit("model_bytes", 1 << 30, "bytes", "the numbers of one array of a model, or its estimator unpacked"),
    Limit("tally_bytes", 256 << 20, "bytes", "the tallies of an evaluation.json, unpacked"),
    Limit("child_memory", 4 << 30, "bytes", "the memory of a process that reads one file"),
    Limit("child_seconds", 300, "seconds", "the time of a process that reads one file"),
    Limit("document_memory", 1 << 30, "bytes", "the memory of a process that reads one essay"),
    Limit("document_seconds", 60, "seconds", "the time of a process that reads one essay"),
    Limit("idle_seconds", 1800, "seconds", "a worker of the web app on one submission or essay without any progress"),
    Limit("children", 4, "processes", "reading files at the same time for one process of Assay"),
)
_BY_NAME = {limit.name: limit for limit in LIMITS}


def value_of(name: str) -> int:
    """The value of a limit: that of its environment variable, or the default. InputError if the variable is wrong."""
    limit = _BY_NAME[name]
    given = os.environ.get(limit.variable, "").strip()
    return _number(limit.variable, given) if given else limit.default


@lru_cache(maxsize=256)
def _number(variable: str, text: str) -> int:
    """The number a variable gives.

    >>> _number("ASSAY_LIMIT_FILE_BYTES", "3M")
    3145728
    """
    matched = _NUMBER.fullmatch(text)
    if not matched or not int(matched[1]):
        remedy = "Use a whole number above 0, with an optional k, M, G or T, such as 500M."
        raise InputError(f"the environment variable {variable} is {text[:40]!r}", remedy=remedy)
    return int(matched[1]) * _FACTORS[matched[2].lower()]


def over(name: str, amount: float | None, source: str | PathLike[str] = "", *, what: str = "it") -> InputError:
    """The refusal of something larger than a limit allows; `amount` is None where nobody counted to the end."""
    limit, most = _BY_NAME[name], value_of(name)
    has = f"more than {most:,}" if amount is None else f"{amount:,}"
    problem = f"{what} has {has} {limit.unit}; at most {most:,} are read ({limit.meaning})"
    if limit.unit == "seconds":
        problem = f"reading it takes {has} seconds"
    remedy = f"Use a smaller file, or raise the limit with the environment variable {limit.variable}."
    return InputError(problem, source=source, remedy=remedy)


def check(name: str, amount: float, source: str | PathLike[str] = "", *, what: str = "it") -> None:
    """InputError if an amount is over a limit."""
    if amount > value_of(name):
        raise over(name, amount, source, what=what)
