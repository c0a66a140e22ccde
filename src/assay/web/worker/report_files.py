"""Reports as the files that workers keep of them."""

from importlib.util import find_spec

from assay.report.document.document import Document, Section
from assay.report.document.wording import escaped
from assay.report.render.html import HATCH, key_figures_html, sections_html


def page_html(document: Document, sections: tuple[Section, ...], *, before: str = "") -> bytes:
    """A report without its title, for a page that has one; `before` stands before its sections."""
    lead = f"<strong>{escaped(document.verdict_lead)}</strong> " if document.verdict_lead else ""
    verdict = f'<p class="verdict">{lead}{escaped(document.verdict_rest)}</p>'
    shown = f'<div class="sections">{sections_html(sections)}</div>'
    return f"{HATCH}{verdict}{key_figures_html(document)}{before}{shown}".encode()


def pdf_file(document: Document) -> dict[str, bytes]:
    """The report as PDF, where that can be made."""
    if find_spec("typst") is None:
        return {}
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415  # optional

    return {"report.pdf": to_pdf(document)}
