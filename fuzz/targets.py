"""Fuzz targets of tables, essays, models, RSMTool's files, results and settings: bytes in, the real reader called."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from assay.annotations.rubric.infer import suggest_rubric
from assay.errors import AssayError, InputError
from assay.evaluation.judging.answers import values_in
from assay.evaluation.judging.prompt import JudgedItem, messages_for
from assay.evaluation.judging.rubric import essay_scale
from assay.evaluation.thresholds import parse_gate
from assay.io.class_roster import read_class_roster
from assay.io.essays.documents import read_essay_document, read_essay_text
from assay.io.essays.features_table import read_study_features
from assay.io.essays.preferences_file import read_preferences
from assay.io.essays.scored_essays import FurtherColumns, StudyColumns, read_scored_essays, read_study_essays
from assay.io.essays.standard_input import ending_of
from assay.io.essays.table import EssayColumns, guess_essay_columns, open_essays, read_named_essay
from assay.io.judging.answer_cache import AnswerCache, request_key
from assay.io.judging.items_table import read_items
from assay.io.judging.rubric_toml import judge_rubric_of, read_judge_rubric
from assay.io.language_model import Completion, object_in
from assay.io.models.feature_model import find_feature_model, read_feature_model
from assay.io.models.model_json import undamaged
from assay.io.models.rsmtool_model import read_rsmtool_model
from assay.io.models.scoring_models import read_discourse_model, read_scoring_model
from assay.io.models.trees import read_trees
from assay.io.results.feedback_json import feedback_from_json
from assay.io.rsm.configuration import configs
from assay.io.rsm.configuration.settings import read_section
from assay.io.rsm.feature_specs import requested_features, subset_features, subset_signs
from assay.io.rsm.read import read_predictions, read_responses, read_scaling, response_file, training_roles
from assay.io.rsm.stored import read_experiment, read_experiments, renamed, summary_tables
from assay.io.tables.columns import guess_columns
from assay.io.tables.evaluation_logs import read_evaluation_log
from assay.io.tables.part_folder import MANIFEST, PartFolder
from assay.io.tables.tables import _read_once, check_unique_ids, open_table, open_table_of_stranger
from assay.report.document.document import Document
from assay.report.document.markdown import own_section
from assay.report.render.html import to_html
from assay.rsm.feature_model import FeatureModel, predict
from assay.rsm.types import FeatureTable
from assay.scale import ScoreScale
from assay.web.sign_on.scim_filter import parse_filter
from assay.web.sign_on.settings import read_sign_on
from assay.workflows.evaluation.compare import compare
from assay.workflows.evaluation.panel import panel
from assay.workflows.evaluation.score_tables import flags_of
from assay.workflows.evaluation.trust import trust
from fuzz import seed_judges, seed_models, seed_results
from fuzz.scratch import in_file, in_folder, scratch
from fuzz.targets_annotations import truth


@in_file("roster")
def class_roster(path: Path) -> object:
    return [read_class_roster(path, class_id=one) for one in ("", "English 9")]


NUMBERED = EssayColumns("essay", "id", "prompt", "score", "program")


going_on = partial(suppress, AssayError)
"""What one reader refuses, the next may read."""


def table(path: Path) -> object:
    """A table opened, counted, looked through, read whole and in parts."""
    _read_once.cache_clear()  # each input lies at the same path
    source = open_table_of_stranger(path, path.name)
    frame = source.frame()
    guess_columns(frame)
    with going_on():
        source.frame(as_text=True)
    with going_on():
        if source.columns:
            check_unique_ids(source, source.columns[0])
    for column in source.columns[:3]:
        with going_on():
            source.distinct(column, most=50)
    return source.row_count, [batch.height for batch in source.batches(source.columns, rows=7)]


ENDINGS = ("csv", "tsv", "csv.gz", "jsonl", "parquet", "xlsx", "sas7bdat", "unknown")
tables: dict[str, Callable[[bytes], object]] = {ending: in_file(f"table.{ending}")(table) for ending in ENDINGS}


@in_file("ratings.csv")
def ratings(path: Path) -> object:
    """A table of ratings, judged: how far can the engine be trusted."""
    roles: dict[str, Any] = {"second_human": "second", "groups": ["group"], "id": "id"}
    return trust(path, human="human", system="engine", **roles).json()


@in_file("panel.csv")
def panel_table(path: Path) -> object:
    """A table of ratings of people and judges, long, wide or of preferences."""
    return panel(path).json()


@in_file("log.eval")
def evaluation_log(path: Path) -> object:
    """A log of inspect_ai in a ZIP."""
    return read_evaluation_log(path)


@in_file("log.json")
def evaluation_log_json(path: Path) -> object:
    """A log of inspect_ai, or results of promptfoo, in JSON."""
    return read_evaluation_log(path)


def essay_document(name: str) -> Callable[[bytes], object]:
    return partial(read_essay_document, name=name)


@in_file("essay.txt")
def essay_file(path: Path) -> object:
    """A text by itself, and as one of a folder."""
    folder = scratch() / "essays"
    folder.mkdir(exist_ok=True)
    (folder / "one.txt").write_bytes(path.read_bytes())
    with going_on():
        ending_of(path.read_bytes())
        read_named_essay(folder, "one.txt")
        list(open_essays(folder, None).parts())
    return read_essay_text(str(path))


@in_file("sign-on.toml")
def sign_on(path: Path) -> object:
    return read_sign_on(path, {})


def scim_filter(content: bytes) -> object:
    return parse_filter(content.decode("utf-8", "replace"))


@in_file("course.toml")
def preferences(path: Path) -> object:
    return read_preferences(path)


@in_file("essays.csv")
def essay_table(path: Path) -> object:
    """A table of essays as scoring, training and studies read it."""
    with going_on():
        guess_essay_columns(open_table(path).frame())
    with going_on():
        open_essays(path, None)
    with going_on():
        list(open_essays(path, NUMBERED).parts())
    with going_on():
        read_scored_essays(path, NUMBERED, FurtherColumns("second"))
    further = {"second_score": "second", "program": "program", "candidate": "candidate"}
    return read_study_essays(path, StudyColumns("essay", "score", "prompt", "id", **further))


@in_file("features.csv")
def study_features(path: Path) -> object:
    return read_study_features(path, ["a", "b"])


def score_scale(content: bytes) -> object:
    scale = ScoreScale.parse(content.decode("utf-8", "replace"))
    if (scale.highest - scale.lowest) / scale.step < 1e5:
        scale.holds(scale.round(scale.trim(scale.points())))
    return str(scale)


def gate(content: bytes) -> object:
    return parse_gate(content.decode("utf-8", "replace"))


def flag(content: bytes) -> object:
    return flags_of([content.decode("utf-8", "replace")])


@in_file("model.json")
def essay_model(path: Path) -> object:
    model = read_scoring_model(path)
    return repr(model.scale), model.kind, dict(model.reads_with), model.training


def trees(content: bytes) -> object:
    """The text of boosted trees inside a model, and what they make of numbers."""
    with undamaged("model.json"):
        read = read_trees(content.decode("utf-8", "replace"))
    return read.predict(np.zeros((2, 2))), read.shares(np.ones((2, 2)))


def discourse_model(content: bytes) -> object:
    return read_discourse_model(content, name="discourse.npz")


def _used(model: FeatureModel, features: tuple[str, ...] = ("alpha", "beta")) -> object:
    """Two responses scored: what a model file states must fit together."""
    matrix = np.array([[1.0, 2.0], [3.0, 4.0]])
    table = FeatureTable(np.array(["a", "b"], dtype=object), features, matrix, np.array([1.0, 2.0]))
    return predict(model, table)


@in_file("model.json")
def feature_model(path: Path) -> object:
    return _used(read_feature_model(path))


def estimator(content: bytes) -> object:
    """An estimator beside a model file that states its right digest."""
    (scratch() / "model.skops").write_bytes(content)
    path = scratch() / "of_estimator.json"
    path.write_bytes(seed_models.estimator_document(content))
    return _used(read_feature_model(path))


@in_file("x.model")
def pickled_model(path: Path) -> object:
    """A model that RSMTool stored as a pickle, opened by somebody who trusts it."""
    return _used(read_rsmtool_model(path, trust_pickle=True), ("words", "engine_b"))


COMMANDS: dict[str, Callable[..., object]] = {
    "tool": configs.rsm_tool_config,
    "eval": configs.rsm_eval_config,
    "predict": configs.rsm_predict_config,
    "compare": configs.rsm_compare_config,
    "summarize": configs.rsm_summarize_config,
    "xval": configs.rsm_xval_config,
    "explain": configs.rsm_explain_config,
}


def rsm_config(content: bytes) -> object:
    """A configuration; its first line names the command, and the ending of the file."""
    first, _, text = content.partition(b"\n")
    command, _, ending = first.decode("latin-1").partition(".")
    path = scratch() / f"config.{'toml' if ending == 'toml' else 'json'}"
    path.write_bytes(text)
    read = COMMANDS.get(command, configs.rsm_tool_config)
    with going_on():
        read(path, compat=True)
    return read(path)


@cache
def _tool_config(**changed: Any) -> configs.RsmModelConfig:
    options = {"experiment_id": "e", "model": "LinearRegression", "train_file": "t.csv", "test_file": "t.csv"}
    more = {"subgroups": "group", "length_column": "length", "candidate_column": "candidate"}
    config: configs.RsmModelConfig = configs.rsm_tool_config(options | more | changed)
    return config


@in_file("notes.md")
def report_section(path: Path) -> object:
    """A section of a user's own, as HTML."""
    return to_html(Document("Report", sections=(own_section("notes", read_section(path)),)))


