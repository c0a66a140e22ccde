"""Experiments compared: on what they share, by group, weight by weight."""

from assay.report.rsm.compare_report import (
    by_group_sections,
    components_section,
    consistency_section,
    descriptives_section,
    distributions_section,
    evaluation_section,
    group_plot,
    rsm_comparison_report,
    weight_bars,
    weights_section,
)
from assay.report.rsm.experiments import EvaluatedExperiment
from assay.rsm.stored import StoredExperiment
from tests.report.reading import (
    all_charts,
    charts_of,
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    PROVENANCE,
    in_groups,
    named,
    stored,
)


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

    (chart,) = [chart for chart in all_charts(document) if chart.name == "dsm_by_country"]
    assert [row[0] for row in chart.table.rows] == ["Kenya, old"]


def weighted(name: str, words: float, errors: float) -> EvaluatedExperiment:
    return stored(name, betas=named("words errors", "standardized", words, errors))


def test_weights_are_told_apart_by_the_feature_that_differs_most() -> None:
    old, new = weighted("old", 0.5, -0.1), weighted("new", 0.4, -0.4)

    assert weight_bars([old, new]).says == "The weights differ most for errors, by 0.30."
    assert weight_bars([old, old]).says == "The weights are the same."
    (section,) = weights_section([old, new])
    assert column_of(tables_in(section)["betas_differences"], "Feature") == ["words", "errors"]
    assert weights_section([stored(), stored("new")]) == ()


def test_what_no_experiment_has_is_said_in_place() -> None:
    nothing = [stored("old"), stored("new")]

    assert text_of(consistency_section(nothing)) == "No experiment has responses that two raters scored."
    assert text_of(descriptives_section(nothing)) == "No experiment has features."
    assert text_of(components_section(nothing)) == "No experiment has features."
    assert text_of(distributions_section(nothing)) == "No experiment holds scores."
    assert by_group_sections(nothing) == ()


def test_tables_of_the_experiments_are_set_side_by_side() -> None:
    tables = {
        "consistency": named("0", "N kappa", 40, 0.6),
        "feature_descriptives": named("words errors", "mean", 300, 4),
        "margcor_score_by_country": named("Kenya Peru", "words", 0.5, 0.6),
        "score_dist": named("1.0 2.0", "human sys_raw", 40, 50, 60, 50),
    }
    both = [stored("old", **tables), stored("new", **tables)]

    assert len(tables_in(consistency_section(both))["consistency"].rows) == 2
    assert column_of(tables_in(descriptives_section(both))["features_mean"], "Feature") == ["words", "errors"]
    (by_group,) = by_group_sections(both)
    assert column_of(tables_in(by_group)["margcor_by_country"], "Feature, group") == ["words, Kenya", "words, Peru"]
    shares = tables_in(distributions_section(both))["score_dist_system"]
    assert column_of(shares, "Score") == ["1", "2"]


def test_charts_by_group_are_drawn_for_columns_that_all_have() -> None:
    section = evaluation_section([in_groups("old", {"Kenya": 0.5, "Peru": 0})] * 2, None, 0)

    assert charts_of(section).keys() == {"dsm_by_country", "qwk_by_country"}
