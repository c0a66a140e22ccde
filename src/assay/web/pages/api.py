"""The REST API for people: what there is, and how a program begins."""

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.schema import Json
from assay.web.templating import render
from assay.web.visitors import Anyone

router = APIRouter()
METHODS = ("get", "post", "patch", "put", "delete")


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
                answer = {"fields": list(_fields(document, operation)), "gives": _gives(document, operation)}
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