@in_file("specs.csv")
def feature_specs(path: Path) -> object:
    """A feature file, and the same as a file of subsets."""
    with going_on():
        requested_features(_tool_config(features=str(path), use_truncation_thresholds=True))
    subset = _tool_config(feature_subset_file=str(path), feature_subset="low", sign="main")
    with going_on():
        subset_features(subset, ("alpha", "beta"))
    return subset_signs(subset)


@in_file("features.csv")
def rsm_responses(path: Path) -> object:
    config = _tool_config(second_human_score_column="sc2")
    with going_on():
        read_scaling(path)
    options = {"experiment_id": "e", "predictions_file": str(path), "system_score_column": "alpha", "trim_min": 1}
    more = {"trim_max": 6, "subgroups": "group", "second_human_score_column": "sc2", "candidate_column": "candidate"}
    with going_on():
        read_predictions(configs.rsm_eval_config(options | more | {"flag_column": {"group": ["x"]}}))
    roles = training_roles(config, evaluation=True)
    frame = read_responses(path, roles, ("alpha", "beta"))
    return response_file(frame, roles, ("alpha", "beta"), source=path.name)


@in_folder("output")
def rsm_experiment(folder: Path) -> object:
    """The folder of an experiment of RSMTool: its tables summarized, and its model used."""
    with going_on():
        read_experiment(folder.parent, "ours")
        experiments = read_experiments(folder.parent)
        summary_tables(renamed([*experiments, *experiments]))
    return _used(find_feature_model(folder.parent, "ours"))


