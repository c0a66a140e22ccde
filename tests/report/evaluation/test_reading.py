"""How to read a report, and where it comes from."""

import pytest

from assay.evaluation.thresholds import THRESHOLDS
from assay.report.document.document import Paragraph, Section
from assay.report.document.metric_words import METRIC_WORDS
from assay.report.document.values import Table
from assay.report.document.values import plain as words_of
from assay.report.evaluation.reading import (
    chosen_sections,
    details_section,
    files_sections,
    glossary,
    interval_words,
    provenance_table,
    reading_section,
)
from tests.report.evaluation.evaluations import PROVENANCE, plain, report_of, rich
from tests.report.reading import blocks_of, column_of, table_of, text_of


def test_the_provenance_names_version_command_input_digest_and_settings() -> None:
    rows = {words_of(row[0]): words_of(row[1]) for row in table_of(report_of(rich()), "provenance").rows}  # type: ignore[arg-type]

    assert rows["Version"] == "Assay 0.1"
    assert rows["Command"] == PROVENANCE.command
    assert rows["Input"] == f"autumn.csv, SHA-256 {'4f1c' * 16}"
    assert rows["Seed"] == "none: nothing was drawn at random"
    assert rows["Scale"] == "1 to 6"


def tables(section: Section) -> dict[str, Table]:
    return {block.name: block for block in blocks_of(section.blocks) if isinstance(block, Table)}


def test_every_published_threshold_is_listed_with_its_source() -> None:
    table = tables(reading_section(rich(), PROVENANCE))["thresholds"]

    assert len(table.rows) == len(THRESHOLDS) + 1
    assert all(column_of(table, "Source"))
    assert column_of(table, "Verdict").count("not met") >= 1


def test_details_hold_every_table_without_a_place_above() -> None:
    assert tables(details_section(rich())).keys() == {
        "degradation",
        "disattenuated_correlations",
        "consistency_by_first_language",
        "eval_by_first_language",
        "fairness_estimates_by_first_language",
    }
    assert tables(details_section(plain())).keys() == set()


def test_how_intervals_were_made_is_said() -> None:
    bootstrap = words_of(interval_words(2000, 7, by_candidate=True))

    assert "all responses of a candidate are drawn again with replacement 2,000 times (seed 7)" in bootstrap
    assert "jackknife" in words_of(interval_words(0, 0, by_candidate=False))
    assert column_of(provenance_table(PROVENANCE, 2000), "Value")[-1] == "0"
    assert column_of(provenance_table(PROVENANCE, 0), "Value")[-1] == "none: nothing was drawn at random"


def test_the_glossary_explains_what_was_used_and_nothing_else() -> None:
    (table,) = glossary({"qwk"}).blocks

    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == [METRIC_WORDS["qwk"].title]


def test_sections_are_made_only_when_they_are_chosen() -> None:
    def made(title: str) -> tuple[Section, ...]:
        return (Section(title, (Paragraph(title),)),)

    makers = {"data": lambda: made("Data"), "model": lambda: pytest.fail("not asked for"), "pca": lambda: made("PCA")}

    assert [section.title for section in chosen_sections(makers, ["data", "pca"], ["pca"])] == ["PCA", "Data"]


def test_files_beside_a_report_are_listed_in_order_or_not_mentioned() -> None:
    (section,) = files_sections(["b.csv", "a.csv"])

    assert [words_of(row[0]) for row in tables(section)["files"].rows] == ["a.csv", "b.csv"]  # type: ignore[arg-type]
    assert "output/" in text_of(section)
    assert files_sections([]) == ()
