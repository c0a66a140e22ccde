"""From stored experiments to comparisons, summaries and explanations, through the commands."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assay.cli.rsm import rsm_app
from assay.errors import InputError
from assay.workflows.rsm.tool import rsm_tool

FEATURES = ("length", "grammar", "spelling")


def write_table(path: Path, rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=rows)
    columns = [np.round(quality + rng.normal(scale=s, size=rows), 3) for s in (0.5, 0.8, 1.1)]
    human = np.clip(np.rint(3 + quality + rng.normal(scale=0.4, size=rows)), 1, 5).astype(int)
    lines = ["id,sc1,country," + ",".join(FEATURES)]
    lines += [
        f"r{seed}-{i},{human[i]},{'Norway' if i % 2 else 'Peru'}," + ",".join(str(c[i]) for c in columns)
        for i in range(rows)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two tables and three experiments on them."""
    home = tmp_path_factory.mktemp("experiments")
    write_table(home / "train.csv", 120, 1)
    write_table(home / "test.csv", 80, 2)
    files = {"train_file": str(home / "train.csv"), "test_file": str(home / "test.csv"), "id_column": "id"}
    common = {**files, "trim_min": 1, "trim_max": 5}
    experiments: dict[str, dict[str, Any]] = {
        "all": {"model": "LinearRegression", "features": list(FEATURES), "subgroups": ["country"]},
        "two": {"model": "LinearRegression", "features": ["length", "spelling"], "use_scaled_predictions": True},
        "tree": {
            "model": "DecisionTreeRegressor",
            "features": list(FEATURES),
            "skll_fixed_parameters": {"max_depth": 3},
        },
    }
    for name, options in experiments.items():
        rsm_tool({**common, **options, "experiment_id": name}, home / name, no_report=True)
    return home


def configured(folder: Path, **options: Any) -> str:
    path = folder / "config.json"
    path.write_text(json.dumps(options), encoding="utf-8")
    return str(path)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def run(*words: str) -> Any:
    return CliRunner().invoke(rsm_app, list(words))


def test_an_old_and_a_new_experiment_are_compared_with_intervals(home: Path, tmp_path: Path) -> None:
    config = configured(
        tmp_path,
        comparison_id="both",
        experiment_id_old="two",
        experiment_dir_old=str(home / "two"),
        description_old="two features",
        experiment_id_new="all",
        experiment_dir_new=str(home / "all"),
        description_new="three features",
    )

    result = run("compare", config, str(tmp_path / "out"))

    assert result.exit_code == 0, result.output
    (qwk,) = [row for row in rows(tmp_path / "out/output/both_differences.csv") if row[""] == "qwk"]
    assert (qwk["first"], qwk["second"]) == ("two", "all")
    assert float(qwk["low"]) < float(qwk["difference"]) < float(qwk["high"])
    page = (tmp_path / "out/report/both_report.html").read_text(encoding="utf-8")
    for words in ("Experiments", "Score distributions", "Feature weights", "Principal components", "three features"):
        assert words in page
    assert "Rows: human score." in page  # RSMTool's report has rows and columns of this table the wrong way round


def test_any_number_of_experiments_can_be_compared(home: Path, tmp_path: Path) -> None:
    folders = [str(home / name) for name in ("all", "two", "tree")]
    config = configured(tmp_path, comparison_id="three", experiment_dirs=folders, experiment_names=["A", "B", "C"])

    result = run("compare", config, str(tmp_path / "out"))

    assert result.exit_code == 0, result.output
    pairs = {(r["first"], r["second"]) for r in rows(tmp_path / "out/output/three_differences.csv")}
    assert pairs == {("A", "B"), ("A", "C"), ("B", "C")}


