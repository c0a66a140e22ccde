"""Tables 5 to 9 of a study: the weight of length, systems compared, reliability."""

import pytest

from assay.essays.study.systems import WEIGHTS
from assay.report.study.systems import length_section, reliability_section, systems_section, weight_words
from tests.report.reading import charts_of, column_of, tables_in, text_of
from tests.report.study.studies import bare, full


def test_a_weight_that_the_regression_chose_is_called_free() -> None:
    assert [weight_words(weight) for weight in (None, 0.2)] == ["free", "0.2"]


def test_kappas_by_the_weight_of_length_are_those_of_the_study() -> None:
    study = full()
    section = length_section(study)
    table = tables_in(section)["table5_kappa_by_length_weight"]
    row = next(row for row in table.rows if row[:2] == ("Generic12", "grade 8"))

    kappas = [own.mean_kappa for weight in WEIGHTS if (own := study.systems.of("generic12", "grade 8", weight))]
    assert list(row[2:]) == pytest.approx(kappas, nan_ok=True)
    assert charts_of(section)["table5_chart"].says.startswith("Highest kappa: ")


def test_every_system_has_a_row_and_every_prompt_another() -> None:
    tables = tables_in(systems_section(full()))

    assert {"Specific", "Generic12", "v.1.3", "Two raters"} <= set(column_of(tables["table6_systems"], "System"))
    assert len(tables["table6_by_prompt"].rows) > len(tables["table6_systems"].rows)


def test_systems_that_could_not_be_built_say_why() -> None:
    assert "the features of v.1.3 were not measured" in text_of(systems_section(bare()))


def test_reliabilities_lie_on_the_diagonal_and_corrected_ones_above() -> None:
    section = reliability_section(full())
    first, second, third = tables_in(section)["table8_multimethod"].rows

    assert (second[3], third[2]) == (None, None)
    assert first[1] is not None
    assert len(tables_in(section)["table9_feature_reliabilities"].rows) > 8
    assert text_of(reliability_section(bare())).startswith("Tables 7, 8 and 9: n/a:")
