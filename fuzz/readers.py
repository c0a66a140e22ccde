"""The one table of readers: every place where bytes or text of a user are read, with its fuzz target.

A reader without a row fails tests/fuzz/test_readers.py, which takes the list of readers from the code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fuzz import mutate, mutate_pickles, targets
from fuzz import mutate_containers as containers
from fuzz import seed_annotations as drawn
from fuzz import seed_datasets as listed
from fuzz import seed_judges as judged
from fuzz import seed_models as models
from fuzz import seed_results as results
from fuzz import seed_tables as written
from fuzz import targets_annotations as annotations
from fuzz.mutate import Mutator
from fuzz.scratch import Target

DOCUMENTS = {
    "xml": containers.mutate_xml,
    "rels": containers.mutate_xml,
    "json": mutate.mutate_json,
    "txt": mutate.mutate_csv,
}
LABELS = DOCUMENTS | {"yaml": mutate.mutate_yaml, "names": mutate.mutate_csv, "zip": containers.mutate_zip(DOCUMENTS)}


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader with what is needed to try hostile inputs on it."""

    name: str
    target: Target
    """Calls the real front door; AssayError is a clean refusal, any other exception a finding."""
    seeds: Callable[[], Sequence[bytes]]
    mutate: Mutator
    modules: tuple[str, ...] = field(default=())
    """Below `assay`: whose branches are counted as taken or not; a package stands for all its modules."""
    slow: bool = False
    """Whether it starts processes or takes tens of milliseconds: it gets the least number of inputs."""


_COCO = ("io.annotations.coco", "io.json_text")
_SETS = "io.annotations.datasets"
_TABLES = ("io.tables.tables", "io.tables.columns", "io.tables.unique_ids")
_FORMATS = ("io.tables.table_formats", *_TABLES)
_MODELS = ("io.models.scoring_models", "io.models.model_json")
_CONFIGS = "io.rsm.configuration"
_words = mutate.mutate_words

