"""`rsm_explain`: which responses, their shares, and its files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.execution.observer import Observer
from assay.workflows.rsm.explain import RsmExplainResult, explanation_tables, rsm_explain
from assay.workflows.rsm.tool import rsm_tool
from tests.io.rsm.rsm_training import write_training


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("explain")
    rsm_tool(write_training(home), home / "model", no_report=True)
    tables = {"background_data": str(home / "train.csv"), "explain_data": str(home / "test.csv")}
    return {"experiment_id": "ours", "experiment_dir": str(home / "model"), "id_column": "id", **tables}


@pytest.fixture(scope="module")
def result(options: dict[str, Any]) -> RsmExplainResult:
    return rsm_explain(options)


def test_base_and_shares_add_up_to_the_score(result: RsmExplainResult) -> None:
    explanation = result.explanation

    assert explanation.base + explanation.values.sum(axis=1) == pytest.approx(explanation.predictions)
    assert result.to_polars().height == len(explanation) == 40


@pytest.mark.parametrize(
    ("chosen", "count"),
    [({"sample_range": "2-4"}, 3), ({"sample_ids": "2-7,2-1"}, 2), ({"sample_size": 5}, 5), ({"sample_size": 500}, 40)],
)
def test_responses_are_chosen_by_rows_by_ids_or_at_random(
    chosen: dict[str, Any], count: int, options: dict[str, Any]
) -> None:
    explained = rsm_explain({**options, **chosen})

    assert len(explained.explanation) == count
    if "sample_ids" in chosen:
        assert [str(name) for name in explained.explanation.ids] == ["2-7", "2-1"]
    if "sample_range" in chosen:
        assert explained.places.tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("chosen", "field"), [({"sample_range": "30-99"}, "sample_range"), ({"sample_ids": "x"}, "sample_ids")]
)
def test_responses_that_are_not_there_are_named(chosen: dict[str, Any], field: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        rsm_explain({**options, **chosen})

    assert refused.value.field == field


def test_tables_hold_shares_and_their_sizes(result: RsmExplainResult) -> None:
    tables = explanation_tables(result.explanation)

    assert tables.keys() == {"shap_values", "absolute_shap_values"}
    means = tables["absolute_shap_values"]["abs. mean shap"].to_list()
    assert means == pytest.approx(np.abs(result.explanation.values).mean(axis=0).tolist())


def test_the_folder_holds_tables_and_the_explanation(result: RsmExplainResult, tmp_path: Path) -> None:
    result.write(tmp_path / "out")

    assert result.report_path(tmp_path / "out").is_file()
    assert any(path.name.endswith("shap_values.csv") for path in (tmp_path / "out/output").iterdir())
    assert result.to_dict()["schema"] == "assay.rsm-explanation/1"


def test_the_observer_hears_of_the_work(options: dict[str, Any]) -> None:
    begun: list[str] = []

    class Heard(Observer):
        def begin(self, title: str, total: int | None) -> None:
            begun.append(f"{title}: {total}")

    rsm_explain({**options, "sample_size": 2}, observer=Heard())
    assert begun == ["Explaining responses: None"]