def test_a_summary_has_rsmtools_tables(home: Path, tmp_path: Path) -> None:
    config = configured(
        tmp_path, summary_id="sum", experiment_dirs=[str(home / name) for name in ("all", "two", "tree")]
    )

    result = run("summarize", config, str(tmp_path / "out"))

    assert result.exit_code == 0, result.output
    models = rows(tmp_path / "out/output/sum_model_summary.csv")
    assert [(m[""], m["N features"], m["learner"]) for m in models] == [
        ("all", "3", "LinearRegression"),
        ("two", "2", "LinearRegression"),
        ("tree", "-", "DecisionTreeRegressor"),
    ]
    betas = {row[""]: row for row in rows(tmp_path / "out/output/sum_betas.csv")}
    assert betas["grammar"]["two"] == "-"
    short = {row[""]: row for row in rows(tmp_path / "out/output/sum_eval_short.csv")}
    assert (short["all"]["system score type"], short["two"]["system score type"]) == ("raw", "scale")
    assert short["all"]["truncation range"] == f"[0.5002, {5 + 0.4998}]"  # written as RSMTool writes it
    assert (tmp_path / "out/report/sum_report.html").is_file()


@pytest.mark.parametrize(("experiment", "method"), [("all", "linear"), ("tree", "trees")])
def test_shares_of_features_add_up_to_the_scores(home: Path, tmp_path: Path, experiment: str, method: str) -> None:
    config = configured(
        tmp_path,
        experiment_id=experiment,
        experiment_dir=str(home / experiment),
        background_data=str(home / "train.csv"),
        explain_data=str(home / "test.csv"),
        id_column="id",
        sample_range="5-9",
    )

    result = run("explain", config, str(tmp_path / "out"))

    assert result.exit_code == 0, result.output
    output = tmp_path / "out/output"
    shares = {row.pop(""): row for row in rows(output / f"{experiment}_shap_values.csv")}
    assert list(shares) == [f"r2-{i}" for i in range(5, 10)]  # RSMTool takes the ends of a range for ids
    stored = json.loads((output / f"{experiment}_explanation.json").read_text(encoding="utf-8"))
    assert stored["method"] == method
    scores = {
        row["spkitemid"]: float(row["raw"])
        for row in rows(home / experiment / f"output/{experiment}_pred_processed.csv")
    }
    for identity, row in shares.items():
        assert stored["base_value"] + sum(map(float, row.values())) == pytest.approx(scores[identity])
    assert json.loads((output / f"{experiment}_ids.json").read_text(encoding="utf-8"))["5"] == "r2-5"
    size = {row[""]: row for row in rows(output / f"{experiment}_absolute_shap_values.csv")}
    assert float(size["length"]["abs. max shap"]) == max(abs(float(row["length"])) for row in shares.values())
    assert (tmp_path / f"out/report/{experiment}_explain_report.html").is_file()


def test_chosen_responses_are_explained_or_missed_by_name(home: Path, tmp_path: Path) -> None:
    options = {
        "experiment_id": "all",
        "experiment_dir": str(home / "all"),
        "background_data": str(home / "train.csv"),
        "explain_data": str(home / "test.csv"),
        "id_column": "id",
    }
    drawn = run("explain", configured(tmp_path, **options, sample_size=4), str(tmp_path / "drawn"))
    named = run("explain", configured(tmp_path, **options, sample_ids="r2-3, r2-1"), str(tmp_path / "named"))
    missing = run("explain", configured(tmp_path, **options, sample_ids="r2-3, r9-9"), str(tmp_path / "missing"))
    beyond = run("explain", configured(tmp_path, **options, sample_range="70-80"), str(tmp_path / "beyond"))

    assert (drawn.exit_code, named.exit_code) == (0, 0)
    assert len(rows(tmp_path / "drawn/output/all_shap_values.csv")) == 4
    assert [row[""] for row in rows(tmp_path / "named/output/all_shap_values.csv")] == ["r2-3", "r2-1"]
    assert isinstance(missing.exception, InputError)
    assert "r9-9" in str(missing.exception)
    assert "counted from 0 to 79" in str(beyond.exception)
    assert not (tmp_path / "missing").exists()


