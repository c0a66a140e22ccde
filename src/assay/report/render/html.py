"""A document as one self-contained HTML page: no network, no script, light and dark, narrow and printed."""

from importlib import resources
from string import ascii_letters, digits

from assay.report.charts.figures import track
from assay.report.document import document as doc
from assay.report.document.overlay import Overlay
from assay.report.document.values import Table
from assay.report.document.wording import below_text, escaped, estimate_text, printable, value_text
from assay.report.render.html_blocks import board_html, chart_html, spans_html, svg, table_html, verdict_html
from assay.report.render.overlay_svg import overlay_html

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_HARMLESS = ascii_letters + digits  # no space: after an escape CSS would swallow it
HATCH = (
    '<svg class="vh" aria-hidden="true" focusable="false"><defs>'
    '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="hatch-ground" width="5" height="5"/><path class="hatch-line" d="M0 0V5"/>'
    "</pattern></defs></svg>"
)
"""The pattern that bars of the system are filled with; once on a page that shows charts."""

STONE = (
    '<svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">'
    '<rect class="stone" width="24" height="24" rx="6"/>'
    '<path class="streak" d="M7 18L15 6"/><path class="streak two" d="M12 18L18 9"/></svg>'
)


def to_html(document: doc.Document) -> str:
    """The document as the text of one HTML file."""
    blocks = [block for section in document.sections for block in section.blocks]
    sheets = [
        "report.css",
        *(["board.css"] if document.board else []),
        *(["essay.css"] if any(isinstance(b, doc.AnnotatedEssay | doc.AdviceList) for b in blocks) else []),
    ]
    folder = resources.files("assay.report.render")
    css = "".join(folder.joinpath(sheet).read_text(encoding="utf-8") for sheet in sheets)
    # the title at the foot of each printed page, as a CSS string that cannot end early
    safe = "".join(c if c in _HARMLESS else f"\\{ord(c):06x}" for c in printable(document.title))
    page_foot = f'@page {{ @bottom-left {{ content: "{safe}"; font: 9pt sans-serif; color: #57554f; }} }}\n'
    foot = f'<footer class="foot"><p>{escaped(document.footer)}</p></footer>' if document.footer else ""
    # the first screen: title, verdict, key figures
    by = f'<p class="by">{escaped(document.subtitle)}</p>' if document.subtitle else ""
    lead = f"<strong>{escaped(document.verdict_lead)}</strong> " if document.verdict_lead else ""
    words = f"{lead}{escaped(document.verdict_rest)}".strip()
    verdict = f'<p class="verdict">{words}</p>' if words else ""
    opening = f"<h1>{escaped(document.title)}</h1>{by}{verdict}{first_screen_html(document)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(document.title)}</title>\n<style>\n{css}{page_foot}</style>\n</head>\n"
        f'<body>\n<a class="skip" href="#main">Skip to the report</a>\n{HATCH}\n'
        f'<header class="top">{STONE}<span>Assay</span></header>\n'
        f'<main id="main" class="page">\n<div class="opening">{opening}</div>\n{contents_html(document.sections)}\n'
        f'<div class="sections">\n{sections_html(document.sections)}\n</div>\n</main>\n{foot}\n</body>\n</html>\n'
    )


def first_screen_html(document: doc.Document) -> str:
    """What stands below the verdict: cautions, the board, the key figures."""
    notes = (f'<p class="note caution"><strong>Caution.</strong> {spans_html(c)}</p>' for c in document.cautions)
    board = board_html(document.board) if document.board else ""
    return f"{''.join(notes)}{board}{key_figures_html(document)}"


def key_figures_html(document: doc.Document) -> str:
    """The key figures as a list; empty when there are none."""
    if not document.key_figures:
        return ""
    rows = "\n".join(_key_figure(figure) for figure in document.key_figures)
    note = f'<p class="small quiet">{escaped(document.figures_note)}</p>' if document.figures_note else ""
    return f'<ul class="figs" aria-label="Key figures">\n{rows}\n</ul>{note}'


def _key_figure(figure: doc.KeyFigure) -> str:
    value, below = (words(figure.estimate, figure.number) for words in (value_text, below_text))
    undefined = " na" if value == "n/a" else ""
    alt = f"{figure.name}: {estimate_text(figure.estimate, figure.number)}; {figure.note}"
    idle = f'<span class="v idle">{escaped(doc.idle_words(figure))}</span>'
    verdict = verdict_html(figure.verdict) if figure.verdict is not None else idle
    return (
        f'<li class="fig"><div class="name"><b>{escaped(figure.name)}</b>'
        f'<span class="sub">{escaped(figure.note)}</span></div>'
        f'<div class="val{undefined}"><b>{value}</b> <span class="sub">{escaped(below)}</span></div>'
        f'<div class="track">{svg(track(figure), alt=alt)}</div>{verdict}</li>'
    )


def contents_html(sections: tuple[doc.Section, ...]) -> str:
    """Links to the sections; empty when there is one at most."""
    if len(sections) < 2:
        return ""
    items = "".join(
        f'<li><a href="#s{i}"><span class="no">{i}</span>{escaped(section.title)}</a></li>'
        for i, section in enumerate(sections, 1)
    )
    return f'<nav class="toc" aria-label="Sections"><ol>{items}</ol></nav>'


def sections_html(sections: tuple[doc.Section, ...]) -> str:
    """The numbered sections one after the other."""
    return "\n".join(
        f'<section class="section" id="s{i}"><h2><span class="no">{i}</span>{escaped(section.title)}</h2>'
        f"{blocks_html(section.blocks)}</section>"
        for i, section in enumerate(sections, 1)
    )


def blocks_html(blocks: tuple[doc.Block, ...]) -> str:
    """Blocks one after the other."""
    return "\n".join(_block(block) for block in blocks)


def _block(block: doc.Block) -> str:
    if isinstance(block, doc.Paragraph):
        opening = '<p class="quiet small">' if block.quiet else "<p>"
        return f"{opening}{spans_html(block.spans)}</p>"
    if isinstance(block, doc.Note):
        word = "Caution" if block.kind == "caution" else "Note"
        return f'<p class="note {block.kind}"><strong>{word}.</strong> {spans_html(block.spans)}</p>'
    if isinstance(block, doc.Subheading):
        return f"<h3>{escaped(block.title)}</h3>"
    if isinstance(block, Table):
        return table_html(block)
    if isinstance(block, Overlay):
        return overlay_html(block)
    if isinstance(block, doc.AnnotatedEssay | doc.AdviceList):
        from assay.report.render.html_essay import advice_html, essay_html  # noqa: PLC0415 - few reports have essays

        return essay_html(block) if isinstance(block, doc.AnnotatedEssay) else advice_html(block)
    if isinstance(block, doc.Disclosure):
        return (
            f"<details><summary>{escaped(block.summary)}</summary>"
            f'<div class="inside">{blocks_html(block.blocks)}</div></details>'
        )
    return chart_html(block)
