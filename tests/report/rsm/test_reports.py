"""Reports on models: every section of RSMTool's, with words for who cannot see the charts, in every format."""

import re
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.report.charts.feature_charts import (
    BoxRow,
    BoxRows,
    SignedBar,
    SignedBars,
    Swarm,
    ValueMap,
    Waterfall,
    WaterfallStep,
)
from assay.report.charts.figures import picture
from assay.report.document.document import Disclosure, Document, Section
from assay.report.document.values import Chart, Table
from assay.report.render.html import to_html
from assay.report.render.pdf import document_json, to_pdf
from assay.report.rsm.compare_report import group_plot, rsm_comparison_report
from assay.report.rsm.experiment_report import SECTIONS, experiment_report
from assay.report.rsm.experiments import EvaluatedExperiment, side_by_side
from assay.report.rsm.explain_charts import ExplainPages
from assay.report.rsm.explain_report import explain_report
from assay.report.rsm.summary_report import summary_report
from assay.report.rsm.xval_report import xval_report
from assay.rsm.explain import Background, Explanation, cohorts, explain_model
from assay.rsm.filtering import data_composition
from assay.rsm.stored import NamedTable, StoredExperiment
from assay.scale import ScoreScale
from tests.report.rsm.experiments import PROVENANCE, experiment, feature_table, pages


def charts_of(document: Document) -> list[Chart]:
    found: list[Chart] = []
    waiting = [block for section in document.sections for block in section.blocks]
    while waiting:
        block = waiting.pop(0)
        if isinstance(block, Disclosure):
            waiting += block.blocks
        elif isinstance(block, Chart):
            found.append(block)
    return found


def titles(document: Document) -> list[str]:
    return [section.title for section in document.sections]


def table_named(section: Section, name: str) -> Table:
    return next(block for block in section.blocks if isinstance(block, Table) and block.name == name)


def explained(model: str = "LinearRegression", n: int = 40) -> Explanation:
    found = experiment(model)
    background = Background.of(found.train.preprocessed)
    return explain_model(
        found.model, found.test.used.ids[:n], found.test.preprocessed[:n], background, rng=np.random.default_rng(1)
    )


def explain_pages(n: int = 40) -> ExplainPages:
    explanation = explained(n=n)
    return ExplainPages(
        explanation=explanation,
        values=experiment().test.used.matrix[:n],
        background=300,
        left_out=2,
        model="LinearRegression",
        provenance=PROVENANCE,
        cohorts=[cohorts(explanation, 2)] if n > 4 else (),
    )


def documents() -> dict[str, Document]:
    found = pages()
    summary = [
        EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {"model": "X"}, {}, None, False), None)
        for name in "ab"
    ]
    folds = [(found.experiment, found.evaluation)] * 3
    return {
        "experiment": experiment_report(found, title="T"),
        "explain": explain_report(explain_pages(), title="T"),
        "summary": summary_report(summary, title="T", provenance=PROVENANCE),
        "comparison": rsm_comparison_report(summary, None, 0, title="T", provenance=PROVENANCE),
        "xval": xval_report(folds, found.evaluation, found.experiment, title="T", provenance=PROVENANCE),
    }


@pytest.mark.parametrize("name", ["experiment", "explain", "summary", "comparison", "xval"])
def test_every_report_becomes_html_and_every_chart_has_words(name: str) -> None:
    document = documents()[name]

    page = to_html(document)

    for chart in charts_of(document):
        assert chart.alt.strip()
        assert chart.says.strip()
        assert chart.table.rows
    assert not re.search(r"\bnan\b", page, flags=re.I)
    assert page.count("<section") == len(document.sections)


def test_an_experiment_report_has_all_sections_of_rsmtool() -> None:
    found = titles(experiment_report(pages(), title="T"))

    assert found == [
        "Data",
        "Responses by group",
        "Features",
        "Features by group",
        "Prepared features",
        "Differential feature functioning",
        "Human and human",
        "Model",
        "Agreement",
        "Distributions",
        "True score",
        "Subgroups",
        "Principal components",
        "Files",
        "Details",
        "How to read this",
        "Provenance",
    ]
    assert len(SECTIONS) == 15


def test_sections_can_be_chosen_and_put_in_order() -> None:
    document = experiment_report(pages(), title="T", sections=("pca", "model"), order=("model", "pca"))

    assert titles(document) == ["Model", "Principal components"]


def test_a_feature_that_works_differently_in_one_group_is_named() -> None:
    document = experiment_report(pages(), title="T", sections=("dff_by_group",))

    assert "spelling in Peru" in to_html(document)


def test_evaluating_on_training_responses_is_a_caution() -> None:
    found = pages()
    composition = data_composition(found.experiment.train, found.experiment.train)

    page = to_html(
        experiment_report(replace(found, composition=composition), title="T", sections=("data_description",))
    )

    assert "All evaluation responses were also used in training" in page


def test_coefficients_come_with_intervals_and_weights_that_add_up() -> None:
    section = SECTIONS["model"](pages())[0]

    table = table_named(section, "coefficients")

    relative = [row[-1] for row in table.rows if isinstance(row[-1], float)]
    assert sum(map(abs, relative)) == pytest.approx(1)
    assert len(table.rows) == 6


