"""The rules of an annotation workspace: shown, edited by form, by words or as text; scored by at once."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import COMPARATORS, PROFILE_SETTINGS, Rubric
from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric
from assay.store.item_listing import changes, totals
from assay.store.schema import Json, content_digest
from assay.web.pages.page_parts import Editable, Errors, NotSent, Typed, workspace_page
from assay.web.problems import FieldErrors, page_words
from assay.web.templating import render
from assay.web.workspaces.annotations import rules as rule_forms
from assay.web.workspaces.annotations.rules import preview
from assay.web.workspaces.annotations.scores import rules_of, truth_upload, workspace_truth
from assay.web.workspaces.annotations.workspace import score_with
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.stored_settings import AnnotationSettings
from assay.workflows.annotations.instructions import Proposal, propose_rubric, summary

router = APIRouter(prefix="/annotations/{workspace_id}/rules")
CHANGES_SHOWN = 8


@router.get("")
def rules(
    request: Request,
    context: Editable,
    errors: Errors = None,
    form: Annotated[dict[str, str] | None, NotSent] = None,
    effect: Annotated[Json | None, NotSent] = None,
    toml: Typed = None,
    instructions: Typed = None,
    proposal: Annotated[Proposal | None, NotSent] = None,
) -> HTMLResponse:
    """The rules that hold, with what was typed kept when something is wrong with it."""
    if truth_upload(context.site, context.workspace.id) is None:
        return workspace_page(request, context, "annotations/no_rules.html", tab="rules")
    settings = AnnotationSettings.of(context.workspace)
    truth, rubric = workspace_truth(context.site, context.workspace.id), rules_of(context.workspace)
    values = {
        "rubric": rubric,
        "form": form or {},
        "errors": errors or {},
        "shares": dict(zip(("localisation", "label", "attributes"), rubric.weights.of_match, strict=True)),
        "quality": 100 * rubric.weights.of_overall[0],
        "labels": rule_forms.label_rows(rubric, truth),
        "attributes": rule_forms.attribute_rows(rubric, read_rubric(settings.inferred)),
        "families": rule_forms.families_in(truth),
        "keys": rule_forms.attribute_names(truth),
        "tables": rule_forms,
        "comparators": {name: rule_forms.COMPARATOR_WORDS[name] for name in COMPARATORS},
        "profiles": list(PROFILE_SETTINGS),
        "in_words": pseudocode(rubric),
        "toml": settings.rules if toml is None else toml,
        "edited": settings.rules != settings.inferred,
        "instructions": instructions or "",
        "proposal": proposal,
        "understood": list(summary(proposal)) if proposal else [],
        "base": _base(settings),
        "preview": effect,
        **_last_effect(context, settings),
    }
    return workspace_page(request, context, "annotations/rules.html", tab="rules", values=values)


def _base(settings: AnnotationSettings) -> str:
    """Stands for the rules a proposal starts from."""
    return content_digest(settings.rules)[:16]


def _last_effect(context: WorkspaceContext, settings: AnnotationSettings) -> Json:
    """What the last change of the rules did to the scores."""
    workspace_id, engine, before = context.workspace.id, settings.engine, settings.previous_engine
    values: Json = {"totals": None, "changed": [], "changes": 0, "of": 0, "was": None}
    with context.site.database.reading() as connection:
        if engine:
            values["totals"] = totals(connection, workspace_id, engine)
        if engine and before:
            was = totals(connection, workspace_id, before)
            listed, number, of = changes(connection, workspace_id, before, engine, CHANGES_SHOWN)
            values |= {"changed": listed, "changes": number, "of": of, "was": was if was.scored else None}
    return values


async def sent_fields(request: Request) -> dict[str, str]:
    """The fields of a form whose names depend on the rules."""
    sent = await request.form()
    return {name: value for name, value in sent.items() if isinstance(value, str)}


Fields = Annotated[dict[str, str], Depends(sent_fields)]


@router.post("")
def change_rules(request: Request, context: Editable, form: Fields) -> Response:
    """Score by the rules of the form."""
    try:
        return _scored(context, _rules_in(form, context))
    except FieldErrors as wrong:
        return rules(request, context, wrong.errors, form)


@router.post("/effect")
def show_effect(request: Request, context: Editable, form: Fields, part: bool = False) -> Response:
    """What the rules of the form would change; the page, or only this part of it."""
    try:
        effect = preview(context, _rules_in(form, context))
    except FieldErrors as wrong:
        return rules(request, context, wrong.errors, form)
    if part:
        return render(request, "annotations/preview.html", {"preview": effect})
    return rules(request, context, form=form, effect=effect)


def _rules_in(form: dict[str, str], context: WorkspaceContext) -> Rubric:
    inferred = read_rubric(AnnotationSettings.of(context.workspace).inferred)
    return rule_forms.read_form(
        form, rules_of(context.workspace), inferred, workspace_truth(context.site, context.workspace.id)
    )


def _scored(context: WorkspaceContext, rubric: Rubric) -> RedirectResponse:
    score_with(context, rubric, report=False)
    return RedirectResponse(f"{context.url}/rules", 303)


@router.post("/text")
def change_text(request: Request, context: Editable, toml: Annotated[str, Form(max_length=200_000)] = "") -> Response:
    """Score by rules written as TOML."""
    try:
        return _scored(context, read_rubric(toml, source="The rules"))
    except InputError as problem:
        return rules(request, context, {"toml": page_words(problem)}, toml=toml)


@router.post("/profile")
def change_profile(request: Request, context: Editable, profile: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Begin again from the ground truth, on a profile."""
    try:
        return _scored(context, suggest_rubric(workspace_truth(context.site, context.workspace.id), profile))
    except InputError as problem:
        return rules(request, context, {"profile": page_words(problem)})


@router.post("/instructions")
def instruct(
    request: Request,
    context: Editable,
    instructions: Annotated[str, Form(max_length=4000)] = "",
    base: Annotated[str, Form(max_length=64)] = "",
    apply: Annotated[str, Form(max_length=8)] = "",
) -> Response:
    """What an instruction in plain English would change; applied when the same person agrees to the same diff."""
    try:
        if not instructions.strip():
            raise InputError("Say what should change, such as: ignore colour, overlap at least 0.7.")
        rubric = rules_of(context.workspace)
        names = rule_forms.attribute_names(workspace_truth(context.site, context.workspace.id))
        proposal = propose_rubric(instructions, rubric, known=KnownNames.of(rubric, names))
    except InputError as problem:
        return rules(request, context, {"instructions": page_words(problem)}, instructions=instructions)
    if apply and base == _base(AnnotationSettings.of(context.workspace)) and proposal.changes_something:
        return _scored(context, proposal.after)
    return rules(request, context, instructions=instructions, proposal=proposal)


@router.get("/rules.toml")
def rules_file(context: Editable) -> Response:
    """The rules for the command line."""
    headers = {"Content-Disposition": 'attachment; filename="rules.toml"'}
    toml = AnnotationSettings.of(context.workspace).rules
    return Response(toml, media_type="application/toml", headers=headers)
