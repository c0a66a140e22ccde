"""Boosted trees from their text: what does not fit together never reaches LightGBM, which would end the process."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.hybrid.boosting import Trees, fit_trees
from assay.io.models.trees import read_trees

pytest.importorskip("lightgbm")


@pytest.fixture(scope="module")
def text() -> str:
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(120, 3))
    return fit_trees(inputs, inputs[:, 0], seed=1, rounds=4).text


def test_trees_that_were_fitted_are_read_and_predict_the_same(text: str) -> None:
    inputs = np.random.default_rng(2).normal(size=(5, 3))
    assert read_trees(text).predict(inputs).tolist() == Trees(text).predict(inputs).tolist()
    assert np.allclose(read_trees(text).shares(inputs).sum(axis=1), Trees(text).predict(inputs))


def test_a_tree_of_one_leaf_is_a_constant() -> None:
    constant = fit_trees(np.zeros((4, 2)), np.full(4, 2.0), seed=1, rounds=1).text
    assert read_trees(constant).predict(np.zeros((1, 2))).tolist() == [2.0]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("left_child", "99", "leads nowhere"),
        ("right_child", "0", "leads nowhere"),
        ("right_child", "-99", "leads nowhere"),
        ("split_feature", "3", "feature that there is not"),
        ("decision_type", "1", "feature that there is not"),
        ("threshold", "nan", "not one threshold each"),
        ("num_leaves", "1000000000", "another kind"),
        ("num_cat", "1", "another kind"),
        ("max_feature_idx", "1", "has no name"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(text: str, field: str, value: str, words: str) -> None:
    start = text.index(f"{field}=") + len(field) + 1
    end = min(text.index(mark, start) for mark in (" ", "\n"))
    with pytest.raises(ValueError, match=words):
        read_trees(text[:start] + value + text[end:])


@pytest.mark.parametrize("broken", ["", "tree\n", "no trees", None])
def test_what_is_no_text_of_trees_is_refused(broken: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_trees(broken)


def test_a_text_that_says_something_twice_or_in_other_letters_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="twice"):
        read_trees(text.replace("num_cat=0", "num_cat=0\nnum_cat=0", 1))
    with pytest.raises(ValueError, match="letters"):
        read_trees(text.replace("num_cat", "\0num_cat", 1))


def test_trees_of_another_number_of_features_are_refused_when_used(text: str) -> None:
    with pytest.raises(InputError, match="its trees cannot be used"):
        read_trees(text).predict(np.zeros((1, 2)))


def test_trees_that_lightgbm_cannot_read_are_refused_and_do_not_end_the_process() -> None:
    with pytest.raises(InputError, match="its trees cannot be used"):
        Trees("tree\nversion=v4\nend of trees\n").predict(np.zeros((1, 2)))


HEADER = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=1\nobjective=regression\n"
SMALL = {
    **{"num_leaves": "3", "num_cat": "0", "split_feature": "0 1", "split_gain": "1 1", "threshold": "0.5 0.25"},
    **{"decision_type": "2 2", "left_child": "1 -1", "right_child": "-3 -2", "leaf_value": "1 2 3"},
    **{"leaf_weight": "1 1 1", "leaf_count": "1 1 1", "internal_value": "0 0", "internal_weight": "0 0"},
    **{"internal_count": "3 2", "is_linear": "0", "shrinkage": "1"},
}


def written(**changed: str) -> str:
    tree = "\n".join(f"{name}={value}" for name, value in (SMALL | changed).items())
    return f"{HEADER}feature_names=a b\nfeature_infos=[0:1] [0:1]\n\nTree=0\n{tree}\n\nend of trees\n"


@pytest.mark.parametrize(
    "good", [{}, {"split_feature": "1 0"}, {"left_child": "-1 -1"}, {"right_child": "1 -3"}, {"decision_type": "0 14"}]
)
def test_children_are_later_splits_or_leaves_up_to_the_last(good: dict[str, str]) -> None:
    assert read_trees(written(**good)).text == written(**good)


@pytest.mark.parametrize(
    "bad",
    [
        *({"left_child": "0 -1"}, {"left_child": "2 -1"}, {"left_child": "1 1"}, {"right_child": "-4 -2"}),
        *({"right_child": "-3 -2.5"}, {"split_feature": "0 2"}, {"split_feature": "0 -1"}, {"split_feature": "0.5 1"}),
        *({"decision_type": "2 1"}, {"decision_type": "2 16"}, {"threshold": "1"}, {"leaf_value": "1 2"}),
        *({"leaf_count": "1 2 inf"}, {"shrinkage": "1 1"}, {"num_leaves": "0"}, {"is_linear": "1"}, {"other": "1"}),
    ],
)
def test_each_number_of_a_tree_is_checked(bad: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="tree"):
        read_trees(written(**bad))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("end of trees", "end"), ("num_class=1", "num_class=2"), ("iteration=1", "iteration=2")),
        *(
            ("objective=", "aim="),
            ("feature_names=a b", "feature_names=a"),
            ("max_feature_idx=1", "max_feature_idx=-1"),
        ),
        ("feature_infos=[0:1] [0:1]", "feature_infos=[0:1] [0:1] [0:1]"),
    ],
)
def test_each_statement_of_the_head_is_checked(old: str, new: str) -> None:
    with pytest.raises(ValueError, match="trees"):
        read_trees(written().replace(old, new, 1))
