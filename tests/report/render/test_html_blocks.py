"""Text, tables and charts as HTML."""

import re

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import Bar, Bars
from assay.report.charts.drawing import Drawing, Rect
from assay.report.document.board import Board, BoardRow
from assay.report.document.document import Document
from assay.report.document.values import Band, Code, Column, Link, Strong, Table
from assay.report.render.html import to_html
from assay.report.render.html_blocks import (
    VERDICT_ICONS,
    board_html,
    chart_html,
    spans_html,
    svg,
    table_html,
    verdict_html,
)
from tests.report.sample import sample_document


def test_an_undefined_value_shows_its_reason() -> None:
    columns = (Column("Figure"), Column("QWK", "estimate"), Column("r", "number", undefined="one response"))

    html = table_html(Table("t", "T", columns, (("a", Estimate(reason="all human scores are equal"), float("nan")),)))

    assert '<span class="na">n/a<span class="sub">all human scores are equal</span></span>' in html
    assert '<span class="na">n/a<span class="sub">one response</span></span>' in html


def test_each_verdict_has_its_own_icon_and_word() -> None:
    page = to_html(sample_document())

    assert len({icon for _, icon in VERDICT_ICONS.values()}) == 4
    assert all(f"</svg>{word}</span>" in page for word in VERDICT_ICONS)


def test_emphasis_becomes_elements_and_words_stay_words() -> None:
    html = spans_html(("a < b ", Strong("now"), Code("x.csv"), Link("more", "b.html")))

    assert html.startswith("a &lt; b <")
    assert 'href="b.html"' in html
    assert re.search(r"<(b|strong)>now</", html)
    assert "x.csv</code>" in html


def test_a_drawing_without_words_is_decoration() -> None:
    drawing = Drawing((Rect(0, 0, 1, 1, "bar part"),), 20)

    assert 'aria-hidden="true"' in svg(drawing)
    assert 'role="img" aria-label="A bar"' in svg(drawing, alt="A bar")
    assert 'class="bar part"' in svg(drawing)


def test_a_chart_has_title_sentence_and_figures() -> None:
    html = chart_html(Bars(name="b", title="Errors", says="Few.", alt="A", bars=(Bar("spelling", 3),)))

    assert "Errors" in html
    assert "Few." in html
    assert '<details class="figures">' in html
    assert "spelling" in html


def test_a_verdict_is_a_word_with_its_icon() -> None:
    assert "not met" in verdict_html("not met")
    assert verdict_html("met") != verdict_html("met, uncertain")


ROWS = (
    BoardRow("People", "3 raters", Estimate(0.8, 0.7, 0.9), dots=(0.75, 0.85), mark="human", remark="ceiling"),
    BoardRow("<b>gpt", "x", Estimate(0.7, 0.6, 0.8), detail="1 of 3", count=(1, 3), verdict="met", second="not met"),
    BoardRow("claude", "x", Estimate(reason="no item in common"), remark="n/a"),
)
BOARD = Board("Judges", ("Judge", "QWK", "Axis", "Test", "Verdict"), ROWS, Band(0.7, 0.9), 0.8, "people", "With h2")


def test_names_are_escaped_and_counts_drawn() -> None:
    page = board_html(BOARD)

    assert "&lt;b&gt;gpt" in page
    assert "<b>gpt" not in page.replace("<b>&lt;", "")
    assert page.count('<i class="on">') == 1
    assert "With h2: not met" in page


def test_an_undefined_figure_says_why() -> None:
    assert "no item in common" in board_html(BOARD)


def test_a_document_with_a_board_and_cautions_shows_them_before_the_sections() -> None:
    page = to_html(Document("T", verdict_lead="Yes.", cautions=("Mind <this>.",), board=BOARD))

    assert page.index("Mind &lt;this&gt;.") < page.index('class="board"')
    assert ".jrow" in page
