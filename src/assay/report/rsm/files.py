"""The section of a report that lists the files beside it."""

from collections.abc import Sequence

from assay.report.document.document import Code, Column, Paragraph, Row, Section, Table


def files_section(files: Sequence[str]) -> Section:
    """The files beside the report, those of one kind together."""
    rows: tuple[Row, ...] = tuple(((Code(name),),) for name in sorted(files))
    table = Table("files", "Files beside this report", (Column("File"),), rows)
    words = ("They lie in ", Code("output/"), ", with RSMTool’s names and columns.")
    return Section("Files", (Paragraph(words), table))
