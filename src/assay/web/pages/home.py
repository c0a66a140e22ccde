"""Home: three tasks, the workspaces there are, an example to try; the REST API for people."""

from collections.abc import Iterator
from io import BytesIO
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.io.example_data import example_annotations, example_folder
from assay.store.courses import at_least, workspace_course
from assay.store.jobs import latest_job
from assay.store.schema import Json
from assay.store.workspaces import recent_workspaces, remove_workspaces, restore_workspace
from assay.web.pages.page_parts import find_context, landing_page, progress_words
from assay.web.problems import Forbidden, Removed
from assay.web.site import Site, SiteHere
from assay.web.templating import KEYS, THEME, YEAR, render, set_cookie
from assay.web.visitors import Anyone, Trainer, Visitor
from assay.web.workspaces.annotations.workspace import new_annotations
from assay.web.workspaces.essays.workspace import new_workspace, reviews_from_table, score_with
from assay.web.workspaces.score_tables import chosen_columns, evaluate_with, new_evaluation
from assay.web.workspaces.scoring import take_files
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings

router = APIRouter()
METHODS = ("get", "post", "patch", "put", "delete")
SHOWN = "cars"
"""The prompt whose example essays are shown; the example model learned from those on the others."""
REVIEWED = 16
"""Example essays that somebody has reviewed already."""


@router.get("/")
def home(request: Request, site: SiteHere, who: Anyone) -> Response:
    """Three tasks for trainers; students go to their own work."""
    if not who.may_train:
        return RedirectResponse("/mine", 303)
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, within=who.within())
        latest = ((w.id, latest_job(connection, w.id, now=site.now())) for w in listed)
        jobs = {id_: (job, progress_words(job)) for id_, job in latest if job is not None and job.is_open}
    values = {"workspaces": listed, "jobs": jobs, "has_example": any(w.example for w in listed)}
    values["may_add"] = who.role != "student" or bool(who.within("assistant"))
    return render(request, "home.html", values)


@router.get("/essays")
@router.get("/annotations")
@router.get("/evaluation")
@router.get("/panels")
def landing(request: Request, site: SiteHere, who: Trainer) -> HTMLResponse:
    """What a kind of workspace is for, a form to make one, and those there are."""
    return landing_page(request, site, who, request.url.path.strip("/"))


@router.post("/example")
def try_example(site: SiteHere, who: Trainer) -> RedirectResponse:
    """Workspaces with invented data."""
    return RedirectResponse(fill_with_examples(site, who) or "/", 303)


def fill_with_examples(site: Site, who: Visitor) -> str | None:
    """Make the example workspaces unless they are there; the address of the first."""
    with site.database.reading() as connection:
        if any(w.example for w in recent_workspaces(connection, within=who.within(), most=10_000)):
            return None
    table, title = BytesIO((example_folder() / "scores.csv").read_bytes()), "Three engines, 600 responses"
    evaluation = new_evaluation(site, "example_scores.csv", table, who, title=title, example=True)
    chosen = {"system": ["engine_a", "engine_b", "judge"], "groups": ["first_language", "gender"]}
    evaluate_with(evaluation, chosen_columns(evaluation.workspace) | chosen, "1-6")
    street = example_annotations()
    paths = {"truth": [street.truth], "submissions": street.submissions, "images": sorted(street.images.iterdir())}
    files = {role: [(path.name, BytesIO(path.read_bytes())) for path in own] for role, own in paths.items()}
    new_annotations(site, files, who, title="Street objects, seven students", example=True)
    _example_essays(site, who)
    return evaluation.url


def _example_essays(site: Site, who: Visitor) -> None:
    examples = example_folder()
    essays = pl.read_csv(examples / "essays.csv")
    shown = essays.filter(essays["prompt"] == SHOWN).select("candidate", "text", "score")
    table = ("essays_on_cars.csv", BytesIO(shown.write_csv().encode()))
    context = new_workspace(site, [table], who, title="Cars in the town center, grade 10", example=True)
    with site.database.writing() as connection:
        model = [("Example model.json", BytesIO((examples / "essay_model.json").read_bytes()))]
        take_files(connection, context, "model", model)
    context = find_context(context.workspace.id, site, who)
    columns = EssayColumnNames(text="text", id="candidate", prompt="", score="score")
    question = (examples / "prompts" / f"{SHOWN}.txt").read_text(encoding="utf-8").strip()
    score_with(context, columns=columns, question=question, model=EssaySettings.of(context.workspace).next_model)
    reviews_from_table(find_context(context.workspace.id, site, who), author="Example teacher", most=REVIEWED)


@router.post("/example/remove")
def remove_example(site: SiteHere, who: Trainer) -> RedirectResponse:
    """Take the workspaces with invented data away again."""
    with site.database.writing() as connection:
        ids = [w.id for w in recent_workspaces(connection, within=who.within("teacher"), most=10_000) if w.example]
        remove_workspaces(connection, ids, author=who.name, now=site.now())
    return RedirectResponse("/", 303)


@router.post("/workspaces/{workspace_id}/remove")
def remove(workspace_id: str, site: SiteHere, who: Trainer) -> RedirectResponse:
    """Take a workspace away; the page it leads to offers to bring it back."""
    _check_removal(workspace_id, site, who)
    with site.database.writing() as connection:
        remove_workspaces(connection, [workspace_id], author=who.name, now=site.now())
    return RedirectResponse(f"/workspaces/{workspace_id}/removed", 303)


