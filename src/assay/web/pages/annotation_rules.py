"""The rules of an annotation workspace: shown, edited by form, by words or as text; scored by at once."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.known_names import KnownNames
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import COMPARATORS, PROFILE_SETTINGS, Rubric
from assay.errors import InputError
from assay.io.annotations.rubric_toml import COMMENTS, read_rubric
from assay.store.ids import content_digest
from assay.store.item_listing import changes, totals
from assay.store.schema import Json
from assay.web.problems import FieldErrors, page_words
from assay.web.templating import render
from assay.web.workspaces.annotations.rules import (
    CHOICE_WORDS,
    COMPARATOR_WORDS,
    FAMILY_WORDS,
    SWITCH_WORDS,
    WEIGHTS,
    attribute_names,
    attribute_rows,
    families_in,
    label_rows,
    preview,
    read_form,
)
from assay.web.workspaces.annotations.scores import rules_of, truth_upload, workspace_truth
from assay.web.workspaces.annotations.workspace import score_with
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page
from assay.workflows.annotations.instructions import Proposal, propose_rubric, rubric_diff, summary

router = APIRouter()
CHANGES_SHOWN = 8


@router.get("/{workspace_id}/rules")
def rules(request: Request, context: Found) -> HTMLResponse:
    """The rules that hold."""
    return _page(request, context)


def _page(
    request: Request,
    context: WorkspaceContext,
    *,
    draft: Rubric | None = None,
    form: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    instructions: str = "",
    proposal: Proposal | None = None,
    text: str | None = None,
    effect: Json | None = None,
) -> HTMLResponse:
    """The page, with what was typed kept when something is wrong with it."""
    if truth_upload(context.site, context.workspace.id) is None:
        return workspace_page(request, context, "annotations/no_rules.html", tab="rules")
    truth, rubric = workspace_truth(context.site, context.workspace.id), draft or rules_of(context.workspace)
    inferred = read_rubric(context.workspace.settings["inferred"])
    values = {
        "rubric": rubric,
        "form": form or {},
        "errors": errors or {},
        "shares": dict(zip(("localisation", "label", "attributes"), rubric.weights.of_match, strict=True)),
        "quality": 100 * rubric.weights.of_overall[0],
        "labels": label_rows(rubric, truth),
        "attributes": attribute_rows(rubric, inferred),
        "families": families_in(truth),
        "keys": attribute_names(truth),
        "weights": WEIGHTS,
        "family_words": FAMILY_WORDS,
        "comparators": {name: COMPARATOR_WORDS[name] for name in COMPARATORS},
        "choices": CHOICE_WORDS,
        "switches": SWITCH_WORDS,
        "comments": COMMENTS,
        "profiles": list(PROFILE_SETTINGS),
        "in_words": pseudocode(rubric),
        "toml": text if text is not None else context.workspace.settings["rules"],
        "edited": context.workspace.settings["rules"] != context.workspace.settings["inferred"],
        "instructions": instructions,
        "proposal": proposal,
        "understood": list(summary(proposal)) if proposal else [],
        "diff": rubric_diff(proposal.before, proposal.after).splitlines() if proposal else [],
        "base": _base(context),
        "preview": effect,
        **_effect(context),
    }
    return workspace_page(
        request, context, "annotations/rules.html", tab="rules", values=values, status=422 if errors else 200
    )


def _base(context: WorkspaceContext) -> str:
    """Stands for the rules a proposal starts from."""
    return content_digest(context.workspace.settings["rules"])[:16]


def _effect(context: WorkspaceContext) -> dict[str, object]:
    """What the last change of the rules did to the scores."""
    engine, before = context.workspace.settings.get("engine"), context.workspace.settings.get("previous_engine")
    if not engine:
        return {"totals": None, "changed": [], "changes": 0, "of": 0, "was": None}
    with context.site.database.reading() as connection:
        now = totals(connection, context.workspace.id, engine)
        if not before:
            return {"totals": now, "changed": [], "changes": 0, "of": 0, "was": None}
        was = totals(connection, context.workspace.id, before)
        listed, number, of = changes(connection, context.workspace.id, before, engine, CHANGES_SHOWN)
    return {"totals": now, "changed": listed, "changes": number, "of": of, "was": was if was.scored else None}


async def sent_fields(request: Request) -> dict[str, str]:
    """The fields of a form whose names depend on the rules."""
    sent = await request.form()
    return {name: value for name, value in sent.items() if isinstance(value, str)}


@router.post("/{workspace_id}/rules")
def change_rules(request: Request, context: Found, form: Annotated[dict[str, str], Depends(sent_fields)]) -> Response:
    """Score by the rules of the form."""
    try:
        inferred = read_rubric(context.workspace.settings["inferred"])
        truth = workspace_truth(context.site, context.workspace.id)
        return _scored(context, read_form(form, rules_of(context.workspace), inferred, truth))
    except FieldErrors as wrong:
        return _page(request, context, form=form, errors=wrong.errors)


@router.post("/{workspace_id}/rules/effect")
def show_effect(
    request: Request, context: Found, form: Annotated[dict[str, str], Depends(sent_fields)], part: bool = False
) -> Response:
    """What the rules of the form would change; the page, or only this part of it."""
    try:
        inferred = read_rubric(context.workspace.settings["inferred"])
        truth = workspace_truth(context.site, context.workspace.id)
        effect = preview(context, read_form(form, rules_of(context.workspace), inferred, truth))
    except FieldErrors as wrong:
        return _page(request, context, form=form, errors=wrong.errors)
    if part:
        return render(request, "annotations/preview.html", {"preview": effect})
    return _page(request, context, form=form, effect=effect)


def _scored(context: WorkspaceContext, rubric: Rubric) -> RedirectResponse:
    score_with(context, rubric, report=False)
    return RedirectResponse(f"{context.url}/rules", 303)


@router.post("/{workspace_id}/rules/text")
def change_text(request: Request, context: Found, toml: Annotated[str, Form(max_length=200_000)] = "") -> Response:
    """Score by rules written as TOML."""
    try:
        return _scored(context, read_rubric(toml, source="The rules"))
    except InputError as problem:
        return _page(request, context, errors={"toml": page_words(problem)}, text=toml)


@router.post("/{workspace_id}/rules/profile")
def change_profile(request: Request, context: Found, profile: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Begin again from the ground truth, on a profile."""
    try:
        return _scored(context, suggest_rubric(workspace_truth(context.site, context.workspace.id), profile))
    except InputError as problem:
        return _page(request, context, errors={"profile": page_words(problem)})


