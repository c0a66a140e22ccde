"""An rsmexplain experiment: a stored model and feature tables in, RSMTool's files and an `Explanation` out."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.io.models.feature_model import find_feature_model
from assay.io.rsm.configuration.other_config import RsmExplainConfig
from assay.io.rsm.feature_read import Roles, read_responses, response_file
from assay.io.rsm.figures import INDEX
from assay.io.rsm.stored import OUTPUT
from assay.io.rsm.write import check_free, write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.rsm.experiment import predict
from assay.rsm.explain.explain import explain_model
from assay.rsm.explain.explanation import Background, Explanation
from assay.rsm.explain.sampled import Tick
from assay.rsm.explain.summarize import cluster_centres
from assay.rsm.feature_model import FeatureModel, Predicted
from assay.rsm.types import FeatureTable, Matrix, Texts

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class ExplainResult:
    """What came out of an explanation."""

    explanation: Explanation
    model: FeatureModel
    values: Matrix
    """(responses, features): the features as they came, in the order of the explanation."""
    places: Places
    """Where each response stands among those of the table that can be scored."""
    left_out: int
    """Responses of the table that lack a feature."""
    background: int
    """Background responses that were read."""
    summarised: bool
    """Whether the centres of their clusters stand for them."""


def explain_experiment(config: RsmExplainConfig, tick: Tick | None = None) -> ExplainResult:
    """The share of each feature in each score; files are read, none is written. `tick` is called per response."""
    model = _model(config)
    background = _scored(model, config.background_data, config, "background_data")
    explained = _scored(model, config.explain_data, config, "explain_data")
    places = chosen_places(explained.table.ids, config)
    columns = model.model.columns_of(model.names)
    rng = np.random.default_rng(config.seed)
    compared = background.preprocessed[:, columns]
    size = config.background_kmeans_size
    summarised = size is not None and size < len(compared)
    found = explain_model(
        model.model,
        explained.table.ids[places],
        explained.preprocessed[places][:, columns],
        cluster_centres(compared, size, rng=rng) if summarised and size else Background.of(compared),
        rng=rng,
        rounds=config.rounds,
        tick=tick,
    )
    named = explained.table.with_features(model.model.features)
    return ExplainResult(
        explanation=found,
        model=model,
        values=named.matrix[places],
        places=places,
        left_out=len(explained.left_out),
        background=len(compared),
        summarised=summarised,
    )


def _model(config: RsmExplainConfig) -> FeatureModel:
    """The stored model, features prepared as in the experiment; where that is not known, as configured."""
    model = find_feature_model(config.experiment_dir, config.experiment_id)
    known = _training_options(config)
    wanted = {
        "standardize": known.get("standardize_features", config.standardize_features),
        "truncate": known.get("truncate_outliers", config.truncate_outliers),
    }
    given = {name: bool(value) for name, value in wanted.items() if value is not None}
    return replace(model, preparation=replace(model.preparation, **given))


def _training_options(config: RsmExplainConfig) -> dict[str, Any]:
    path = config.experiment_dir / OUTPUT / f"{config.experiment_id}_rsmtool.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _scored(model: FeatureModel, path: Path, config: RsmExplainConfig, option: str) -> Predicted:
    roles = Roles(id=config.id_column, human=None)
    frame = read_responses(path, roles, model.names)
    table: FeatureTable = response_file(frame, roles, model.names, source=f"{path.name} ({option})").table
    return predict(model, table)


def chosen_places(ids: Texts, config: RsmExplainConfig) -> Places:
    """Which responses to explain: a range of rows, some by id, some at random, or all.

    The random ones are those that RSMTool draws. Its own `sample_range` takes the two ends for ids; ours is a range.
    """
    if config.sample_range is not None:
        first, last = config.sample_range
        if last >= len(ids):
            raise InputError(
                f"sample_range ends at {last}, but there are {len(ids)} responses, counted from 0 to {len(ids) - 1}."
            )
        return np.arange(first, last + 1, dtype=np.int64)
    if config.sample_ids is not None:
        return _by_id(ids, config.sample_ids)
    if config.sample_size is not None and config.sample_size < len(ids):
        places = np.arange(len(ids))
        np.random.RandomState(0).shuffle(places)  # as shap.sample does, so the same are drawn
        return places[: config.sample_size].astype(np.int64)
    return np.arange(len(ids), dtype=np.int64)


def _by_id(ids: Texts, wanted: tuple[str, ...]) -> Places:
    place = {str(identity): number for number, identity in enumerate(ids)}
    missing = [identity for identity in wanted if identity not in place]
    if missing:
        shown = ", ".join(missing[:5])
        raise InputError(f"sample_ids names responses that are not there or lack a feature: {shown}. Check the ids.")
    return np.array([place[identity] for identity in wanted], dtype=np.int64)


def write_explanation(
    result: ExplainResult,
    config: RsmExplainConfig,
    out: Path,
    *,
    force: bool = False,
    report: Callable[[Sequence[str], Path], object] | None = None,
) -> list[str]:
    """OUT/output with RSMTool's files, all or nothing; their names.

    `<id>_ids.json` and `<id>_explanation.json` stand for RSMTool's pickles. Where OUT/output holds files already
    nothing is written, unless forced. `report` is given the names and adds a report to the folder before it appears.
    """
    check_free(out / OUTPUT, force=force)
    tables = explanation_tables(result)
    texts = {
        f"{config.experiment_id}_ids.json": _ids(result),
        f"{config.experiment_id}_explanation.json": _document(result),
        f"{config.experiment_id}_rsmexplain.json": config.settings.saved,
    }
    names = []
    with OutputFolder(out, force=True) as folder:
        (folder / OUTPUT).mkdir()
        for name, table in tables.items():
            names.append(f"{config.experiment_id}_{name}.csv")
            write_rsm_table(folder / OUTPUT / names[-1], table)
        for name, content in texts.items():
            names.append(name)
            written_text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            (folder / OUTPUT / name).write_text(written_text, encoding="utf-8")
        if report is not None:
            report(names, folder)
    return names


def explanation_tables(result: ExplainResult) -> dict[str, pl.DataFrame]:
    """The shares, and per feature the mean, the largest and the smallest absolute share; errors of sampled shares."""
    found = result.explanation
    labels = pl.Series([str(identity) for identity in found.ids], dtype=pl.String)
    size = np.abs(found.values)
    tables = {
        "shap_values": pl.DataFrame({INDEX: labels, **_by_feature(found, found.values)}),
        "absolute_shap_values": pl.DataFrame(
            {
                INDEX: list(found.features),
                "abs. mean shap": size.mean(axis=0),
                "abs. max shap": size.max(axis=0),
                "abs. min shap": size.min(axis=0),
            }
        ),
    }
    if found.errors is not None:
        tables["shap_standard_errors"] = pl.DataFrame({INDEX: labels, **_by_feature(found, found.errors)})
    return tables


def _by_feature(found: Explanation, values: Matrix) -> dict[str, NDArray[np.float64]]:
    return {name: np.ascontiguousarray(values[:, i]) for i, name in enumerate(found.features)}


def _ids(result: ExplainResult) -> dict[str, str]:
    """Place -> id, as RSMTool's pickle has it."""
    pairs = zip(result.places.tolist(), result.explanation.ids, strict=True)
    return {str(place): str(identity) for place, identity in pairs}


def _document(result: ExplainResult) -> dict[str, Any]:
    found = result.explanation
    return {
        "method": found.method,
        "base_value": found.base,
        "background_responses": found.backgrounds,
        "features": list(found.features),
        "responses": [
            {
                "id": str(identity),
                "place": int(place),
                "score": float(found.predictions[i]),
                "features": _numbers(result.values[i]),
                "shares": _numbers(found.values[i]),
                **({} if found.errors is None else {"standard_errors": _numbers(found.errors[i])}),
            }
            for i, (identity, place) in enumerate(zip(found.ids, result.places, strict=True))
        ],
    }


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