@router.get("/workspaces/{workspace_id}/removed")
def removed(request: Request, workspace_id: str, site: SiteHere, who: Trainer) -> HTMLResponse:
    """A removed workspace can be brought back."""
    _check_removal(workspace_id, site, who)
    return render(request, "removed.html", {"workspace_id": workspace_id})


@router.post("/workspaces/{workspace_id}/restore")
def restore(workspace_id: str, site: SiteHere, who: Trainer) -> RedirectResponse:
    """Bring a removed workspace back."""
    _check_removal(workspace_id, site, who)
    with site.database.writing() as connection:
        restore_workspace(connection, workspace_id, author=who.name, now=site.now())
    return RedirectResponse("/", 303)


def _check_removal(workspace_id: str, site: Site, who: Visitor) -> None:
    """Refuse to take away or bring back what belongs to a course in which the visitor is no teacher."""
    course_id = site.database.read(workspace_course, workspace_id)
    role = who.role_in(course_id) if course_id is not None else None
    if role is None:
        raise Removed
    if not at_least(role, "teacher"):
        raise Forbidden("Only teachers of the course can remove its workspaces.")


@router.post("/theme")
def theme(
    request: Request, theme: Annotated[Literal["light", "dark"], Form()], back: Annotated[str, Form()] = "/"
) -> Response:
    """Light or dark from now on; the server knows, so that no page flashes."""
    return _with_cookie(request, THEME, theme, back)


@router.post("/keys")
def keys(
    request: Request, keys: Annotated[Literal["on", "off"], Form()], back: Annotated[str, Form()] = "/"
) -> Response:
    """Whether single keys do something: with speech input they can get in the way."""
    return _with_cookie(request, KEYS, keys, back)


def _with_cookie(request: Request, cookie: str, value: str, back: str) -> Response:
    """Back to the page, with a wish that later pages know of."""
    # only a path of ours: `//host` and `/\host` lead elsewhere
    ours = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if ours else "/", 303)
    set_cookie(request, answer, cookie, value, lasts=YEAR)
    return answer


@router.get("/api")
def api_page(request: Request, _who: Anyone) -> HTMLResponse:
    """Every call by subject, and a program for each kind of workspace."""
    return render(request, "api.html", {"subjects": subjects(request.app.openapi())})


def subjects(document: Json) -> dict[str, list[Json]]:
    """The calls of an OpenAPI document, by their first tag, in its order: method, path, words, fields and answer."""
    calls_by_tag: dict[str, list[Json]] = {}
    for path, calls in document["paths"].items():
        for method in METHODS:
            if method in calls:
                operation = calls[method]
                call = {"method": method.upper(), "path": path, "about": operation.get("description", "")}
                answers = (operation["responses"][s] for s in sorted(operation["responses"]) if s.startswith("2"))
                bodies = (answer.get("content", {}).get("application/json", {}).get("schema") for answer in answers)
                gives = next(
                    (resolved(document, body).get("properties", {}) for body in bodies if body is not None), ()
                )
                answer = {"fields": list(_fields(document, operation)), "gives": ", ".join(gives)}
                calls_by_tag.setdefault((operation.get("tags") or ["other"])[0], []).append(call | answer)
    return calls_by_tag


def _fields(document: Json, operation: Json) -> Iterator[Json]:
    """What a call takes in its address, as a query and as its body: name, place, kind, whether it is needed, words."""
    places = {"path": "in the address", "query": "query"}
    taken = [(one, one["schema"], places.get(one["in"], one["in"])) for one in operation.get("parameters", [])]
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        body, place = resolved(document, content["schema"]), "form" if media.startswith("multipart") else "JSON"
        for name, schema in body.get("properties", {}).items():
            taken.append(({**schema, "name": name, "required": name in body.get("required", [])}, schema, place))
    for one, schema, place in taken:
        words = {"kind": kind_words(document, schema), "about": one.get("description", "")}
        yield {"name": one["name"], "place": place, "required": one.get("required", False), **words}


def resolved(document: Json, schema: Json) -> Json:
    """The schema itself, where it is named elsewhere."""
    if "$ref" not in schema:
        return schema
    schema_named: Any = document
    for key in schema["$ref"].removeprefix("#/").split("/"):
        schema_named = schema_named[key]
    return dict(schema_named)


def kind_words(document: Json, schema: Json) -> str:
    """The kind of a value in words.

    >>> kind_words({}, {"type": "array", "items": {"type": "string"}}), kind_words({}, {"enum": ["a", "b"]})
    ('list of text', 'a or b')
    """
    schema = resolved(document, schema)
    if "enum" in schema or "const" in schema:
        values = [str(value) or "nothing" for value in schema.get("enum", [schema.get("const")])]
        return " or ".join(values) if len(values) <= 4 else f"one of {len(values)}: {', '.join(values)}"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind_words(document, one) for one in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {kind_words(document, schema['items'])}"
    if schema.get("contentMediaType") or schema.get("format") == "binary":
        return "file"
    words = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return (words | {"null": "nothing", "object": "object"}).get(schema.get("type", ""), "any")