def test_what_is_there_is_not_overwritten_without_force(home: Path, tmp_path: Path) -> None:
    config = configured(tmp_path, summary_id="sum", experiment_dirs=[str(home / "all")])
    first = run("summarize", config, str(tmp_path / "out"))

    refused = run("summarize", config, str(tmp_path / "out"))
    forced = run("summarize", config, str(tmp_path / "out"), "--force", "--quiet")

    assert first.exit_code == 0
    assert isinstance(refused.exception, InputError)
    assert "force" in str(refused.exception)
    assert (forced.exit_code, forced.output) == (0, "")


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("compare", {"comparison_id": "c"}, "an old and a new experiment, or a list of experiment_dirs"),
        ("compare", {"comparison_id": "c", "experiment_dirs": ["a"]}, "two or more folders"),
        ("summarize", {"summary_id": "s", "experiment_dir": ["a"]}, "Did you mean experiment_dirs?"),
        ("summarize", {"summary_id": "s", "experiment_dirs": ["a"], "folds": 3}, "an option of rsmxval"),
        ("summarize", {"summary_id": "s", "experiment_dirs": ["a", "b"], "experiment_names": ["x"]}, "got 1 names"),
        ("explain", {"experiment_id": "e"}, "background_data is missing"),
        ("explain", {"sample_size": 3, "sample_ids": "a"}, "sample_size and sample_ids exclude each other"),
        ("explain", {"sample_range": "9-3"}, "counted from 0"),
    ],
)
def test_mistakes_in_a_configuration_are_named(
    tmp_path: Path, command: str, options: dict[str, Any], words: str
) -> None:
    result = run(command, configured(tmp_path, **options), str(tmp_path / "out"))

    assert isinstance(result.exception, InputError)
    assert words in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_folder_without_an_experiment_is_named(home: Path, tmp_path: Path) -> None:
    (tmp_path / "empty" / "output").mkdir(parents=True)
    none = run("summarize", configured(tmp_path, summary_id="s", experiment_dirs=["empty"]), str(tmp_path / "out"))
    other = run(
        "compare",
        configured(
            tmp_path,
            comparison_id="c",
            experiment_id_old="al",
            experiment_dir_old=str(home / "all"),
            experiment_id_new="two",
            experiment_dir_new=str(home / "two"),
        ),
        str(tmp_path / "out"),
    )

    assert "no configuration of an experiment" in str(none.exception)
    assert "Did you mean 'all'?" in str(other.exception)


def test_a_summary_in_a_workbook_has_rsmtools_columns_twice_where_it_has_them_twice(home: Path, tmp_path: Path) -> None:
    fastexcel = pytest.importorskip("fastexcel")
    folders = [str(home / name) for name in ("all", "two", "all")]

    run("summarize", configured(tmp_path, summary_id="sum", experiment_dirs=folders, file_format="xlsx"), str(tmp_path))

    def header(name: str) -> list[str | None]:
        sheet = fastexcel.read_excel(tmp_path / f"output/sum_{name}.xlsx").load_sheet(0, header_row=None).to_polars()
        return list(sheet.row(0))

    assert header("betas") == [None, "all", "two", "all"]
    # RSMTool 12 with pandas 2.2.3: pd.concat(..., sort=True)
    assert header("model_fit") == [None, "N features", "N responses", "R2", "R2_adjusted"]


def test_experiments_kept_as_workbooks_are_summarised_as_others_are(home: Path, tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    options: dict[str, Any] = {"train_file": str(home / "train.csv"), "test_file": str(home / "test.csv")}
    options |= {"id_column": "id"}
    options |= {"model": "LinearRegression"}
    options |= {"features": list(FEATURES), "file_format": "xlsx", "experiment_id": "book"}
    rsm_tool(options, tmp_path / "book", no_report=True)
    folders = [str(tmp_path / "book"), str(home / "all")]

    run("summarize", configured(tmp_path, summary_id="sum", experiment_dirs=folders), str(tmp_path / "out"))

    columns = list(rows(tmp_path / "out/output/sum_eval_short.csv")[0])
    assert columns[:4] == ["", "N", "R2", "RMSE"]
    assert "column 1" not in columns