@router.post("/{workspace_id}/rules/instructions")
def instruct(
    request: Request,
    context: Found,
    instructions: Annotated[str, Form(max_length=4000)] = "",
    base: Annotated[str, Form(max_length=64)] = "",
    apply: Annotated[str, Form(max_length=8)] = "",
) -> Response:
    """What an instruction in plain English would change; applied when the same person agrees to the same diff."""
    try:
        proposal = _proposal(context, instructions)
    except InputError as problem:
        return _page(request, context, errors={"instructions": page_words(problem)}, instructions=instructions)
    if apply and base == _base(context) and proposal.changes_something:
        return _scored(context, proposal.after)
    return _page(request, context, instructions=instructions, proposal=proposal)


def _proposal(context: WorkspaceContext, instructions: str) -> Proposal:
    if not instructions.strip():
        raise InputError("Say what should change, such as: ignore colour, overlap at least 0.7.")
    rubric = rules_of(context.workspace)
    names = attribute_names(workspace_truth(context.site, context.workspace.id))
    return propose_rubric(instructions, rubric, known=KnownNames.of(rubric, names))


@router.get("/{workspace_id}/rules/rules.toml")
def rules_file(context: Found) -> Response:
    """The rules for the command line."""
    headers = {"Content-Disposition": 'attachment; filename="rules.toml"'}
    return Response(context.workspace.settings.get("rules", ""), media_type="application/toml", headers=headers)
