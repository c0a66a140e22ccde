"""The sections of a report: which it holds, in which order, and the one that lists the files beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from assay.report.document.document import Paragraph, Section
from assay.report.document.values import Code, Column, Row, Table

FOOTER = "Made by Assay {}. It opens without a network and holds no scripts."


def section_names(known: Iterable[str], sections: Sequence[str] = ("all",), order: Sequence[str] = ()) -> list[str]:
    """The known sections that are wanted: first those with a place of their own, then the others in their usual order.

    >>> section_names(["data", "model", "pca"], ["pca", "data"]), section_names(["data", "model", "pca"], order=["pca"])
    (['data', 'pca'], ['pca', 'data', 'model'])
    """
    chosen = [name for name in known if "all" in sections or name in sections]
    first = [name for name in dict.fromkeys(order) if name in chosen]
    return first + [name for name in chosen if name not in first]


def chosen_sections(
    makers: Mapping[str, Callable[[], tuple[Section, ...]]], sections: Sequence[str], order: Sequence[str] = ()
) -> tuple[Section, ...]:
    """The sections that are wanted, each made by its name."""
    return tuple(section for name in section_names(makers, sections, order) for section in makers[name]())


def files_sections(files: Sequence[str]) -> tuple[Section, ...]:
    """The files beside the report, those of one kind together; nothing where the report stands alone."""
    if not files:
        return ()
    rows: tuple[Row, ...] = tuple(((Code(name),),) for name in sorted(files))
    table = Table("files", "Files beside this report", (Column("File"),), rows)
    words = ("They lie in ", Code("output/"), ", with RSMTool’s names and columns.")
    return (Section("Files", (Paragraph(words), table)),)
