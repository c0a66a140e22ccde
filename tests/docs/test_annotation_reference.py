"""The reference of annotations is complete: every column, kind of error, setting and format is there."""

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.io.annotations.detect import FORMATS
from assay.io.annotations.rubric_toml import TOP
from assay.io.results.annotation_tables import DETAIL_COLUMNS, SUMMARY_COLUMNS
from docs.examples import ROOT

PAGE = (ROOT / "docs" / "reference" / "annotations.md").read_text(encoding="utf-8")


def test_every_column_is_listed() -> None:
    columns = [c for c in (*SUMMARY_COLUMNS, *DETAIL_COLUMNS) if not c.startswith("errors: ")]

    assert [column for column in columns if f"`{column}`" not in PAGE] == []


def test_every_kind_of_error_is_listed_with_its_meaning() -> None:
    assert [kind.word for kind in ErrorKind if f"| {kind.word} | {kind.meaning} |" not in PAGE] == []


def test_every_setting_of_the_rules_is_listed() -> None:
    assert [name for name in TOP if f"| `{name}` |" not in PAGE] == []


def test_every_format_is_listed() -> None:
    formats = PAGE.partition("## Formats")[2].partition("## Kinds")[0]

    assert [form.name for form in FORMATS if form.name.removesuffix(" tasks") not in formats] == []
