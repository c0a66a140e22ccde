"""Handler: a model trained on scored essays, a block of essays at a time; or moved towards what people decided."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay import __version__
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.features.measure import measure_essays
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.score import score_table
from assay.essays.models.erater.train import TrainingPlan, train_model
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.refit import refit_model, refitted_unseen
from assay.essays.models.resolution import HumanScores
from assay.essays.text.essay import Essay
from assay.evaluation.chunks import tally_parts
from assay.evaluation.compare import Comparison, Contender, compare_engines
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.essays.scored_essays import FurtherColumns, ScoredEssays, read_scored_essays
from assay.io.models.discourse_weights import bundled_discourse_model
from assay.io.models.erater import model_document
from assay.io.results.feedback_json import feedback_from_json
from assay.io.results.result_json import comparison_json, plain
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.document.printable import escaped
from assay.report.evaluation.comparison_report import comparison_report
from assay.report.render.html import HATCH, key_figures_html, sections_html
from assay.scale import ScoreScale
from assay.store.items import find_result
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.outcome import Handle, Outcome, Tools
from assay.web.workspaces.essays.models import facts_of, read_model_of
from assay.web.workspaces.essays.scores import FEEDBACK
from assay.web.workspaces.essays.sources import essay_columns
from assay.web.workspaces.essays.training import MODEL_FILE, PAGE_FILE

Floats = NDArray[np.float64]


def prepare(job: Leased, tools: Tools) -> Handle:
    """The table is read once; then blocks of essays are measured, and in the end the model is fitted."""
    if job.task["is"] == "refit":
        return lambda piece: _refitted(piece, tools)
    settings = job.settings
    columns = settings["columns"]
    path = tools.file(settings["digest"], settings["suffix"])
    try:
        read = read_scored_essays(
            path, essay_columns(columns), FurtherColumns(second_score=columns.get("second") or None)
        )
    except InputError as problem:
        raise InputError(
            str(problem).replace(str(path), settings["source"]).replace(path.name, settings["source"])
        ) from None

    def handle(piece: Leased) -> Outcome:
        if piece.task["is"] == "measure":
            return Outcome({"values": plain(_measured(read.essays[piece.task["first"] : piece.task["stop"]]))})
        return _trained(piece, read, tools)

    return handle


def _measured(essays: Sequence[Essay]) -> list[dict[str, float]]:
    """Every essay measured by itself, as it will be when it is scored."""
    discourse = bundled_discourse_model()
    return [dict(next(measure_essays([essay], discourse)).values) for essay in essays]


def _trained(piece: Leased, read: ScoredEssays, tools: Tools) -> Outcome:
    """The model; blocks that another worker has not finished yet are measured here."""
    rows: list[dict[str, float]] = []
    for item_id, first, stop in piece.settings["blocks"]:
        with tools.database.reading() as connection:
            kept = find_result(connection, item_id, piece.engine)
        rows += _floats(kept.payload["values"]) if kept else _measured(read.essays[first:stop])
    table = EssayFeatures.of(read.essays, rows, read.human, names=tuple(FEATURES))
    scale = ScoreScale.parse(piece.settings["scale"]) if piece.settings["scale"] else None
    model = train_model(table, TrainingPlan(kind=piece.settings["kind"]), scale=scale, version=__version__)
    return Outcome(_facts(model), None, {MODEL_FILE: model_bytes(model)})


def _floats(rows: Sequence[Json]) -> list[dict[str, float]]:
    return [{name: float("nan") if value is None else value for name, value in row.items()} for row in rows]


def _facts(model: EssayModel) -> Json:
    facts = facts_of(model)
    agreement = {group or "all essays": dict(e.agreement) for group, e in model.equations.items()}
    found: Json = plain({"agreement": agreement, "notes": list(facts.notes), "left_out": dict(model.training.left_out)})
    return {**found, "kind": facts.kind, "scale": facts.scale, "essays": facts.essays, "revision": facts.revision}


def model_bytes(model: EssayModel) -> bytes:
    """The model as a file holds it."""
    return (json.dumps(model_document(model), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _refitted(piece: Leased, tools: Tools) -> Outcome:
    """A new revision of the model, and both compared on the essays people decided about.

    Each of these essays is scored by a revision that was refitted without it: what the new model will do with others.
    """
    settings = piece.settings
    old = read_model_of(settings["model"], tools.file)
    if not isinstance(old, EssayModel):
        raise InputError("Only models of weighted features are refitted; train a new one on a table instead.")
    ids = [int(item) for item, _ in piece.task["scores"]]
    table = _table(ids, [score for _, score in piece.task["scores"]], settings["engine"], old, tools)
    new = refit_model(old, table, version=__version__)
    before, after = refitted_unseen(old, table)
    human = table.human.first
    comparison = compare_engines(
        [_contender("new model", after, human, old.scale), _contender("model now", before, human, old.scale)]
    )
    made = Provenance(__version__, f"web, refit of {settings['model_name']}", {}, 0, "")
    document = comparison_report(
        comparison, title="The new model beside the one that scores now", provenance=made, made=""
    )
    live = [score.score for score in score_table(table, new)]
    payload = {
        **_facts(new),
        "reviews": len(ids),
        "unseen": [[item, score] for item, score in zip(ids, after.tolist(), strict=True)],
        "changed": sum(a != b for a, b in zip(before.tolist(), live, strict=True)),
        "figures": {name: _both(comparison, name) for name in ("qwk", "exact_agreement", "smd", "rmse")},
        "lead": document.verdict_lead,
        "rest": document.verdict_rest,
    }
    files = {
        MODEL_FILE: model_bytes(new),
        PAGE_FILE: _page(document).encode(),
        "comparison.json": comparison_json(comparison, made).encode(),
    }
    return Outcome(plain(payload), None, files)


def _table(ids: Sequence[int], scores: Sequence[float], engine: str, model: EssayModel, tools: Tools) -> EssayFeatures:
    """The essays as they were measured when they were scored."""
    essays, rows, human = [], [], []
    for item_id, score in zip(ids, scores, strict=True):
        with tools.database.reading() as connection:
            kept = find_result(connection, item_id, engine)
        if kept is None or not kept.payload["scored"]:
            raise InputError("An essay that was decided about has no score by this model any more. Score again first.")
        text = feedback_from_json(tools.read(kept.files[FEEDBACK])).text.raw
        essays.append(Essay(str(item_id), text, kept.payload["prompt"]))
        rows.append(_floats([kept.payload["features"]])[0])
        human.append(score)
    names = tuple(name for name in model.features)
    return EssayFeatures.of(essays, rows, HumanScores(np.array(human, dtype=np.float64)), names=names)


def _contender(name: str, system: Floats, human: Floats, scale: ScoreScale) -> Contender:
    plan = Plan(scale=scale, leave_out_zeros=False)
    tally, _ = tally_parts([Ratings.of(human, system)], plan)
    return Contender(name, tally.system[plan.trimmed], tally.system[plan.rounded or plan.trimmed])


def _both(comparison: Comparison, name: str) -> Json:
    return {engine: plain(figures[name]) for engine, figures in comparison.metrics.items()}


def _page(document: Document) -> str:
    lead = f"<strong>{escaped(document.verdict_lead)}</strong> " if document.verdict_lead else ""
    verdict = f'<p class="verdict">{lead}{escaped(document.verdict_rest)}</p>'
    sections = f'<div class="sections">{sections_html(document.sections)}</div>'
    return f"{HATCH}{verdict}{key_figures_html(document)}{sections}"
