"""Numbers, intervals, counts and dates as people read them."""

from math import nan

import pytest

from assay.metrics.intervals import Estimate
from assay.report.document.values import INTEGER, PERCENT, PLAIN, Band, Column, FormattedEstimate, Number
from assay.report.document.wording import (
    band_text,
    below_text,
    counted,
    date_words,
    escaped,
    estimate_text,
    interval_text,
    listed,
    number_text,
    number_word,
    p_words,
    printable,
    sentence,
    shortened,
    shown,
    value_text,
)


def test_a_figure_in_other_units_than_its_column_keeps_them() -> None:
    assert value_text(FormattedEstimate(0.473, number=PERCENT), PLAIN) == "47.3\u00a0%"
    assert value_text(FormattedEstimate(0.473), PERCENT) == "47.3\u00a0%"
    assert value_text(Estimate(0.473), PERCENT) == "47.3\u00a0%"


@pytest.mark.parametrize(
    ("value", "number", "text"),
    [
        (1234.5, Number(1), "1,234.5"),
        (-0.25, Number(2), "−0.25"),
        (0.25, Number(2, signed=True), "+0.25"),
        (0.473, PERCENT, "47.3\u00a0%"),
        (nan, PLAIN, "n/a"),
    ],
)
def test_a_number_is_written_as_its_format_says(value: float, number: Number, text: str) -> None:
    assert number_text(value, number) == text


def test_below_a_value_stands_its_interval_or_why_there_is_none() -> None:
    assert below_text(Estimate(0.5, 0.4, 0.6), PLAIN) == interval_text(Estimate(0.5, 0.4, 0.6), PLAIN) != ""
    assert below_text(Estimate(reason="one response"), PLAIN) == "one response"
    assert below_text(Estimate(), PLAIN, "nobody read it") == "nobody read it"
    assert interval_text(Estimate(0.5), PLAIN) == ""
    assert estimate_text(Estimate(0.5, 0.4, 0.6), PLAIN).startswith("0.50")


def test_bands_are_told_by_their_ends() -> None:
    texts = [band_text(band, PLAIN) for band in (Band(least=0.7), Band(most=0.1), Band(-0.1, 0.1))]

    assert len(set(texts)) == 3
    assert "0.70" in texts[0]
    assert texts[2] == "within ±0.10"


def test_a_cell_shows_its_text_or_its_verdict() -> None:
    assert shown(Column("A"), "words").text == "words"
    assert shown(Column("V", "verdict"), "met").verdict == "met"
    assert shown(Column("N", "number", INTEGER), 3).text == "3"
    assert shown(Column("E", "estimate"), Estimate(reason="why")).undefined
    assert shown(Column("A"), None).text == ""


def test_counts_and_lists_read_as_english() -> None:
    assert [counted(n, "essay") for n in (1, 2, 1200)] == ["1 essay", "2 essays", "1,200 essays"]
    assert counted(2, "study", "studies") == "2 studies"
    assert [number_word(n) for n in (0, 3, 12, 13)] == ["no", "three", "twelve", "13"]
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c", "d"], 2, "group") == "a, b and two more groups"
    assert sentence("all is well") == "All is well."
    assert shortened("x" * 50).endswith("…")
    assert len(shortened("x" * 50)) <= 40


def test_dates_and_p_values_are_written_for_people() -> None:
    assert date_words("2026-11-15T14:20:00+01:00") == "15 November 2026, 14:20"
    assert date_words("yesterday") == "yesterday"
    assert p_words(0.0001) == "< 0.001"
    assert p_words(0.25).startswith("0.25")


def test_text_from_outside_does_nothing_on_a_page() -> None:
    assert escaped('<b a="1">&') == "&lt;b a=&quot;1&quot;&gt;&amp;"
    assert printable("a\u202eb\x00") == "a\ufffdb\ufffd"
