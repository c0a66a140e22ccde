"""`assay rsm tool`, `predict` and `xval` against what RSMTool 12.0.0 wrote for the same configurations, cell by cell.

`rsm_tool/` was made by make_rsm_tool.py with the real RSMTool on tables of our own. Where the shared golden set is at
hand (../shared, or the folder in ASSAY_SHARED), RSMTool's own experiments are run too.
"""

import csv
import json
import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import rsm_tool_config
from assay.workflows.rsm.predict import rsm_predict
from assay.workflows.rsm.tool import rsm_tool
from assay.workflows.rsm.xval import rsm_xval
from tests.paths import SHARED

HERE = Path(__file__).parent / "rsm_tool"
GOLDEN = SHARED / "golden" / "rsmtool"

COMPAT = {
    "all_data": "a group called 'All data' is merged with all responses",
    "lasso_nnls_signs": "what the lasso chose is forgotten",
    "mean_zero": "a training mean of 0 is replaced by the mean of the responses at hand",
    "model_scoreweightedlr": "the scaled intercept takes the mean prediction for the mean human score",
    "trim_zero": "a lowest score of 0 counts as not given",
    "xval": "scores are scaled although nothing says so",
    "xval_file": "scores are scaled although nothing says so",
    "small_units": "squares and cubes of a feature that add up to less than 1e-14 count as 0",
    "model-wls": "the scaled intercept takes the mean prediction for the mean human score",
}
"""Defects of RSMTool that are reproduced only with --compat."""

MENDED = {
    "refuse_infinite": "RSMTool stops at an infinite feature; we leave the response out",
    "xval_default_names": "RSMTool forgets the candidates and then misses them",
}
"""What RSMTool refuses and we do."""

NOT_MATCHED = {"skll_sgdclassifier": "stochastic gradient descent takes other steps since scikit-learn 1.4"}

LOOSE = {"not_standardized_ridge": 1e-5}
"""Cases whose features differ so much in size that the last digits depend on the processor's linear algebra."""

FOR_EVERYONE = ("pred_without_human_score",)
"""Tables that RSMTool does not write."""

SLOW = (
    *("skll_bayesianridge", "skll_mlp", "skll_bagging", "skll_hist", "skll_sgd", "skll_huber", "skll_adaboost"),
    *("skll_gradient", "skll_rescaled", "skll_svc", "objective_", "skll_theilsen"),
)
"""Left to a full run: ASSAY_FULL=1."""

Cells = dict[tuple[str, int, str], str]
Rows = Sequence[Sequence[str]]


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return found


def names(option: str, *, refused: bool = False) -> list[str]:
    """The cases whose configuration has an option."""
    every = {path.stem: stored(path.stem) for path in sorted(HERE.glob("*.json"))}
    return [name for name, case in every.items() if option in case["config"] and ("error" in case) == refused]


TOOL = [name for name in names("test_file") if name not in NOT_MATCHED]
TOOL = [name for name in TOOL if os.environ.get("ASSAY_FULL") or not name.startswith(SLOW)]
REFUSED = names("test_file", refused=True)
PREDICT = names("experiment_dir")
XVAL = [name for name in names("train_file") if "test_file" not in stored(name)["config"]]
XVAL_MENDED = [name for name in MENDED if name.startswith("xval")]
EXPERIMENTS = sorted(f.name for f in GOLDEN.glob("*") if (f / "expected").is_dir() and "eval" not in f.name)
TRAINED = [name for name in EXPERIMENTS if name.startswith(("lr", "model"))]
TRAINED = [name for name in TRAINED if not name.startswith(("lr-predict", "lr-xval", "lr-self"))]
needs_golden = pytest.mark.skipif(not EXPERIMENTS, reason=f"the shared golden set is not at {GOLDEN}: set ASSAY_SHARED")


