"""`rsm_explain`: the share of each feature in each score of a stored model, as RSMTool's rsmexplain has it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.execution.observer import SILENT, Observer
from assay.io.models.feature_model import find_feature_model
from assay.io.rsm.configuration.configs import RsmExplainConfig, rsm_explain_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.figures import INDEX
from assay.io.rsm.read import Roles, read_responses, response_file
from assay.io.rsm.stored import read_json_or_nothing
from assay.io.rsm.table import write_rsm_table
from assay.provenance import Provenance
from assay.rsm.explain import Background, Explanation, cluster_centres, explain_model
from assay.rsm.feature_model import FeatureModel, predict
from assay.rsm.types import Matrix, Texts
from assay.workflows.arguments import check_arguments
from assay.workflows.rsm.outputs import (
    COMPAT_OPTIONS,
    OUTPUT,
    RsmResult,
    begin,
    documented,
    own_sections,
    provenance_of,
)

if TYPE_CHECKING:
    from assay.report.document.document import Document

Places = NDArray[np.int64]
SCHEMA = "assay.rsm-explanation/1"


@dataclass(frozen=True, eq=False, repr=False)
class RsmExplainResult(RsmResult):
    """What came out of an explanation."""

    config: RsmExplainConfig
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
    provenance: Provenance

    @property
    def identity(self) -> str:
        return f"{self.config.experiment_id}_explain"

    def summary(self) -> list[tuple[str, str]]:
        explanation = self.explanation
        exact = "exact" if explanation.errors is None else "sampled"
        shares = [(explanation.features[i], f"{explanation.mean_size[i]:.3f} points") for i in explanation.ranked()]
        return [("rsmexplain", self.config.experiment_id), ("Responses", f"{len(explanation)}, {exact}"), *shares]

    def to_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "experiment_id": self.config.experiment_id, **self._content()}

    def to_polars(self) -> pl.DataFrame:
        """The share of each feature in each score."""
        return explanation_tables(self.explanation)["shap_values"].rename({INDEX: "id"})

    def document(self, files: Sequence[str] = ()) -> "Document":
        from assay.report.rsm.explain_charts import ExplainPages  # noqa: PLC0415 - reports are not always asked for
        from assay.report.rsm.explain_report import explain_report  # noqa: PLC0415
        from assay.rsm.explain import cohorts  # noqa: PLC0415

        config, explanation = self.config, self.explanation
        pages = ExplainPages(
            explanation=explanation,
            values=self.values,
            background=self.background,
            left_out=self.left_out,
            model=self.model.model.name,
            provenance=self.provenance,
            summarised=self.summarised,
            most=config.num_features_to_display,
            cohorts=[cohorts(explanation, count) for count in (2, 3, 4)] if config.show_auto_cohorts else (),
            files=files,
        )
        title = config.description or f"What moves the scores of “{config.experiment_id}”"
        own = own_sections(config.custom_sections)
        return explain_report(pages, title=title, sections=config.general_sections, order=config.section_order, own=own)

    def write_files(self, folder: Path) -> None:
        """RSMTool's files; `<id>_ids.json` and `<id>_explanation.json` stand for its pickles."""
        output, name = folder / OUTPUT, self.config.experiment_id
        output.mkdir()
        for table, frame in explanation_tables(self.explanation).items():
            write_rsm_table(output / f"{name}_{table}.csv", frame)
        ids = {str(place): str(own) for place, own in zip(self.places.tolist(), self.explanation.ids, strict=True)}
        texts = {"ids": ids, "explanation": self._content(), "rsmexplain": self.config.saved}
        for text, content in texts.items():
            written = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            (output / f"{name}_{text}.json").write_text(written, encoding="utf-8")

    def _content(self) -> dict[str, Any]:
        explanation = self.explanation
        lists = {"features": self.values, "shares": explanation.values}
        lists |= {} if explanation.errors is None else {"standard_errors": explanation.errors}
        known = {
            name: [[value if np.isfinite(value) else None for value in row] for row in matrix.tolist()]
            for name, matrix in lists.items()
        }
        return {
            "method": explanation.method,
            "base_value": explanation.base,
            "background_responses": explanation.backgrounds,
            "features": list(explanation.features),
            "responses": [
                {"id": str(identity), "place": int(place), "score": float(explanation.predictions[i])}
                | {name: rows[i] for name, rows in known.items()}
                for i, (identity, place) in enumerate(zip(explanation.ids, self.places, strict=True))
            ],
        }


