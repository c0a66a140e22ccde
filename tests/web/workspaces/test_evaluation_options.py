import pytest

from assay.web.problems import FieldErrors
from assay.web.workspaces.evaluation_options import (
    changed_options,
    form_texts,
    option_errors,
    option_words,
    options_of,
    workflow_options,
)
from assay.web.workspaces.stored_settings import EvaluationOptions

TYPED = {
    **{"weights": "w", "min_items": "2", "min_group": "5", "cuts": "3, 4.5", "flag": "status=ok|checked; kind=essay"},
    **{"keep_zeros": "leave_out", "trim_tolerance": "0.3", "rater_error_variance": "", "intervals": "bootstrap"},
    "seed": "7",
}


def test_what_a_form_holds_comes_back_as_it_was_typed() -> None:
    assert form_texts(options_of(TYPED)) == TYPED


def test_an_empty_form_changes_nothing() -> None:
    assert options_of({}) == EvaluationOptions.from_json(
        {"weights": "", "cuts": [], "flag": [], "keep_zeros": None, "intervals": "jackknife"}
    )
    assert changed_options(options_of({})) == {}
    assert option_words(EvaluationOptions()) == []
    assert workflow_options(EvaluationOptions())["weights"] is None


def test_the_command_names_every_option_that_was_chosen() -> None:
    assert " ".join(option_words(options_of(TYPED))) == (
        "--weights w --min-items 2 --min-group 5 --cuts 3,4.5 --flag 'status=ok|checked' --flag kind=essay "
        "--leave-out-zeros --trim-tolerance 0.3 --intervals bootstrap --seed 7"
    )


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"min_group": "ten"}, "min_group"), ({"cuts": "3; x"}, "cuts"), ({"trim_tolerance": "a bit"}, "trim_tolerance")],
)
def test_what_cannot_be_read_is_said_beside_its_field(typed: dict[str, str], field: str) -> None:
    with pytest.raises(FieldErrors) as wrong:
        options_of(typed)

    assert list(wrong.value.errors) == [field]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"weights": "absent"}, "weights"),
        ({"flag": "status"}, "flag"),
        ({"flag": "absent=1"}, "flag"),
        ({"intervals": "guess"}, "intervals"),
        ({"trim_tolerance": "-1"}, "trim_tolerance"),
        ({"rater_error_variance": "-1"}, "rater_error_variance"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_field(typed: dict[str, str], field: str) -> None:
    assert list(option_errors(options_of(typed), ["w", "status", "kind"])) == [field]
