"""`rsm_compare`, `rsm_summarize` and `rsm_explain` on stored experiments, and what they return."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import Cancelled, InputError
from assay.execution.observer import Observer
from assay.workflows.rsm.experiments import rsm_compare, rsm_summarize
from assay.workflows.rsm.explain import rsm_explain
from assay.workflows.rsm.tool import rsm_tool
from tests.io.rsm.rsm_training import write_training


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two experiments on the same tables."""
    home = tmp_path_factory.mktemp("experiments")
    rsm_tool(write_training(home), home / "both", no_report=True)
    rsm_tool(write_training(home, features=["alpha"]), home / "one", no_report=True)
    return home


def named(home: Path, **options: Any) -> dict[str, Any]:
    return {"experiment_dirs": [str(home / "both"), str(home / "one")], "experiment_names": ["both", "one"], **options}


def test_every_difference_of_a_comparison_is_a_row(home: Path, tmp_path: Path) -> None:
    result = rsm_compare(named(home, comparison_id="c"), tmp_path)

    (qwk,) = result.to_polars().filter(figure="qwk").to_dicts()
    assert (qwk["first"], qwk["second"], result.shared) == ("both", "one", 40)
    assert [e["name"] for e in result.to_dict()["experiments"]] == ["both", "one"]
    assert result.report_path(tmp_path).is_file()


def test_a_comparison_of_one_experiment_is_refused(home: Path) -> None:
    with pytest.raises(InputError, match="two or more folders"):
        rsm_compare({"comparison_id": "c", "experiment_dirs": [str(home / "one")]})


def test_a_summary_has_a_row_for_each_experiment(home: Path) -> None:
    result = rsm_summarize(named(home, summary_id="s"))

    assert result.to_polars().get_column("").to_list() == ["both", "one"]
    assert repr(result).startswith("RsmSummarizeResult: rsmsummarize s\n")
    assert set(result.to_dict()["tables"]) == set(result.tables)


def explaining(home: Path, **options: Any) -> dict[str, Any]:
    files = {"background_data": str(home / "train.csv"), "explain_data": str(home / "test.csv"), "id_column": "id"}
    return {"experiment_id": "ours", "experiment_dir": str(home / "both"), **files, **options}


def test_shares_are_a_table_with_a_column_for_each_feature(home: Path) -> None:
    result = rsm_explain(explaining(home, sample_ids=["2-3", "2-1"]))

    assert result.to_polars().columns == ["id", "alpha", "beta"]
    assert result.to_polars().get_column("id").to_list() == ["2-3", "2-1"]
    assert result.to_dict()["method"] == "linear"


def test_an_explanation_that_is_cancelled_leaves_nothing(home: Path, tmp_path: Path) -> None:
    class Stopped(Observer):
        def begin(self, title: str, total: int | None) -> None:  # noqa: ARG002
            raise Cancelled(title)

    with pytest.raises(Cancelled, match="Explaining responses"):
        rsm_explain(explaining(home), tmp_path / "out", observer=Stopped())

    assert list(tmp_path.iterdir()) == []
