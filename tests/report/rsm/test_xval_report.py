"""Cross-validation: fold by fold, all together, and the final model."""

import pytest

from assay.metrics.intervals import Estimate
from assay.report.rsm.xval_report import fold_plot, folds_section, folds_table, xval_report
from tests.report.reading import (
    charts_of,
    column_of,
    section_of,
    table_of,
    text_of,
    titles_of,
)
from tests.report.rsm.experiments import (
    PROVENANCE,
    experiment,
    pages,
)


def test_the_folds_are_summed_up_by_mean_and_spread() -> None:
    found = pages()
    table = folds_table([(found.experiment, found.evaluation)] * 3, found.evaluation)
    qwk = found.evaluation.figures()["qwk"].value

    assert column_of(table, "Trained on") == [300] * 3
    mean, spread, together = ([cell for cell in row if cell is not None] for row in table.foot)
    assert mean[1] == pytest.approx(qwk)
    assert isinstance(spread[1], Estimate)
    assert spread[1].value == pytest.approx(0)
    assert together[1] == found.evaluation.n


def test_each_fold_is_drawn_and_all_of_them_together() -> None:
    found = pages()
    chart = fold_plot([(found.experiment, found.evaluation)] * 2, found.evaluation)

    assert [row.label for row in chart.rows] == ["Fold 1", "Fold 2", "All folds together"]
    value = f"{found.evaluation.figures()['qwk'].value:.2f}"
    assert chart.says == f"QWK runs from {value} to {value} over 2 folds; all responses together give {value}."


def test_weights_are_drawn_over_folds_where_the_model_is_linear() -> None:
    found, tree = pages(), experiment("DecisionTreeRegressor")

    assert "betas_spread" in charts_of(folds_section([(found.experiment, found.evaluation)], found.evaluation))
    assert "betas_spread" not in charts_of(folds_section([(tree, found.evaluation)], found.evaluation))


def test_files_of_the_folds_are_named_by_their_folder() -> None:
    found = pages()
    files = ("folds/01/a.csv", "b.csv")
    document = xval_report(
        [(found.experiment, found.evaluation)],
        found.evaluation,
        found.experiment,
        title="T",
        provenance=PROVENANCE,
        files=files,
    )

    assert len(table_of(document, "files").rows) == 1
    assert "folds/" in text_of(section_of(document, "Files"))
    assert titles_of(document)[0] == "Folds"
    assert "There is no response left to evaluate it on" in text_of(section_of(document, "Final model"))
