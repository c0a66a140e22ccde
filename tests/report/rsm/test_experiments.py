"""Experiments side by side: a row per figure, a column per experiment that has it."""

from dataclasses import replace

from assay.metrics.intervals import Estimate
from assay.report.rsm.experiments import (
    EvaluatedExperiment,
    experiments_section,
    figures_table,
    one_column,
    one_row,
    qwk_plot,
    short_figures,
    side_by_side,
)
from assay.rsm.stored import NamedTable, StoredExperiment
from tests.report.reading import (
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    in_groups,
    named,
    stored,
)


def test_experiments_without_a_figure_have_no_column() -> None:
    table = NamedTable(("0",), ("R2",), ((0.5,),))
    one, other = (
        EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {}, tables, None, False), None)
        for name, tables in (("a", {"fit": table}), ("b", {}))
    )

    found = side_by_side("t", "T", [one, other], lambda e: e.tables["fit"].row("0") if e.tables else {})

    assert found is not None
    assert [column.title for column in found.columns] == ["Figure", "a"]


def test_a_row_may_be_named_by_the_score_that_counts() -> None:
    table = named("raw_trim scale_trim", "r", 0.7, 0.8)
    raw, scaled = stored(eval=table).stored, replace(stored(eval=table).stored, scaled=True)

    assert one_row("eval", "{}_trim")(raw) == {"r": 0.7}
    assert one_row("eval", "{}_trim")(scaled) == {"r": 0.8}
    assert one_row("eval", "none")(raw) == one_row("other")(raw) == one_column("eval", "none")(raw) == {}
    assert one_column("eval", "r")(raw) == {"raw_trim": 0.7, "scale_trim": 0.8}


def test_differences_are_from_the_first_experiment_that_has_figures() -> None:
    fits = {"old": named("0", "R2 N", 0.5, 10), "new": named("0", "R2 N", 0.75, 12)}
    table = side_by_side("t", "T", [stored(name, fit=fit) for name, fit in fits.items()], one_row("fit"))

    assert table is not None
    assert [column.title for column in table.columns] == ["Figure", "old", "new", "new minus old"]
    assert [cell.value for cell in column_of(table, "new minus old") if isinstance(cell, Estimate)] == [0.25, 2]
    assert side_by_side("t", "T", [stored()], one_row("fit")) is None


def test_rsmtools_short_figures_lose_the_name_of_their_score() -> None:
    table = named("ours", "N corr.raw_trim wtkappa.raw_trim_round", 40, 0.8, 0.7)

    figures = short_figures(stored(eval_short=table).stored)

    assert figures["Pearson r"] == 0.8
    assert [name for name in figures if name.endswith(", rounded")] != []


def test_an_experiment_without_scores_says_so_and_has_no_figures() -> None:
    found = [in_groups("old", {"Kenya": 0.1, "Peru": 0.0}), stored("new")]
    section = experiments_section(found)

    assert text_of(section) == "new: no scores are stored, so nothing is given with an interval."
    assert column_of(tables_in(section)["experiments"], "Responses evaluated") == [8, None]
    assert not found[1].figure("qwk").defined
    assert column_of(figures_table(found), "Experiment") == ["old", "new"]


def test_agreement_is_counted_over_experiments() -> None:
    found = [in_groups(name, {"Kenya": 0.1, "Peru": 0.0}) for name in ("old", "new")]

    assert qwk_plot(found).says == "All of two experiments reach a QWK of at least 0.70."
    assert qwk_plot([*found, stored("none")]).says == "Two of three experiments reach a QWK of at least 0.70."
