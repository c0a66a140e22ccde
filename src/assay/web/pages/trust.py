"""Trust: system against human, how many more reviews are needed, what to review next, bias and drift."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.evaluation.trust.evidence import ReviewEvidence
from assay.evaluation.trust.judgement import Trust, judge
from assay.report.document.document import Document
from assay.report.evaluation.trust_report import (
    BRINGS,
    OPTIONS,
    TARGETS,
    anchoring_words,
    drift_words,
    precision_words,
    selection_words,
    trust_blocks,
    verdict_words,
    why_words,
)
from assay.report.evaluation.verdict import key_figures
from assay.report.render.html import HATCH, blocks_html, key_figures_html
from assay.store.reviews import ResultsState, override_targets, results_state
from assay.store.schema import Json
from assay.web.inline_styles import extract_inline_styles
from assay.web.problems import FieldErrors
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.workspaces.evaluation.trust_sample import draw_sample
from assay.web.workspaces.evaluation.trust_sources import reviewed_evidence, table_evidence
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page

router = APIRouter()
SIZE = 30
"""Items drawn at random unless somebody asks for another number."""
PIECES = ("figures", "agreement", "levels", "groups", "drift", "tables")
_EVIDENCE: ThreadSafeCache[ReviewEvidence] = ThreadSafeCache(16)
_JUDGED: ThreadSafeCache[Trust] = ThreadSafeCache(32)


@router.get("/{kind}/{workspace_id}/trust")
def trust(
    request: Request,
    found: Found,
    figure: Annotated[str, Query(max_length=40)] = "qwk",
    within: str = "",
    of: Annotated[str, Query(max_length=10)] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
) -> HTMLResponse:
    """How far the scores of this workspace can be trusted."""
    return _page(request, found, figure, within, of, engine)


def _page(
    request: Request,
    found: WorkspaceContext,
    figure: str = "qwk",
    within: str = "",
    of: str = "",
    engine: str = "",
    errors: dict[str, str] | None = None,
) -> HTMLResponse:
    errors = dict(errors or {})
    if "engine" not in found.workspace.settings:
        return workspace_page(request, found, "trust.html", tab="trust", values={"trust": None, "errors": errors})
    wanted = _half_width(within, errors)
    told = trust_of(found, figure=figure, within=wanted, of=of, engine=engine)
    context, styles = page_context(found, told)
    values = {
        **context,
        "errors": errors,
        "within": within if "within" in errors else f"{told.precision.within:g}",
        "size": SIZE,
        "engine": _engine(found, engine),
    }
    status = 422 if errors else 200
    return workspace_page(request, found, "trust.html", tab="trust", status=status, styles=styles, values=values)


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
def draw(request: Request, found: Found, size: Annotated[str, Form()] = "") -> Response:
    """Draw items at random, to be reviewed without choosing."""
    if found.workspace.kind == "evaluation":
        raise InputError("Responses of a table are read elsewhere: draw them there, and upload their human scores.")
    try:
        draw_sample(found, int(size) if size.strip().isdecimal() and len(size) < 10 else 0)
    except FieldErrors as wrong:
        return _page(request, found, errors=wrong.errors)
    return RedirectResponse(f"{found.url}/trust?of=sample", 303)


def trust_of(found: WorkspaceContext, *, figure: str, within: float | None, of: str, engine: str) -> Trust:
    """The judgement, on all reviews or on the random sample; the sample by default once it is reviewed.

    It is kept until the workspace or one of its results changes.
    """
    workspace, engine = found.workspace, _engine(found, engine)
    used = workspace.engine
    with found.site.database.reading() as connection:
        results = results_state(connection, workspace.id, used)
    key = f"{workspace.id} {workspace.changed.isoformat()} {used} {results} {engine}"
    evidence = _EVIDENCE.get(key, lambda: evidence_of(found, engine, results))
    drawn = any(evidence.pairs.drawn)
    whole = drawn and not evidence.sample_left
    only_sample = drawn and (of == "sample" or (of != "all" and whole))
    asked = f"{key} {only_sample} {figure} {within}"
    return _JUDGED.get(asked, lambda: judge(evidence, only_sample=only_sample, figure=figure, within=within))


def evidence_of(found: WorkspaceContext, engine: str, results: ResultsState) -> ReviewEvidence:
    """Human and system scores side by side: of a table, or of what people decided here."""
    if found.workspace.kind == "evaluation":
        return table_evidence(found, engine)
    return reviewed_evidence(found.site, found.workspace, results)


def _engine(found: WorkspaceContext, engine: str) -> str:
    systems: list[str] = found.workspace.settings.get("columns", {}).get("system", [])
    if found.workspace.kind != "evaluation" or not systems:
        return ""
    return engine if engine in systems else systems[0]


def page_context(found: WorkspaceContext, told: Trust) -> tuple[Json, str]:
    """What the template shows, and the styles its charts need."""
    kind = found.kind
    figures = key_figures(told.evaluation) if told.evaluation else ()
    lead, rest = verdict_words(told, figures, kind)
    parts = trust_blocks(told, told.evaluation) if told.evaluation else {}
    html = {name: blocks_html(blocks) for name, blocks in parts.items() if blocks}
    if figures:
        html["figures"] = HATCH + key_figures_html(Document("Trust", key_figures=figures))
    shown, styles = _lifted_together(html)
    with found.site.database.reading() as connection:
        targets = override_targets(connection, found.workspace.id, found.workspace.settings["engine"])
    return {
        "trust": told,
        "lead": lead,
        "rest": rest,
        "html": dict.fromkeys(PIECES, Markup()) | shown,
        "selection": selection_words(told, kind),
        "anchoring": anchoring_words(told),
        "precision": precision_words(told.precision, kind),
        "drift": drift_words(told),
        "next": [(one, why_words(one, kind), BRINGS[one.pick.why]) for one in told.next],
        "options": OPTIONS,
        "targets": [(TARGETS.get(name, name), count) for name, count in sorted(targets.items(), key=lambda t: -t[1])],
        "engines": found.workspace.settings.get("columns", {}).get("system", []) if kind.path == "evaluation" else [],
    }, styles


def _lifted_together(html: dict[str, str]) -> tuple[dict[str, Markup], str]:
    """Style attributes of all pieces lifted in one go, so that their numbers agree."""
    border = "<!--next piece-->"
    whole, styles = extract_inline_styles(border.join(html.values()))
    return dict(zip(html, (Markup(piece) for piece in whole.split(border)), strict=True)) if html else {}, styles
