import numpy as np
import polars as pl

from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.document import Document, tables_of
from assay.report.panel.models import model_section, preferences_section
from assay.workflows.evaluation.panel import panel as run_panel
from tests.evaluation.raters.panels import panel_from, random_table

TABLE = random_table(1, items=80)
PANEL = panel_of(panel_from(TABLE, 2), ReplacementPlan(least_items=20))


def test_severities_are_a_chart_with_fit_behind_a_line() -> None:
    names = [table.name for table in tables_of(Document("", sections=(model_section(PANEL),)))]

    assert names[:2] == ["severities", "rasch"]
    assert "consensus" in names


def test_the_decision_study_says_what_a_third_rater_adds() -> None:
    text = str(model_section(PANEL).blocks)

    assert "Two raters and one judge give 0." in text
    assert "a third rater adds 0." in text


def test_no_model_says_why() -> None:
    panel = panel_of(panel_from(TABLE, 2, Labels("category", tuple("_abcde"))), ReplacementPlan())

    assert "No rater model: categories have no severity." in str(model_section(panel).blocks[0])


def test_preferences_have_strengths_and_a_position_effect() -> None:
    rng = np.random.default_rng(1)
    pairs = rng.integers(0, 3, size=(200, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    names = np.array(["x", "y", "z"])
    frame = pl.DataFrame(
        {
            "question": [f"q{i}" for i in range(len(pairs))],
            "model_a": names[pairs[:, 0]],
            "model_b": names[pairs[:, 1]],
            "winner": rng.choice(["model_a", "model_b", "tie"], size=len(pairs)),
            "judge": rng.choice(["ann", "gpt"], size=len(pairs)),
        }
    )

    section = preferences_section(run_panel(frame).panel)

    assert section is not None
    assert [table.name for table in tables_of(Document("", sections=(section,)))] == [
        "strengths_people",
        "strengths",
        "position",
    ]
    assert preferences_section(PANEL) is None
