"""What templates say of numbers, times and verdicts."""

from datetime import UTC, datetime, timedelta

import pytest

from assay.web.templating import ago, badge, duration, environment, extract_inline_styles, fixed, quoted, size

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "words"),
    [(timedelta(seconds=5), "now"), (timedelta(days=1), "yesterday"), (timedelta(days=30), "2 Feb")],
)
def test_a_time_is_as_short_as_it_can_be_said(before: timedelta, words: str) -> None:
    assert f">{words}<" in ago(NOON - before, NOON)


def test_another_year_is_named() -> None:
    assert "2025<" in ago(NOON - timedelta(days=365), NOON)


def test_words_from_outside_are_escaped_in_a_verdict() -> None:
    assert "&lt;b&gt;" in badge("met", "<b>")
    assert 'class="v met"' in badge("met", "met")


def test_equal_styles_become_one_rule() -> None:
    markup, rules = extract_inline_styles('<i style="top:1px"></i><b style="top:2px"></b><u style="top:1px"></u>')

    assert markup == '<i data-s="0"></i><b data-s="1"></b><u data-s="0"></u>'
    assert rules == '[data-s="0"]{top:1px}[data-s="1"]{top:2px}'


def test_what_is_undefined_is_said_and_units_change_with_size() -> None:
    assert (fixed(float("nan")), fixed(1234.5, 1)) == ("n/a", "1,234.5")
    assert (size(2048), duration(0.2), quoted('a"b')) == ("2 KB", "1 s", '"a\\"b"')


def test_a_choice_is_shown_by_its_words_and_sent_by_its_name() -> None:
    template = environment().from_string(
        '{% import "macros.html" as ui %}{{ ui.choice("c", "Cutoffs", words, "b", words=words) }}'
    )

    assert '<option value="b" selected>The second</option>' in template.render(
        words={"a": "The first", "b": "The second"}
    )
