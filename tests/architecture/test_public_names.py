"""A public name is a promise: what `assay` exports is importable, documented, and as its signature says."""

import inspect

import pytest

import assay

VERBS = (
    *("evaluate", "compare", "trust", "judge", "panel"),
    *("rules", "grade", "agree"),
    *("features", "train", "calibrate", "score_essays", "feedback", "refit", "study"),
    *(
        "rsm_tool",
        "rsm_eval",
        "rsm_predict",
        "rsm_compare",
        "rsm_summarize",
        "rsm_xval",
        "rsm_explain",
        "rsm_generate",
        "rsm_convert",
    ),
)
METRICS = (
    *("adjacent_agreement", "cohen_kappa", "exact_agreement", "icc_2", "kendall_tau_b", "krippendorff_alpha_interval"),
    *("mean_squared_error", "pearson_r", "quadratic_weighted_kappa", "r_squared", "root_mean_squared_error"),
    *("spearman_r", "standardized_mean_difference"),
)
TYPES = ("AssayError", "EssayScorer", "Estimate", "InputError", "MissingExtra", "ScoreScale")


def test_all_three_jobs_are_there_and_nothing_else_is_promised() -> None:
    assert sorted(assay.__all__) == sorted((*VERBS, *METRICS, *TYPES, "__version__"))
    fetched = [name for names in assay._DEFINED_IN.values() for name in names]
    assert sorted([*fetched, "__version__"]) == sorted(assay.__all__)
    assert not hasattr(assay, "no_such_name")


@pytest.mark.parametrize("name", [*METRICS, *TYPES])
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert getattr(assay, name).__doc__


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_says_what_it_takes_and_gives_with_an_example(name: str) -> None:
    verb = getattr(assay, name)
    text = inspect.getdoc(verb) or ""
    for heading in ("Parameters", "Returns", "Examples"):
        assert f"\n{heading}\n{'-' * len(heading)}\n" in text, f"{name} has no section {heading}"
    undocumented = [p for p in inspect.signature(verb).parameters if p not in text]
    assert undocumented == []
    assert not hasattr(verb, "__wrapped__"), "a signature borrowed from another function is not true"


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_can_be_called_as_its_signature_says(name: str) -> None:
    signature = inspect.signature(getattr(assay, name))
    taken = [p for p in signature.parameters.values() if p.default is inspect.Parameter.empty]
    columns = ([1, 2, 3, 4, 3], [1, 2, 3, 3, 4])
    given = columns if len(taken) == 2 else (list(zip(*columns, strict=True)),)
    assert isinstance(float(getattr(assay, name)(*given)), float)
