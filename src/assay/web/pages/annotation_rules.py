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
from assay.web.problems import FieldErrors
from assay.web.templating import render
from assay.web.workspaces.annotations.preview import Preview, preview
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
    read_form,
)
from assay.web.workspaces.annotations.scores import rules_of, truth_upload, workspace_truth
from assay.web.workspaces.annotations.workspace import score_with
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page
from assay.workflows.annotations.instructions import Proposal, propose_rubric, rubric_diff, summary

router = APIRouter()
CHANGES_SHOWN = 8


@router.get("/{workspace_id}/rules")
def rules(request: Request, found: Found) -> HTMLResponse:
    """The rules that hold."""
    return _page(request, found)


def _page(
    request: Request,
    found: WorkspaceContext,
    *,
    draft: Rubric | None = None,
    form: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    instructions: str = "",
    proposal: Proposal | None = None,
    text: str | None = None,
    effect: Preview | None = None,
) -> HTMLResponse:
    """The page, with what was typed kept when something is wrong with it."""
    if truth_upload(found.site, found.workspace.id) is None:
        return workspace_page(request, found, "annotations/no_rules.html", tab="rules")
    truth, rubric = workspace_truth(found.site, found.workspace.id), draft or rules_of(found.workspace)
    inferred = read_rubric(found.workspace.settings["inferred"])
    context = {
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
        "toml": text if text is not None else found.workspace.settings["rules"],
        "edited": found.workspace.settings["rules"] != found.workspace.settings["inferred"],
        "instructions": instructions,
        "proposal": proposal,
        "understood": list(summary(proposal)) if proposal else [],
        "diff": rubric_diff(proposal.before, proposal.after).splitlines() if proposal else [],
        "base": _base(found),
        "preview": effect,
        **_effect(found),
    }
    return workspace_page(
        request, found, "annotations/rules.html", tab="rules", values=context, status=422 if errors else 200
    )


def _base(found: WorkspaceContext) -> str:
    """Stands for the rules a proposal starts from."""
    return content_digest(found.workspace.settings["rules"])[:16]


def _effect(found: WorkspaceContext) -> dict[str, object]:
    """What the last change of the rules did to the scores."""
    engine, before = found.workspace.settings.get("engine"), found.workspace.settings.get("previous_engine")
    if not engine:
        return {"totals": None, "changed": [], "changes": 0, "of": 0, "was": None}
    with found.site.database.reading() as connection:
        now = totals(connection, found.workspace.id, engine)
        if not before:
            return {"totals": now, "changed": [], "changes": 0, "of": 0, "was": None}
        was = totals(connection, found.workspace.id, before)
        listed, number, of = changes(connection, found.workspace.id, before, engine, CHANGES_SHOWN)
    return {"totals": now, "changed": listed, "changes": number, "of": of, "was": was if was.scored else None}


async def sent_fields(request: Request) -> dict[str, str]:
    """The fields of a form whose names depend on the rules."""
    sent = await request.form()
    return {name: value for name, value in sent.items() if isinstance(value, str)}


@router.post("/{workspace_id}/rules")
def change_rules(request: Request, found: Found, form: Annotated[dict[str, str], Depends(sent_fields)]) -> Response:
    """Score by the rules of the form."""
    try:
        inferred = read_rubric(found.workspace.settings["inferred"])
        truth = workspace_truth(found.site, found.workspace.id)
        return _scored(found, read_form(form, rules_of(found.workspace), inferred, truth))
    except FieldErrors as wrong:
        return _page(request, found, form=form, errors=wrong.errors)


@router.post("/{workspace_id}/rules/effect")
def show_effect(
    request: Request, found: Found, form: Annotated[dict[str, str], Depends(sent_fields)], part: bool = False
) -> Response:
    """What the rules of the form would change; the page, or only this part of it."""
    try:
        inferred = read_rubric(found.workspace.settings["inferred"])
        truth = workspace_truth(found.site, found.workspace.id)
        told = preview(found, read_form(form, rules_of(found.workspace), inferred, truth))
    except FieldErrors as wrong:
        return _page(request, found, form=form, errors=wrong.errors)
    if part:
        return render(request, "annotations/preview.html", {"preview": told})
    return _page(request, found, form=form, effect=told)


def _scored(found: WorkspaceContext, rubric: Rubric) -> RedirectResponse:
    score_with(found, rubric, report=False)
    return RedirectResponse(f"{found.url}/rules", 303)


@router.post("/{workspace_id}/rules/text")
def change_text(request: Request, found: Found, toml: Annotated[str, Form(max_length=200_000)] = "") -> Response:
    """Score by rules written as TOML."""
    try:
        return _scored(found, read_rubric(toml, source="The rules"))
    except InputError as problem:
        return _page(request, found, errors={"toml": str(problem)}, text=toml)


@router.post("/{workspace_id}/rules/profile")
def change_profile(request: Request, found: Found, profile: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Begin again from the ground truth, on a profile."""
    try:
        return _scored(found, suggest_rubric(workspace_truth(found.site, found.workspace.id), profile))
    except InputError as problem:
        return _page(request, found, errors={"profile": str(problem)})


@router.post("/{workspace_id}/rules/instructions")
def instruct(
    request: Request,
    found: Found,
    instructions: Annotated[str, Form(max_length=4000)] = "",
    base: Annotated[str, Form(max_length=64)] = "",
    apply: Annotated[str, Form(max_length=8)] = "",
) -> Response:
    """What an instruction in plain English would change; applied when the same person agrees to the same diff."""
    try:
        proposal = _proposal(found, instructions)
    except InputError as problem:
        return _page(request, found, errors={"instructions": str(problem)}, instructions=instructions)
    if apply and base == _base(found) and proposal.changes_something:
        return _scored(found, proposal.after)
    return _page(request, found, instructions=instructions, proposal=proposal)


def _proposal(found: WorkspaceContext, instructions: str) -> Proposal:
    if not instructions.strip():
        raise InputError("Say what should change, such as: ignore colour, overlap at least 0.7.")
    rubric = rules_of(found.workspace)
    names = attribute_names(workspace_truth(found.site, found.workspace.id))
    return propose_rubric(instructions, rubric, known=KnownNames.of(rubric, names))


@router.get("/{workspace_id}/rules/rules.toml")
def rules_file(found: Found) -> Response:
    """The rules for the command line."""
    headers = {"Content-Disposition": 'attachment; filename="rules.toml"'}
    return Response(found.workspace.settings.get("rules", ""), media_type="application/toml", headers=headers)
