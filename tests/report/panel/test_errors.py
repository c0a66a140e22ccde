from dataclasses import replace

import numpy as np

from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.document import Document, Paragraph, tables_of
from assay.report.panel.errors import errors_section, items_section, severity_chart
from tests.evaluation.raters.panels import panel_from, random_table

TABLE = random_table(1, items=80)
TABLE[:, 5] = np.clip(TABLE[:, 5] - 1, 1, 5)
RATINGS = panel_from(TABLE, 2)
PANEL = panel_of(RATINGS, ReplacementPlan(least_items=20))


def test_a_severe_judge_is_named() -> None:
    section = errors_section(PANEL)

    first = section.blocks[0]
    assert isinstance(first, Paragraph)
    assert str(first.spans).startswith("gpt-5 scores lower than people")
    assert [row.label for row in severity_chart(PANEL).rows] == ["gpt-4", "gpt-5"]


def test_levels_and_groups_are_tables_and_what_is_not_measured_is_said() -> None:
    ratings = replace(RATINGS, groups={"topic": (("x", "y"), np.arange(80) % 2)})
    section = errors_section(panel_of(ratings, ReplacementPlan(least_items=20)))

    names = [table.name for table in tables_of(Document("", sections=(section,)))]
    assert {"severity", "habits", "levels", "group_topic"} <= set(names)
    assert "no length in the table" in str(section.blocks[-1]).lower()


def test_items_come_with_what_everyone_gave() -> None:
    section = items_section(PANEL)

    assert section is not None
    (table,) = tables_of(Document("", sections=(section,)))
    assert len(table.rows) == 20


def test_categories_have_shares() -> None:
    panel = panel_of(panel_from(TABLE, 2, Labels("category", tuple("_abcde"))), ReplacementPlan(least_items=20))

    assert "most often gives another label" in str(errors_section(panel).blocks[0])


def test_without_judges_there_is_nothing_to_look_at() -> None:
    panel = panel_of(panel_from(TABLE[:, :4], 0), ReplacementPlan())

    assert items_section(panel) is None
    assert len(errors_section(panel).blocks) == 1
