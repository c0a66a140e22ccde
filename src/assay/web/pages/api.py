"""The REST API for people: what there is, and how a program begins."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.schema import Json
from assay.web.templating import render
from assay.web.visitors import Anyone

router = APIRouter()
METHODS = ("get", "post", "patch", "put", "delete")


@dataclass(frozen=True, slots=True)
class ApiField:
    """Something a request carries."""

    name: str
    place: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True, slots=True)
class Call:
    """One thing a program can ask for."""

    method: str
    path: str
    about: str
    fields: tuple[ApiField, ...]
    gives: str


@router.get("/api")
def api_page(request: Request, _who: Anyone) -> HTMLResponse:
    """Every call by subject, and a program for each kind of workspace."""
    return render(request, "api.html", {"subjects": subjects(request.app.openapi())})


def subjects(document: Json) -> dict[str, list[Call]]:
    """The calls of an OpenAPI document, by their first tag, in its order."""
    calls_by_tag: dict[str, list[Call]] = {}
    for path, calls in document["paths"].items():
        for method in METHODS:
            if method in calls:
                operation = calls[method]
                fields, about = tuple(_fields(document, operation)), operation.get("description", "")
                call = Call(method.upper(), path, about, fields, _gives(document, operation))
                calls_by_tag.setdefault((operation.get("tags") or ["other"])[0], []).append(call)
    return calls_by_tag


def _fields(document: Json, operation: Json) -> Iterator[ApiField]:
    """What a call takes in its address, as a query and as its body."""
    for one in operation.get("parameters", []):
        place = {"path": "in the address", "query": "query"}.get(one["in"], one["in"])
        kind, needed = kind_words(document, one["schema"]), one.get("required", False)
        yield ApiField(one["name"], place, kind, needed, one.get("description", ""))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = resolved(document, content["schema"])
        for name, one in schema.get("properties", {}).items():
            place = "form" if media.startswith("multipart") else "JSON"
            needed = name in schema.get("required", [])
            yield ApiField(name, place, kind_words(document, one), needed, one.get("description", ""))


def _gives(document: Json, operation: Json) -> str:
    """What a success holds: the fields of its JSON."""
    for status in sorted(operation["responses"]):
        content = operation["responses"][status].get("content", {}).get("application/json", {})
        if status.startswith("2") and "schema" in content:
            return ", ".join(resolved(document, content["schema"]).get("properties", {}))
    return ""


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
