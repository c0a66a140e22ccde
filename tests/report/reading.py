"""What a report says, found by the titles of its sections and the names of its tables."""

from collections.abc import Iterator

from assay.report.document.document import Block, Disclosure, Document, Note, Paragraph, Section, tables_of
from assay.report.document.values import Chart, Table
from assay.report.document.values import plain as words_of


def section_of(document: Document, title: str) -> Section:
    """The section with a title."""
    return next(section for section in document.sections if section.title == title)


def titles_of(document: Document) -> list[str]:
    """The titles of all sections."""
    return [section.title for section in document.sections]


def text_of(section: Section) -> str:
    """All its paragraphs and notes, those behind disclosures too."""
    return " ".join(words_of(block.spans) for block in blocks_of(section.blocks) if isinstance(block, Paragraph | Note))


def blocks_of(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Every block, and those behind disclosures."""
    for block in blocks:
        yield block
        if isinstance(block, Disclosure):
            yield from blocks_of(block.blocks)


def charts_of(section: Section) -> dict[str, Chart]:
    """Its charts by name."""
    return {block.name: block for block in blocks_of(section.blocks) if isinstance(block, Chart)}


def all_charts(document: Document) -> list[Chart]:
    """The charts of all sections."""
    return [chart for section in document.sections for chart in charts_of(section).values()]


def tables_in(section: Section) -> dict[str, Table]:
    """Its tables by name."""
    return {block.name: block for block in blocks_of(section.blocks) if isinstance(block, Table)}


def table_of(document: Document, name: str) -> Table:
    """The table with a name, wherever it is."""
    return next(table for table in tables_of(document) if table.name == name)


def column_of(table: Table, title: str) -> list[object]:
    """The cells below a title."""
    place = [column.title for column in table.columns].index(title)
    return [row[place] for row in table.rows]