READERS: tuple[Reader, ...] = (
    Reader("coco", annotations.json_file, drawn.coco, mutate.mutate_json, (*_COCO, "io.annotations.shape_validation")),
    Reader("coco_in_pieces", annotations.coco_in_pieces, drawn.coco, mutate.mutate_json, _COCO),
    Reader("coco_results", annotations.json_file, drawn.coco_results, mutate.mutate_json, _COCO),
    Reader(
        "cvat_images",
        annotations.xml_file,
        drawn.cvat_images,
        containers.mutate_xml,
        ("io.annotations.cvat_shapes", "io.annotations.xml_elements", "io.annotations.columns"),
    ),
    Reader("cvat_tracks", annotations.xml_file, drawn.cvat_tracks, containers.mutate_xml, ("io.annotations.cvat",)),
    Reader("pascal_voc", annotations.xml_file, drawn.voc, containers.mutate_xml, ("io.annotations.voc",)),
    Reader(
        "yolo",
        annotations.zip_file,
        drawn.yolo,
        containers.mutate_zip(LABELS),
        ("io.annotations.yolo", "io.annotations.yolo_dataset"),
    ),
    Reader("yolo_labels", annotations.labels, lambda: [drawn.YOLO_LABELS], mutate.mutate_csv, ("io.annotations.yolo",)),
    Reader(
        "yolo_yaml",
        annotations.data_yaml,
        lambda: [drawn.YOLO_YAML],
        mutate.mutate_yaml,
        ("io.annotations.yolo_dataset",),
    ),
    Reader("labelme", annotations.json_file, drawn.labelme, mutate.mutate_json, ("io.annotations.labelme",)),
    Reader(
        "label_studio",
        annotations.json_file,
        drawn.label_studio,
        mutate.mutate_json,
        ("io.annotations.label_studio", "io.annotations.label_studio_tasks"),
    ),
    Reader(
        "label_studio_min",
        annotations.json_file,
        drawn.label_studio_min,
        mutate.mutate_json,
        ("io.annotations.label_studio_tasks",),
    ),
    Reader("datumaro", annotations.json_file, listed.datumaro, mutate.mutate_json, (f"{_SETS}.datumaro",)),
    Reader("supervisely", annotations.json_file, listed.supervisely, mutate.mutate_json, (f"{_SETS}.supervisely",)),
    Reader("via", annotations.json_file, listed.via, mutate.mutate_json, (f"{_SETS}.via",)),
    Reader("panoptic", annotations.zip_file, listed.panoptic, containers.mutate_zip(LABELS), (f"{_SETS}.panoptic",)),
    Reader("row_texts", annotations.text_file, listed.texts, mutate.mutate_csv, (_SETS,)),
    Reader("row_files", annotations.zip_file, listed.row_files, containers.mutate_zip(LABELS), (_SETS,)),
    Reader(
        "submissions",
        annotations.submissions,
        drawn.submissions,
        containers.mutate_zip(LABELS),
        ("io.annotations.files", "io.annotations.detect", "io.annotations.joining"),
    ),
    Reader(
        "grading",
        annotations.grading,
        lambda: [*drawn.coco(), *drawn.labelme(), *drawn.label_studio()],
        mutate.mutate_json,
        ("annotations.shapes", "annotations.matching", "annotations.geometry", "io.annotations.writers"),
        slow=True,
    ),
    Reader("archives", annotations.archives, drawn.submissions, containers.mutate_zip(LABELS), ("io.archive",)),
    Reader("image_headers", annotations.image, drawn.images, mutate.damage, ("io.image_header",)),
    Reader(
        "image_files", annotations.image_files, drawn.yolo, containers.mutate_zip({}), ("io.image_files", "io.archive")
    ),
    Reader("rules", annotations.rules, written.rules, mutate.mutate_toml, ("io.annotations.rubric_toml",)),
    Reader(
        "class_roster",
        targets.class_roster,
        written.class_rosters,
        mutate.mutate_csv,
        ("io.class_roster",),
    ),
    Reader("roster", annotations.roster, written.rosters, mutate.mutate_csv, ("io.annotations.roster_file",)),
    Reader(
        "instructions",
        annotations.instructions,
        written.instructions,
        _words(written.INSTRUCTION_WORDS),
        ("annotations.rubric.instructions", "annotations.rubric.edits", "annotations.rubric.changes"),
    ),
    Reader("model_answer", annotations.answer, written.answers, mutate.mutate_json, ("annotations.rubric.edits",)),
    Reader("chat_completion", annotations.completion, written.completions, mutate.mutate_json, ("io.language_model",)),
    Reader(
        "model_address",
        annotations.address,
        lambda: written.lines(*written.ADDRESSES),
        _words(written.ADDRESSES),
        ("io.language_model",),
    ),
    Reader("judge_rubric", targets.judge_rubric, judged.rubrics, mutate.mutate_toml, ("io.judging.rubric_toml",)),
    Reader("judge_answer", targets.judge_answer, judged.answers, mutate.mutate_json, ("evaluation.judging.answers",)),
    Reader("judge_cache", targets.judge_cache, judged.caches, mutate.mutate_jsonl, ("io.judging.answer_cache",)),
    Reader("judge_items", targets.judge_items, judged.items, mutate.mutate_csv, ("io.judging.items_table",)),
    Reader(
        "overrides", annotations.overrides, results.decisions, mutate.mutate_json, ("annotations.grading.overrides",)
    ),
    *(
        Reader(f"table_{name}", targets.tables[ending], seeds, mutator, (*modules, *_TABLES))
        for name, ending, seeds, mutator, modules in (
            ("csv", "csv", written.csv, mutate.mutate_csv, ("io.tables.csv_text",)),
            ("tsv", "tsv", written.tsv, mutate.mutate_csv, ("io.tables.csv_text",)),
            ("csv_gz", "csv.gz", written.csv_gz, mutate.damage, ("io.tables.csv_text",)),
            ("jsonl", "jsonl", written.jsonl, mutate.mutate_jsonl, ("io.tables.table_formats",)),
            ("parquet", "parquet", written.parquet, mutate.damage, ("io.tables.table_formats",)),
            ("xlsx", "xlsx", written.xlsx, containers.mutate_zip(DOCUMENTS), ("io.tables.table_formats",)),
            ("sas", "sas7bdat", written.sas, mutate.damage, ("io.tables.table_formats",)),
            ("by_look", "unknown", written.csv, mutate.mutate_csv, ("io.tables.table_formats",)),
        )
    ),
    Reader(
        "ratings", targets.ratings, lambda: [written.SCORES], mutate.mutate_csv, ("io.tables.ratings_table",), slow=True
    ),
    Reader(
        "panel",
        targets.panel_table,
        written.panels,
        mutate.mutate_csv,
        ("io.tables.panel_table", "io.tables.panel_columns", "io.tables.panel_labels"),
        slow=True,
    ),
    Reader(
        "evaluation_log",
        targets.evaluation_log,
        written.evaluation_archives,
        containers.mutate_zip(DOCUMENTS),
        ("io.tables.evaluation_logs",),
    ),
    Reader(
        "evaluation_log_json",
        targets.evaluation_log_json,
        written.evaluation_logs,
        mutate.mutate_json,
        ("io.tables.evaluation_logs",),
    ),
    Reader("essay_text", targets.essay_document("essay.txt"), written.text, mutate.damage, ("io.essays.documents",)),
    Reader(
        "essay_markdown",
        targets.essay_document("essay.md"),
        written.markdown,
        mutate.damage,
        ("io.essays.open_documents",),
    ),
    Reader(
        "essay_odt",
        targets.essay_document("essay.odt"),
        written.odt,
        containers.mutate_zip(DOCUMENTS),
        ("io.essays.open_documents",),
    ),
    Reader(
        "essay_file",
        targets.essay_file,
        lambda: [*written.text(), *written.docx()[:1], *written.odt()[:1], b"id,essay\na,One.\n"],
        mutate.damage,
        ("io.essays.table", "io.essays.standard_input"),
    ),
    Reader(
        "essay_preferences",
        targets.preferences,
        written.preferences,
        mutate.mutate_toml,
        ("io.essays.preferences_file",),
    ),
    Reader(
        "essay_docx",
        targets.essay_document("essay.docx"),
        written.docx,
        containers.mutate_zip(DOCUMENTS),
        ("io.essays.documents",),
    ),
    Reader(
        "essay_pdf",
        targets.essay_document("essay.pdf"),
        written.pdf,
        mutate.damage,
        ("io.essays.documents",),
        slow=True,
    ),
    Reader(
        "essay_table",
        targets.essay_table,
        written.essay_table,
        mutate.mutate_csv,
        ("io.essays.table", "io.essays.scored_essays"),
        slow=True,
    ),
    Reader(
        "study_features",
        targets.study_features,
        written.study_features,
        mutate.mutate_csv,
        ("io.essays.features_table",),
    ),
    Reader(
        "score_scale", targets.score_scale, lambda: written.lines(*written.SCALES), _words(written.SCALES), ("scale",)
    ),
    Reader(
        "gate", targets.gate, lambda: written.lines(*written.GATES), _words(written.GATES), ("evaluation.thresholds",)
    ),
    Reader(
        "scim_filter",
        targets.scim_filter,
        lambda: written.lines(*written.FILTERS),
        _words(written.FILTERS),
        ("web.sign_on.scim_filter",),
    ),
    Reader("sign_on", targets.sign_on, written.sign_on_settings, mutate.mutate_toml, ("web.sign_on.settings",)),
    Reader("flag", targets.flag, lambda: written.lines(*written.FLAGS), _words(written.FLAGS), ()),
    Reader("essay_model", targets.essay_model, models.essay_models, mutate.mutate_json, _MODELS),
    Reader(
        "hybrid_model", targets.essay_model, models.hybrid_models, mutate.mutate_json, ("io.models.hybrid", *_MODELS)
    ),
    Reader(
        "calibrated_model", targets.essay_model, models.calibrated_models, mutate.mutate_json, ("io.models.hybrid",)
    ),
    Reader("trees", targets.trees, models.trees, mutate.mutate_numbers, ("io.models.trees",)),
    Reader("discourse_model", targets.discourse_model, models.discourse_models, containers.mutate_zip({}), _MODELS[:1]),
    Reader(
        "feature_model", targets.feature_model, models.feature_models, mutate.mutate_json, ("io.models.feature_model",)
    ),
    Reader(
        "estimator",
        targets.estimator,
        models.estimators,
        containers.mutate_zip(DOCUMENTS),
        ("io.models.estimator_file",),
    ),
    Reader(
        "pickled_model",
        targets.pickled_model,
        models.pickled_models,
        mutate_pickles.mutate_pickle,
        ("io.models.rsmtool_model", "io.models.restricted_pickle"),
        slow=True,
    ),
    Reader("rsm_config", targets.rsm_config, models.rsm_configs, models.mutate_config, (_CONFIGS,)),
    Reader(
        "report_section",
        targets.report_section,
        models.sections,
        _words(models.SECTION_WORDS),
        ("report.document.markdown", _CONFIGS),
    ),
    Reader("feature_specs", targets.feature_specs, models.feature_specs, mutate.mutate_csv, ("io.rsm.feature_specs",)),
    Reader(
        "rsm_responses", targets.rsm_responses, models.rsm_features, mutate.mutate_csv, ("io.rsm.read", "io.rsm.table")
    ),
    Reader(
        "rsm_experiment",
        targets.rsm_experiment,
        models.rsm_experiments,
        containers.mutate_zip(DOCUMENTS | {"csv": mutate.mutate_csv}),
        ("io.rsm.stored", "io.models.feature_model"),
    ),
    Reader(
        "evaluation", targets.evaluation, results.evaluation, mutate.mutate_json, ("io.results.result_json",), slow=True
    ),
    Reader("part_manifest", targets.part_manifest, results.manifests, mutate.mutate_json, ("io.tables.part_folder",)),
    Reader("feedback", targets.feedback, results.feedback, mutate.mutate_json, ("io.results.feedback_json",)),
    Reader("rules_form", targets.rules_form, results.forms, mutate.mutate_json, ("web.workspaces.annotations.rules",)),
    Reader("web_columns", targets.web_columns, results.columns, mutate.mutate_json, ("web.workspaces.scoring",)),
    Reader(
        "stored_settings",
        targets.stored_settings,
        results.settings,
        mutate.mutate_json,
        ("web.workspaces.stored_settings",),
    ),
)
BY_NAME: Mapping[str, Reader] = {reader.name: reader for reader in READERS}