@documented("rsmexplain", compat=COMPAT_OPTIONS)
def rsm_explain(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    pdf: bool = False,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmExplainResult:
    """Say what each feature adds to each score, as RSMTool's rsmexplain does; exact for linear models and trees.

    Returns
    -------
    RsmExplainResult
        What each feature adds to each score; `.write(folder)` writes what the command writes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from assay import rsm_tool
    >>> options = {"model": "LinearRegression", "id_column": "id", "train_file": "examples/training.csv"}
    >>> options |= {"train_label_column": "human", "test_file": "examples/scores.csv", "test_label_column": "human"}
    >>> asked = {"background_data": "examples/training.csv", "explain_data": "examples/scores.csv", "sample_size": 5}
    >>> with TemporaryDirectory() as folder:
    ...     experiment = rsm_tool(options | {"experiment_id": "mine", "features": ["words"]}, folder, no_report=True)
    ...     result = rsm_explain({"experiment_id": "mine", "experiment_dir": folder, "id_column": "id"} | asked)
    >>> result.explanation.features, len(result.to_polars())
    (('words',), 5)
    """
    check_arguments(rsm_explain, locals())
    settings = rsm_explain_config(config, compat=compat)
    begin(out, settings.remarks, observer, force=force)
    files = [settings.background_data, settings.explain_data]
    origin = provenance_of(config, files, command=command, seed=settings.seed)
    result = explained(settings, origin, observer)
    observer.check()
    return result.written(out, force=force, pdf=pdf)


def explained(config: RsmExplainConfig, provenance: Provenance, observer: Observer = SILENT) -> RsmExplainResult:
    """The share of each feature in each score; files are read, none is written."""
    # features are prepared as in the experiment; where that is not known, as configured
    model = find_feature_model(config.experiment_dir, config.experiment_id)
    known = read_json_or_nothing(config.experiment_dir / OUTPUT / f"{config.experiment_id}_rsmtool.json")
    options = {
        "standardize": known.get("standardize_features", config.standardize_features),
        "truncate": known.get("truncate_outliers", config.truncate_outliers),
    }
    given = {name: bool(value) for name, value in options.items() if value is not None}
    model = replace(model, preparation=replace(model.preparation, **given))
    roles, scored = Roles(config.id_column, human=None), []
    for path, option in ((config.background_data, "background_data"), (config.explain_data, "explain_data")):
        frame = read_responses(path, roles, model.names)
        file = response_file(frame, roles, model.names, source=f"{path.name} ({option})")
        scored.append(predict(model, file.table))
    background, responses = scored
    places = chosen_places(responses.table.ids, config)
    columns = model.model.columns_of(model.names)
    rng = np.random.default_rng(config.seed)
    compared = background.preprocessed[:, columns]
    size = config.background_kmeans_size
    summarised = size is not None and size < len(compared)

    def tick() -> None:
        observer.check()
        observer.advance(1)

    observer.begin("Explaining responses", None)
    try:
        explanation = explain_model(
            model.model,
            responses.table.ids[places],
            responses.preprocessed[places][:, columns],
            cluster_centres(compared, size, rng=rng) if summarised and size else Background.of(compared),
            rng=rng,
            rounds=config.rounds,
            tick=tick,
        )
    finally:
        observer.end()
    values = responses.table.with_features(model.model.features).matrix[places]
    return RsmExplainResult(
        *(config, explanation, model, values, places),
        left_out=len(responses.left_out),
        background=len(compared),
        summarised=summarised,
        provenance=provenance,
    )


def chosen_places(ids: Texts, config: RsmExplainConfig) -> Places:
    """Which responses to explain: a range of rows, some by id, some at random, or all.

    The random ones are those that RSMTool draws. Its own `sample_range` takes the two ends for ids; ours is a range.
    """
    places = np.arange(len(ids), dtype=np.int64)
    if config.sample_range is not None:
        first, last = config.sample_range
        if last >= len(ids):
            known = f"there are {len(ids)} responses, counted from 0 to {len(ids) - 1}"
            raise InputError(f"sample_range ends at {last}, but {known}", field="sample_range")
        return places[first : last + 1]
    if config.sample_ids is not None:
        place = {str(identity): number for number, identity in enumerate(ids)}
        missing = [identity for identity in config.sample_ids if identity not in place]
        if missing:
            problem = f"sample_ids names responses that are not there or lack a feature: {', '.join(missing[:5])}"
            raise InputError(problem, field="sample_ids", remedy="Check the ids.")
        return np.array([place[identity] for identity in config.sample_ids], dtype=np.int64)
    if config.sample_size is not None and config.sample_size < len(ids):
        np.random.RandomState(0).shuffle(places)  # as shap.sample does, so the same are drawn
        return places[: config.sample_size]
    return places


def explanation_tables(explanation: Explanation) -> dict[str, pl.DataFrame]:
    """The shares, and per feature the mean, the largest and the smallest absolute share; errors of sampled shares."""
    labels = pl.Series([str(identity) for identity in explanation.ids], dtype=pl.String)
    size = np.abs(explanation.values)
    by_response = {"shap_values": explanation.values}
    by_response |= {} if explanation.errors is None else {"shap_standard_errors": explanation.errors}
    tables = {}
    for name, values in by_response.items():
        columns = {feature: np.ascontiguousarray(values[:, i]) for i, feature in enumerate(explanation.features)}
        tables[name] = pl.DataFrame({INDEX: labels, **columns})
    sizes = {f"abs. {word} shap": getattr(size, word)(axis=0) for word in ("mean", "max", "min")}
    tables["absolute_shap_values"] = pl.DataFrame({INDEX: list(explanation.features), **sizes})
    return tables
