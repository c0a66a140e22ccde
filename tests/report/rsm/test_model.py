"""What a model learned: coefficients with intervals, and its errors."""

import numpy as np
import pytest

from assay.metrics.intervals import Estimate
from assay.report.document.values import Table
from assay.report.rsm.experiment_report import SECTIONS
from assay.report.rsm.model import (
    betas_chart,
    coefficients_table,
    evenly_chosen,
    model_section,
    normal_plot,
    residual_plot,
    standardised,
)
from tests.report.reading import (
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    experiment,
    pages,
)


def test_coefficients_come_with_intervals_and_weights_that_add_up() -> None:
    section = SECTIONS["model"](pages())[0]

    table = next(b for b in section.blocks if isinstance(b, Table) and b.name == "coefficients")

    relative = [row[-1] for row in table.rows if isinstance(row[-1], float)]
    assert sum(map(abs, relative)) == pytest.approx(1)
    assert len(table.rows) == 6


def test_standardised_coefficients_are_in_standard_deviations() -> None:
    found = experiment()
    assert found.model.coefficients is not None
    spread, human = found.train.preprocessed.std(axis=0, ddof=1), found.train.used.human.std(ddof=1)

    assert list(standardised(found).values()) == pytest.approx(list(found.model.coefficients * spread / human))


def test_coefficients_lie_in_the_middle_of_their_intervals() -> None:
    table = coefficients_table(experiment(), standardised(experiment()))
    weights = experiment().model.weights()

    for name, cell in zip(column_of(table, "Feature"), column_of(table, "Coefficient"), strict=True):
        assert isinstance(cell, Estimate)
        assert cell.value == weights[str(name)]
        assert (cell.low + cell.high) / 2 == pytest.approx(cell.value)


def test_the_heaviest_feature_is_named_with_its_share() -> None:
    chart = betas_chart({"words": 0.3, "errors": -0.1})

    assert chart.says == "words weighs most: 75 % of all weights."
    assert [bar.label for bar in chart.bars] == ["words", "errors"]


def test_a_model_that_is_not_linear_points_to_its_explanation() -> None:
    section = model_section(experiment("DecisionTreeRegressor"))

    assert "assay rsm explain" in text_of(section)
    assert "coefficients" not in tables_in(section)
    assert {"coefficients", "model_fit"} <= tables_in(model_section(experiment())).keys()


def test_errors_are_told_for_low_and_high_scores() -> None:
    fitted, errors = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.1, -0.1, 1.0, -1.0])

    assert residual_plot(fitted, errors).says == (
        "The typical error is 0.10 for the lower half of the scores and 1.00 for the upper half."
    )
    assert normal_plot(np.linspace(-1, 1, 9)).says == "The errors are about normal."
    stray = np.array([*np.zeros(99), 9.0])
    assert normal_plot(stray).says == "The largest errors stray from a normal distribution."


def test_of_many_points_as_many_as_asked_are_chosen_evenly() -> None:
    assert evenly_chosen(np.arange(3), 5) == [0, 1, 2]
    assert evenly_chosen(np.arange(101), 5) == [0, 25, 50, 75, 100]
