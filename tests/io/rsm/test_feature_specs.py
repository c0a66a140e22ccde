"""Which features an experiment asks for: named, in a feature file, or by subset."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig, rsm_tool_config
from assay.io.rsm.feature_specs import requested_features, subset_features, subset_signs
from assay.rsm.types import FeatureSpec

OPTIONS = {"experiment_id": "e", "model": "LinearRegression", "train_file": "train.csv", "test_file": "test.csv"}


def config(folder: Path, **options: Any) -> RsmModelConfig:
    return rsm_tool_config({**OPTIONS, **options}, folder=folder)


def from_file(folder: Path, text: str, **options: Any) -> tuple[FeatureSpec, ...] | None:
    (folder / "features.csv").write_text(text, encoding="utf-8")
    return requested_features(config(folder, features="features.csv", **options))


def test_features_are_those_listed_and_none_when_nothing_is_said(tmp_path: Path) -> None:
    assert requested_features(config(tmp_path, features=["b", "a"])) == (FeatureSpec("b"), FeatureSpec("a"))
    assert requested_features(config(tmp_path)) is None


def test_a_feature_file_tells_transformation_sign_and_bounds(tmp_path: Path) -> None:
    text = "Feature,transform,sign,min,max\na,log,1,0,2.5\nb,inv,-1,1,9\n"
    assert from_file(tmp_path, text) == (FeatureSpec("a", "log", 1.0), FeatureSpec("b", "inv", -1.0))
    assert from_file(tmp_path, text, use_truncation_thresholds=True) == (
        FeatureSpec("a", "log", 1.0, 0.0, 2.5),
        FeatureSpec("b", "inv", -1.0, 1.0, 9.0),
    )
    assert from_file(tmp_path, "feature\na\n") == (FeatureSpec("a", "raw", 1.0, None, None),)


@pytest.mark.parametrize(
    ("text", "words", "column"),
    [
        ("name\na\n", "must have a column named feature", ""),
        ("feature\nb\na\nb\na\n", "names features more than once: a, b", ""),
        ("feature,sign\na,2\n", "may hold 1 and -1 only", "sign"),
        ("feature,sign\na,x\n", "may hold 1 and -1 only", "sign"),
    ],
)
def test_a_bad_feature_file_is_refused_by_its_name(text: str, words: str, column: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as caught:
        from_file(tmp_path, text)
    assert (caught.value.source, caught.value.column, caught.value.field) == ("features.csv", column, "features")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("feature,min\na,0\n", "needs columns min and max, since use_truncation_thresholds is set"),
        ("feature,min,max\na,0,\n", "must hold a number for every feature"),
        ("feature,min,max\na,low,3\n", "must hold a number for every feature"),
    ],
)
def test_bounds_that_are_asked_for_must_be_there(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        from_file(tmp_path, text, use_truncation_thresholds=True)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "spkitemid"),
        ({}, "sc1"),
        ({}, "r2"),
        ({"train_label_column": "h"}, "h"),
        ({"test_label_column": "t"}, "t"),
        ({"id_column": "key"}, "key"),
        ({"subgroups": ["L1"]}, "L1"),
        ({"flag_column": {"flag": [0]}}, "flag"),
        ({"candidate_column": "who"}, "who"),
        ({"candidate_column": "who"}, "candidate"),
        ({"second_human_score_column": "h2"}, "sc2"),
        ({"second_human_score_column": "sc2"}, "##sc2##"),
        ({"length_column": "words"}, "length"),
    ],
)
def test_columns_with_another_use_are_no_features(options: dict[str, Any], name: str, tmp_path: Path) -> None:
    own = config(tmp_path, **options)
    assert subset_features(own, ["a", name, "b"]) == ("a", "b")
    (tmp_path / "features.csv").write_text(f"feature\na\n{name}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"'{name}' cannot be features") as caught:
        requested_features(config(tmp_path, features="features.csv", **options))
    assert (caught.value.field, caught.value.remedy) == (
        "features",
        "Rename them, or take them out of the list of features.",
    )


def test_names_that_have_no_role_are_features(tmp_path: Path) -> None:
    assert subset_features(config(tmp_path), ["length", "sc2", "candidate"]) == ("length", "sc2", "candidate")


def subset(folder: Path, text: str, **options: Any) -> RsmModelConfig:
    (folder / "subsets.csv").write_text(text, encoding="utf-8")
    return config(folder, feature_subset_file="subsets.csv", **options)


def test_a_subset_takes_the_features_marked_with_1_in_the_order_of_the_table(tmp_path: Path) -> None:
    own = subset(tmp_path, "Feature,A,B\na,1,0\nb,0,1\nc,1,0\nz,1,1\n", feature_subset="A")
    assert subset_features(own, ["c", "b", "a", "d"]) == ("c", "a")
    assert subset_features(subset(tmp_path, "feature,A\na,1\n"), ["a", "b"]) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "words", "field"),
    [
        ("feature,B\na,1\n", "no subset 'A'", "feature_subset"),
        ("feature,A\na,2\n", "may hold 0 and 1 only", "feature_subset_file"),
        ("feature,A\nx,1\na,0\n", "no feature of the subset 'A' is a column", "feature_subset"),
        ("name,A\na,1\n", "must have a column named feature", "feature_subset_file"),
    ],
)
def test_a_subset_that_cannot_be_used_is_refused(text: str, words: str, field: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as caught:
        subset_features(subset(tmp_path, text, feature_subset="A"), ["a", "b"])
    assert caught.value.field == field


def test_signs_come_from_the_column_of_their_name(tmp_path: Path) -> None:
    text = "feature,sign_A,Sign_B\na,+,-\nb,-,+\n"
    assert subset_signs(subset(tmp_path, text, sign="A")) == {"a": 1.0, "b": -1.0}
    assert subset_signs(subset(tmp_path, text, sign="B")) == {"a": -1.0, "b": 1.0}
    assert subset_signs(subset(tmp_path, text)) == {}
    assert subset_signs(config(tmp_path)) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("feature,B\na,1\n", "must have one column sign_A"),
        ("feature,sign_A,Sign_A\na,+,+\n", "must have one column sign_A"),
        ("feature,sign_A\na,+\nb,1\nc,0\n", "may hold \\+ and - only, not 0, 1"),
    ],
)
def test_signs_that_are_none_are_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as caught:
        subset_signs(subset(tmp_path, text, sign="A"))
    assert (caught.value.source, caught.value.field) == ("subsets.csv", "sign")
