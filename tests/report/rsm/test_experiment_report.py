"""The report of an experiment has all sections of RSMTool's, or those asked for."""

from dataclasses import replace

from assay.report.render.html import to_html
from assay.report.rsm.experiment_report import (
    SECTIONS,
    by_group_section,
    data_section,
    experiment_report,
    predict_report,
)
from assay.rsm.filtering import data_composition
from tests.report.reading import (
    all_charts,
    column_of,
    table_of,
    tables_in,
    text_of,
    titles_of,
)
from tests.report.rsm.experiments import (
    pages,
)


def test_an_experiment_report_has_all_sections_of_rsmtool() -> None:
    found = titles_of(experiment_report(pages(), title="T"))

    assert found == [
        "Data",
        "Responses by group",
        "Features",
        "Features by group",
        "Prepared features",
        "Differential feature functioning",
        "Two raters",
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

    assert titles_of(document) == ["Model", "Principal components"]


def test_evaluating_on_training_responses_is_a_caution() -> None:
    found = pages()
    composition = data_composition(found.experiment.train, found.experiment.train)

    page = to_html(
        experiment_report(replace(found, composition=composition), title="T", sections=("data_description",))
    )

    assert "All evaluation responses were also used in training" in page


def test_responses_read_left_out_and_used_add_up() -> None:
    found = pages()
    table = tables_in(data_section(found.experiment, found.composition, found.evaluation))["responses"]

    for title, used in (("Training", 300), ("Evaluation", 200)):
        assert sum(cell for cell in column_of(table, title) if isinstance(cell, int)) == used
    assert table.foot == (("Used", 300, 200),)


def test_small_groups_are_named_and_said_not_to_be_shown() -> None:
    section = by_group_section(pages().composition, {"country": 90})

    table = tables_in(section)["data_composition_by_country"]
    assert {row[0] for row in table.rows} == {"Norway", "Peru", "Kenya"}
    assert sum(row[1] for row in table.rows if isinstance(row[1], int)) == 300
    assert "Groups of country with fewer than 90 responses are not shown below" in text_of(section)


def test_a_prediction_tells_its_most_common_score() -> None:
    document = predict_report([3.0, 3.0, 4.0], 2, experiment_id="mine")

    assert column_of(table_of(document, "responses"), "Count") == [3, 2]
    (chart,) = all_charts(document)
    assert chart.says == "The most common score is 3, given to 2 responses."
    assert not all_charts(predict_report([], 5, experiment_id="mine"))