def test_the_waterfall_leads_from_the_background_to_the_score() -> None:
    document = explain_report(explain_pages(1), title="T")
    found = explained(n=1)

    (chart,) = [chart for chart in charts_of(document) if isinstance(chart, Waterfall)]

    assert chart.start == pytest.approx(found.base)
    assert chart.end == pytest.approx(float(found.predictions[0]))
    assert not any(isinstance(chart, Swarm) for chart in charts_of(document))


def test_few_background_responses_are_a_caution() -> None:
    page = to_html(explain_report(replace(explain_pages(), background=20), title="T"))

    assert "20 background responses may not be typical" in page


def test_reports_on_models_can_be_typeset() -> None:
    pytest.importorskip("typst")
    for name in ("experiment", "explain"):
        assert to_pdf(documents()[name]).startswith(b"%PDF")
        assert document_json(documents()[name])["sections"]


CHARTS: list[Chart] = [
    BoxRows(name="b", title="B", says="s", alt="a", rows=(BoxRow("x", 3, 1, 2, 3, 4, 5, (9.0,)),), limits=(0.0,)),
    SignedBars(name="s", title="S", says="s", alt="a", bars=(SignedBar("x", (-0.5,)), SignedBar("y", (0.2,)))),
    ValueMap(name="m", title="M", says="s", alt="a", rows=("x",), columns=("y", "z"), values=((-0.4, float("nan")),)),
    Waterfall(
        name="w",
        title="W",
        says="s",
        alt="a",
        start=3,
        start_label="0",
        end_label="1",
        steps=(WaterfallStep("x", "", -1),),
    ),
]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: type(chart).__name__)
def test_a_chart_stays_within_its_canvas(chart: Chart) -> None:
    body = picture(chart).body
    drawings = [row.drawing for row in body.rows] if hasattr(body, "rows") else [body]

    places = [
        value
        for drawing in drawings
        for shape in drawing.shapes
        for value in (getattr(shape, "x", 0), getattr(shape, "y", 0), getattr(shape, "x1", 0), getattr(shape, "x2", 0))
    ]

    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)


def test_bars_need_a_value_for_each_series() -> None:
    with pytest.raises(InputError, match="each bar needs a value"):
        SignedBars(name="s", title="S", says="s", alt="a", bars=(SignedBar("x", (1.0, 2.0)),))


def test_experiments_without_a_figure_have_no_column() -> None:
    table = NamedTable(("0",), ("R2",), ((0.5,),))
    one, other = (
        EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {}, tables, None, False), None)
        for name, tables in (("a", {"fit": table}), ("b", {}))
    )

    found = side_by_side("t", "T", [one, other], lambda e: e.tables["fit"].row("0") if e.tables else {})

    assert found is not None
    assert [column.title for column in found.columns] == ["Figure", "a"]


def test_the_sample_of_essays_is_what_the_tests_say_it_is() -> None:
    assert len(feature_table(10, 3)) == 10


def in_groups(name: str, shift: dict[str, float]) -> EvaluatedExperiment:
    """An experiment whose system scores are off by so much in each group, four responses each."""
    human = np.tile([1.0, 2.0, 3.0, 4.0], len(shift))
    groups = [group for group in shift for _ in range(4)]
    system = human + np.array([shift[group] for group in groups])
    ratings = Ratings(human[:, None], system, groups=(GroupColumn.of("country", groups),))
    evaluation = evaluate_engine(ratings, Plan(ScoreScale(1, 4)), engine=name, raters=("first",))
    return EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {}, {}, None, False), evaluation)


def test_the_group_that_is_furthest_off_is_named_whichever_way_it_is_off() -> None:
    found = [in_groups("old", {"Kenya": 0.1, "Norway": -0.6, "Peru": 0.3}), in_groups("new", {"Kenya": 0.2, "Peru": 0})]

    chart = group_plot(found, "country", "dsm")

    values = {row.label: row.estimates[0].value for row in chart.rows if row.estimates[0] is not None}
    assert max(values, key=lambda label: abs(values[label])) == "Norway, old"
    assert (
        chart.says == f"The largest difference of standardised means is {-values['Norway, old']:.2f}, of Norway, old."
    )
    assert [row.label for row in chart.rows] == ["Kenya, old", "Kenya, new", "Norway, old", "Peru, old", "Peru, new"]


def test_of_groups_that_are_equally_far_off_the_first_is_named() -> None:
    chart = group_plot([in_groups("old", {"Kenya": 0.5}), in_groups("new", {"Kenya": 0.5})], "country", "dsm")

    assert chart.says.endswith(", of Kenya, old.")


def test_an_experiment_without_scores_is_left_out_of_charts_by_group() -> None:
    without = EvaluatedExperiment(StoredExperiment("none", "none", "rsmtool", {}, {}, None, False), None)

    document = rsm_comparison_report(
        [in_groups("old", {"Kenya": 0.5}), without], None, 0, title="T", provenance=PROVENANCE
    )

    (chart,) = [chart for chart in charts_of(document) if chart.name == "dsm_by_country"]
    assert [row[0] for row in chart.table.rows] == ["Kenya, old"]
