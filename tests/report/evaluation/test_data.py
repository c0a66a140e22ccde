"""Section 1 of an evaluation report: what was read and left out adds up, and how the scale is known is said."""

from dataclasses import replace

import pytest

from assay.report.evaluation.data import data_section, scale_words
from assay.report.evaluation.left_out import FEW_RESPONSES
from tests.report.evaluation.evaluations import plain, report_of, rich
from tests.report.reading import table_of, text_of


def test_exclusions_add_up() -> None:
    table = table_of(report_of(rich()), "data_composition")

    numbers = [row[1] for row in table.rows]
    assert numbers == [412, -7, -4, -1]
    assert sum(n for n in numbers if isinstance(n, int)) == table.foot[0][1] == 400


@pytest.mark.parametrize(
    ("declared", "ending"),
    [
        (True, ", as declared."),
        (False, "If the rubric allows other scores, declare the scale."),
        (None, "The scale runs from 1 to 6."),
    ],
)
def test_how_the_scale_is_known_is_said_only_where_it_is_known(declared: bool | None, ending: str) -> None:
    evaluation = plain()
    known = replace(evaluation, plan=replace(evaluation.plan, scale_declared=declared))

    assert scale_words(known).endswith(ending)


def test_a_few_responses_come_with_a_caution() -> None:
    few, enough = (text_of(data_section(plain(n), source="autumn.csv")) for n in (FEW_RESPONSES - 1, FEW_RESPONSES))

    assert "29 responses can say little" in few
    assert "can say little" not in enough
    assert few.startswith("29 responses were read from autumn.csv; 29 are used, none is left out.")


def test_weights_are_mentioned_where_there_are_any() -> None:
    assert "Responses are weighted" in text_of(data_section(plain(weights=True), source=""))
    assert "weighted" not in text_of(data_section(plain(), source=""))