def configured(name: str, folder: Path, changed: Mapping[str, Any] | None = None) -> Path:
    """The configuration of a case as a file; tables are found where they are."""
    case = stored(name)
    settings = case["config"] | (changed or {})
    for option, value in settings.items():
        if isinstance(value, str) and value.startswith("../tables/"):
            settings[option] = str(HERE / value.removeprefix("../"))
    for file, rows in case.get("beside", {}).items():
        with (folder / file).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(rows)
    path = folder / "config.json"
    path.write_text(json.dumps(settings), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", TOOL)
def test_every_file_of_rsmtool_is_written_with_the_same_cells(case: str, tmp_path: Path) -> None:
    path = configured(case, tmp_path)

    config = rsm_tool(path, tmp_path / "out", compat=case in COMPAT, no_report=True).config

    expected = stored(case)["tables"]
    assert differences(tmp_path / "out", expected, LOOSE.get(case, 1e-6)) == []
    assert columns_elsewhere(tmp_path / "out", expected) == []
    if not case.startswith(("model_", "skll_", "objective_", "fixed", "expected")):
        written = {path.name for path in (tmp_path / "out").rglob(f"*.{config.file_format}")}
        written -= {f"{case}_{name}.{config.file_format}" for name in FOR_EVERYONE}
        assert written == {Path(file).name for file in expected}


@pytest.mark.parametrize("case", ["everything", "file_transforms", "flags_test"])
def test_the_saved_configuration_is_the_one_rsmtool_saves(case: str, tmp_path: Path) -> None:
    config = rsm_tool_config(configured(case, tmp_path))

    ours = {key: value for key, value in config.saved.items() if not str(value).startswith(str(HERE))}

    theirs = stored(case)["saved"]
    assert list(config.saved) == list(theirs)
    assert ours == {key: theirs[key] for key in ours}


@pytest.mark.parametrize("case", REFUSED)
def test_what_rsmtool_refuses_is_refused_with_a_message_or_mended(case: str, tmp_path: Path) -> None:
    path = configured(case, tmp_path)
    if case in MENDED:
        rsm_tool(path, tmp_path / "out", no_report=True)
        assert any((tmp_path / "out" / "output").iterdir())
    else:
        with pytest.raises(InputError, match=r"\w+"):
            rsm_tool(path, tmp_path / "out", no_report=True)
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("case", PREDICT)
def test_stored_models_score_new_responses_as_rsmpredict_does(case: str, tmp_path: Path) -> None:
    model = stored(case)["config"]["experiment_id"]
    rsm_tool(configured(model, tmp_path), tmp_path / "model", no_report=True)
    config = configured(case, tmp_path, {"experiment_dir": str(tmp_path / "model")})

    rsm_predict(
        config,
        tmp_path / "out" / "predictions.csv",
        features=tmp_path / "out" / "features.csv",
    )

    assert differences(tmp_path / "out", stored(case)["tables"]) == []


@pytest.mark.parametrize("case", XVAL)
def test_cross_validations_come_out_as_those_of_rsmxval(case: str, tmp_path: Path) -> None:
    path = configured(case, tmp_path)

    rsm_xval(path, tmp_path / "out", compat=case in COMPAT, no_report=True)

    assert differences(tmp_path / "out", stored(case)["tables"]) == []


@pytest.mark.parametrize("case", XVAL_MENDED)
def test_cross_validations_that_rsmtool_cannot_finish_are_finished(case: str, tmp_path: Path) -> None:
    result = rsm_xval(configured(case, tmp_path), tmp_path / "out", no_report=True)

    assert "error" in stored(case)
    assert result.evaluated.evaluation.n == len(result.final.experiment.train.used)


@needs_golden
@pytest.mark.parametrize("experiment", TRAINED)
def test_the_golden_experiments_of_rsmtool_come_out_the_same(experiment: str, tmp_path: Path) -> None:
    path = GOLDEN / experiment / "input" / "config.json"

    rsm_tool(path, tmp_path / "out", compat=experiment in COMPAT, no_report=True)

    assert differences(tmp_path / "out", golden_tables(experiment)) == []


@needs_golden
@pytest.mark.parametrize("experiment", [name for name in EXPERIMENTS if name.startswith("lr-predict")])
def test_the_golden_predictions_of_rsmtool_come_out_the_same(experiment: str, tmp_path: Path) -> None:
    config = GOLDEN / experiment / "input" / "config.json"

    rsm_predict(config, tmp_path / "predictions.csv", features=tmp_path / "preprocessed_features.csv")

    assert differences(tmp_path, golden_tables(experiment)) == []


@needs_golden
def test_the_golden_cross_validation_of_rsmtool_comes_out_the_same(tmp_path: Path) -> None:
    config = GOLDEN / "lr-xval" / "input" / "config.json"

    rsm_xval(config, tmp_path, no_report=True)

    assert differences(tmp_path, golden_tables("lr-xval")) == []
    folds: dict[str, str] = json.loads((GOLDEN / "lr-xval" / "expected" / "folds.json").read_text(encoding="utf-8"))
    assert folds
    assert (tmp_path / "final-model" / "output" / "lr_xval_model_coefficients.csv").exists()


def golden_tables(experiment: str) -> dict[str, Rows]:
    folder = GOLDEN / experiment / "expected"
    return {path.relative_to(folder).as_posix(): rows_of(path) for path in sorted(folder.rglob("*.csv"))}


def differences(written: Path, expected: Mapping[str, Rows], within: float = 1e-6) -> list[str]:
    """Every cell of the expected tables that is missing or not the same.

    Signs of components are arbitrary, and so are the components without variance.
    """
    found = []
    empty = {column for file, rows in expected.items() if "_pcavar" in file for column in without_variance(rows)}
    for file, rows in expected.items():
        path = place_of(written, Path(file))
        if path is None:
            found.append(f"{file} is missing")
            continue
        signless = path.stem.endswith("_pca")
        ours, theirs = cells(rows_of(path)), cells(rows)
        found += [f"{file}: {key} is extra" for key in ours.keys() - theirs.keys()]
        found += [
            f"{file}: {key} is {ours.get(key)!r}, expected {cell!r}"
            for key, cell in theirs.items()
            if not (signless and key[2] in empty)
            if key not in ours or not same(ours[key], cell, signless=signless, within=within)
        ]
    return found


def without_variance(rows: Rows) -> list[str]:
    """The components of a table of variances that explain nothing: any direction will do for them."""
    header, *others = rows
    shares = next(row for row in others if row[0] == "Percentage of variance")
    return [column for column, share in zip(header[1:], shares[1:], strict=True) if float(share) < 1e-12]


def columns_elsewhere(written: Path, expected: Mapping[str, Rows]) -> list[str]:
    """Every table whose columns do not come in RSMTool's order; columns without a name are called ''."""
    found = {file: (place_of(written, Path(file)), list(rows[0])) for file, rows in expected.items()}
    return [file for file, (path, names) in found.items() if path and list(rows_of(path)[0]) != names]


def place_of(written: Path, file: Path) -> Path | None:
    """Where a table is: stored experiments leave out the folder `output`, also within others."""
    places = (written / file, written / "output" / file, written / file.parent / "output" / file.name)
    return next((place for place in places if place.exists()), None)


def cells(rows: Rows) -> Cells:
    """The cells of a table by the name of their row (its first cell, and which of that name) and column."""
    header, *others = rows
    seen: Counter[str] = Counter()
    found: Cells = {}
    for row in others:
        name = plain(row[0]) if len(others) > 1 else "the only row"  # whose columns may come in another order
        found |= {(name, seen[name], column): cell for column, cell in zip(header, row, strict=True)}
        seen[name] += 1
    return found


def plain(text: str) -> str:
    try:
        return repr(float(text))
    except ValueError:
        return text


def rows_of(path: Path) -> Rows:
    if path.suffix == ".xlsx":
        fastexcel = pytest.importorskip("fastexcel")
        sheet = fastexcel.read_excel(path).load_sheet(0, header_row=None, dtypes="string").to_polars()
        return [[cell or "" for cell in row] for row in sheet.iter_rows()]
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


def same(ours: str, theirs: str, *, signless: bool, within: float) -> bool:
    """Equal as text, or as numbers within so much, the empty cell being NaN."""
    if ours == theirs:
        return True
    try:
        a, b = (float(cell or "nan") for cell in (ours, theirs))
    except ValueError:
        return False
    if signless:
        a, b = abs(a), abs(b)
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=within, abs_tol=within)
