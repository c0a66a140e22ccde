"""Trust: system against human, how many more reviews are needed, what to review next, bias and drift."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.evaluation.trust.evidence import ReviewEvidence
from assay.evaluation.trust.judgement import Trust, judge
from assay.report.document.document import Document
from assay.report.evaluation import trust_report as words
from assay.report.evaluation.verdict import key_figures
from assay.report.render.html import HATCH, blocks_html, key_figures_html
from assay.store.reviews import override_targets, results_state
from assay.store.schema import Json
from assay.web.pages.page_parts import Errors
from assay.web.problems import FieldErrors
from assay.web.templating import extract_inline_styles
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.workspaces.evaluation.trust_sample import draw_sample
from assay.web.workspaces.evaluation.trust_sources import reviewed_evidence, table_evidence
from assay.web.workspaces.stored_settings import EvaluationSettings
from assay.web.workspaces.workspace_page import Editable, WorkspaceContext, workspace_page

router = APIRouter()
SIZE = 30
"""Items drawn at random unless somebody asks for another number."""
PIECES = ("figures", "agreement", "levels", "groups", "drift", "tables")
_EVIDENCE: ThreadSafeCache[ReviewEvidence] = ThreadSafeCache(16)
_JUDGED: ThreadSafeCache[Trust] = ThreadSafeCache(32)


@router.get("/{kind}/{workspace_id}/trust")
def trust(
    request: Request,
    context: Editable,
    figure: Annotated[str, Query(max_length=40)] = "qwk",
    within: str = "",
    of: Annotated[str, Query(max_length=10)] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
    errors: Errors = None,
) -> HTMLResponse:
    """How far the scores of this workspace can be trusted."""
    if not context.workspace.engine:
        return workspace_page(request, context, "trust.html", tab="trust", values={"trust": None})
    errors = dict(errors or {})
    half_width = _half_width(within, errors)
    judgement = trust_of(context, figure=figure, within=half_width, of=of, engine=engine)
    shown, styles = page_context(context, judgement)
    values = {
        **shown,
        "errors": errors,
        "within": within if "within" in errors else f"{judgement.precision.within:g}",
        "size": SIZE,
        "engine": _engine(context, engine),
    }
    return workspace_page(request, context, "trust.html", tab="trust", styles=styles, values=values)


def _half_width(text: str, errors: dict[str, str]) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1
    if 0 < value <= 1000:
        return value
    errors["within"] = "Give a number above 0, such as 0.05."
    return None


@router.post("/{kind}/{workspace_id}/trust/draw")
def draw(request: Request, context: Editable, size: Annotated[str, Form()] = "") -> Response:
    """Draw items at random, to be reviewed without choosing."""
    try:
        draw_items(context, int(size) if size.strip().isdecimal() and len(size) < 10 else 0)
    except FieldErrors as wrong:
        return trust(request, context, errors=wrong.errors)
    return RedirectResponse(f"{context.url}/trust?of=sample", 303)


def draw_items(context: WorkspaceContext, size: int) -> Json:
    """Items drawn at random; those of an evaluation are reviewed elsewhere."""
    if context.workspace.kind == "evaluation":
        raise InputError("Responses of a table are read elsewhere: draw them there, and upload their human scores.")
    return draw_sample(context, size)


def trust_of(context: WorkspaceContext, *, figure: str, within: float | None, of: str, engine: str) -> Trust:
    """The judgement, on all reviews or on the random sample; the sample by default once it is reviewed.

    It is kept until the workspace or one of its results changes.
    """
    workspace, engine = context.workspace, _engine(context, engine)
    with context.site.database.reading() as connection:
        results = results_state(connection, workspace.id, workspace.engine)
    key = f"{workspace.id} {workspace.changed.isoformat()} {workspace.engine} {results} {engine}"

    def evidence_now() -> ReviewEvidence:
        if workspace.kind == "evaluation":
            return table_evidence(context, engine)
        return reviewed_evidence(context.site, workspace, results)

    evidence = _EVIDENCE.get(key, evidence_now)
    drawn = any(evidence.pairs.drawn)
    only_sample = drawn and (of == "sample" or (of != "all" and not evidence.sample_left))
    asked = f"{key} {only_sample} {figure} {within}"
    return _JUDGED.get(asked, lambda: judge(evidence, only_sample=only_sample, figure=figure, within=within))


def _engines(context: WorkspaceContext) -> list[str]:
    """The engines of a table; none of other workspaces."""
    is_table = context.workspace.kind == "evaluation"
    return list(EvaluationSettings.of(context.workspace).columns.system) if is_table else []


def _engine(context: WorkspaceContext, engine: str) -> str:
    engines = _engines(context)
    return engine if engine in engines else next(iter(engines), "")


def page_context(context: WorkspaceContext, judgement: Trust) -> tuple[Json, str]:
    """What the template shows, and the styles its charts need."""
    kind, evaluation = context.kind, judgement.evaluation
    figures = key_figures(evaluation) if evaluation else ()
    lead, rest = words.verdict_words(judgement, figures, kind)
    parts = words.trust_blocks(judgement, evaluation) if evaluation else {}
    html = {name: blocks_html(blocks) for name, blocks in parts.items() if blocks}
    if figures:
        html["figures"] = HATCH + key_figures_html(Document("Trust", key_figures=figures))
    border = "<!--next piece-->"  # all pieces in one go, so that the numbers of their styles agree
    whole, styles = extract_inline_styles(border.join(html.values()))
    pieces = dict(zip(html, map(Markup, whole.split(border)), strict=True)) if html else {}
    with context.site.database.reading() as connection:
        targets = override_targets(connection, context.workspace.id, context.workspace.engine)
    return {
        "trust": judgement,
        "lead": lead,
        "rest": rest,
        "html": dict.fromkeys(PIECES, Markup()) | pieces,
        "selection": words.selection_words(judgement, kind),
        "anchoring": words.anchoring_words(judgement),
        "precision": words.precision_words(judgement.precision, kind),
        "drift": words.drift_words(judgement),
        "next": [(one, words.why_words(one, kind), words.BRINGS[one.pick.why]) for one in judgement.next],
        "options": words.OPTIONS,
        "targets": [
            (words.TARGETS.get(name, name), count) for name, count in sorted(targets.items(), key=lambda t: -t[1])
        ],
        "engines": _engines(context),
    }, styles