def evaluation(content: bytes) -> object:
    """An evaluation.json compared with another."""
    path, other = scratch() / "evaluation.json", scratch() / "other.json"
    path.write_bytes(content)
    if not other.exists():
        other.write_bytes(seed_results.evaluations()[1])
    return compare([path, other]).json()


def part_manifest(content: bytes) -> object:
    """What a folder of parts says it was made from, when work on it goes on."""
    folder = scratch() / "parts"
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).write_bytes(content)
    return PartFolder(folder, seed_results.ORIGIN).left()


def feedback(content: bytes) -> object:
    return feedback_from_json(content)


def rules_form(content: bytes) -> object:
    """What the page of rules sends, as the web app reads it."""
    from assay.web.workspaces.annotations.rules import read_form

    stated = _object(content)
    rubric = suggest_rubric(truth())
    return read_form({str(name): str(value) for name, value in stated.items()}, rubric, rubric, truth())


def web_columns(content: bytes) -> object:
    """The columns a request chooses for a table of scores."""
    from assay.web.workspaces.score_tables import EMPTY, TAKES, _as_stored
    from assay.web.workspaces.scoring import requested
    from assay.web.workspaces.stored_settings import EvaluationRequest

    asked = requested(EvaluationRequest, _object(content), TAKES)
    return {role: _as_stored(getattr(asked, role), role) for role in EMPTY if role in asked.model_fields_set}


def stored_settings(content: bytes) -> object:
    """JSON that the database keeps, as every class that reads some of it."""
    from assay.web.workspaces import stored_settings as stored

    settings = _object(content)
    read = []
    for kind in sorted(_below(stored.StoredJson), key=lambda one: one.__name__):
        with going_on():
            read.append(kind.from_json(settings).to_json())
    if not read:
        raise InputError("no class reads it")
    return read


def _below(kind: type[Any]) -> list[type[Any]]:
    return [one for child in kind.__subclasses__() for one in (child, *_below(child))]


def judge_rubric(content: bytes) -> object:
    """A rubric, from its bytes and from a file, and what a judge is asked by it."""
    path = scratch() / "rubric.toml"
    path.write_bytes(content)
    read_judge_rubric(path)
    rubric = judge_rubric_of(content, name="rubric.toml")
    with going_on():
        essay_scale(rubric)
    return [messages_for(rubric, group, JudgedItem("a", "text")) for group in rubric.groups]


def judge_answer(content: bytes) -> object:
    """The answer of a judge."""
    rubric = judge_rubric_of(seed_judges.RUBRIC, name="rubric.toml")
    try:
        stated = object_in(content.decode("utf-8", "replace"))
    except ValueError as refusal:
        raise InputError(str(refusal)) from None
    return values_in(stated, rubric.criteria)


@in_file("answers.jsonl")
def judge_cache(path: Path) -> object:
    """A cache that is read, goes on and is read again."""
    cache = AnswerCache(path)
    cache.put(request_key({"more": True}), Completion("{}", 1, 2))
    cache.close()
    return len(AnswerCache(path))


@in_file("items.csv")
def judge_items(path: Path) -> object:
    return read_items(path, text="text", id="id", context=["question"])


def _object(content: bytes) -> dict[str, Any]:
    try:
        stated = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return stated if isinstance(stated, dict) else {}
