"""The HTML report stands alone, shows hostile words as words, and leaves no n/a without its reason."""

import re
from html.parser import HTMLParser
from importlib import resources

import pytest

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import PairedBars, PairOfBars
from assay.report.document.document import Document, KeyFigure, Note, Paragraph, Section, Subheading
from assay.report.document.values import Band, Column, Table
from assay.report.render.html import to_html
from tests.report.sample import HOSTILE, sample_document


class Elements(HTMLParser):
    """The tags of a page and all its words, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def everywhere(text: str) -> Document:
    """A document with the text in every place that takes one."""
    table = Table(text, text, (Column(text), Column(text, "estimate")), ((text, Estimate(reason=text)),))
    bars = PairedBars(name=text, title=text, says=text, alt=text, points=(PairOfBars(text, 1, 1),))
    figure = KeyFigure(text, text, Estimate(reason=text), Band(least=0.7))
    blocks = (Paragraph(text), Note(text), Subheading(text), table, bars)
    return Document(text, text, text, text, (figure,), text, (Section(text, blocks), Section(text, ())), text)


@pytest.mark.parametrize("text", [HOSTILE, '"><img src=x onerror=alert(1)>', "</style><script>x()</script>"])
def test_hostile_words_are_shown_and_never_become_elements(text: str) -> None:
    page = Elements(to_html(everywhere(text)))

    assert not {"script", "img", "iframe", "object", "link"} & {tag for tag, _ in page.tags}
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert page.words.count(text) > 20


def test_characters_no_page_can_hold_are_replaced() -> None:
    page = to_html(everywhere("a\x00b\ud800c\u202ed"))

    assert "a\ufffdb\ufffdc\ufffdd" in page
    page.encode("utf-8")


def test_the_page_loads_nothing_and_allows_nothing() -> None:
    page = to_html(sample_document())

    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert "<script>" not in page
    assert not re.search(r"""(src|href)="(?!#)|@import|url\((?!#hatch)""", page)


def test_no_na_of_the_sample_stands_alone() -> None:
    page = to_html(sample_document())

    shown = re.findall(r"n/a(?:</b>)?(.{0,40})", re.sub(r'<text class="small".*?</text>', "", page))
    assert len(shown) > 8
    assert all(after.strip().startswith(('<span class="sub">', ":")) for after in shown)


def test_every_chart_has_alt_text_and_its_figures() -> None:
    page = to_html(sample_document())

    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(figures) == 8
    for figure in figures:
        assert 'role="img" aria-label="' in figure or '<p class="vh">' in figure
        assert '<details class="figures">' in figure
        assert "<tbody>" in figure


def test_heads_have_scopes_and_tables_have_captions() -> None:
    page = Elements(to_html(sample_document()))

    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")
    assert sum(tag == "table" for tag, _ in page.tags) == sum(tag == "caption" for tag, _ in page.tags)


def test_the_style_sheet_stays_small() -> None:
    assert len(resources.files("assay.report.render").joinpath("report.css").read_bytes()) < 25_000


def test_the_printed_foot_is_the_title_and_cannot_leave_its_string() -> None:
    page = to_html(Document('a, b"}</style>'))

    assert 'content: "a\\00002c\\000020b\\000022\\00007d\\00003c\\00002fstyle\\00003e"' in page


def test_a_document_of_a_title_alone_is_a_page() -> None:
    page = to_html(Document("Nothing yet"))

    assert "<h1>Nothing yet</h1>" in page
    assert "<nav" not in page
