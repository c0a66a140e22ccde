from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.raters.corrections import CorrectionPlan
from assay.evaluation.raters.more_items import MoreItems
from assay.evaluation.raters.panel import Panel, panel_of
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.document import Document, Section, tables_of
from assay.report.panel.usable import jury_words, labels_section, settling_words, use_section
from tests.evaluation.raters.panels import panel_from, random_table

TABLE = random_table(1, items=120)


def asked(table: np.ndarray, labels: Labels | None = None, **plan: float) -> Panel:
    return panel_of(panel_from(table, 2, labels), ReplacementPlan(least_items=20), CorrectionPlan(**plan))  # type: ignore[arg-type]


def names(section: Section | None) -> list[str]:
    return [] if section is None else [table.name for table in tables_of(Document("", sections=(section,)))]


def test_everything_that_makes_judges_usable_has_a_table() -> None:
    few = TABLE.copy()
    few[60:, :4] = np.nan
    panel = asked(few, pass_mark=3, within=0.2)

    assert names(use_section(panel)) == [
        *("corrected", "pass_rates", "reliability_curve", "calibration", "calibrated_scores", "jury", "jury_errors"),
        "equating",
    ]
    assert names(labels_section(panel))[-2:] == ["label_needs", "label_next"]


def test_no_correction_is_shown_where_people_rated_everything() -> None:
    panel = asked(random_table(2, items=60, gaps=0.0))

    assert "corrected" not in names(use_section(panel))
    assert "label_next" not in names(labels_section(panel))


def test_categories_have_no_section() -> None:
    assert use_section(asked(TABLE, Labels("category", tuple("_abcde")))) is None


def test_it_says_how_many_items_would_settle_a_verdict() -> None:
    sure = MoreItems("gpt", (100, 150, 200), (0.3, 0.4, 0.5), (1.0, 1.0, 1.0), 200, "met")
    never = MoreItems("llama", (100, 150, 200), (0.3, 0.4, 0.4), (0.6, 0.6, 0.6), None)

    assert settling_words((sure, never)) == (
        "gpt would pass for certain with about 100 more; llama would stay uncertain even with 200 items: it is close "
        "to the line. Counted are items rated by two or more people, and new items are supposed to resemble these."
    )


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (0.1, "come closer to people"),
        (-0.2, "use that judge"),
        (0.0, "is not shown to be better"),
    ],
)
def test_a_jury_says_whether_it_is_worth_it(shift: float, words: str) -> None:
    jury = asked(TABLE).use.jury
    moved = type(jury.gain)(shift, shift - 0.05, shift + 0.05)

    assert words in jury_words(replace(jury, gain=moved))
