"""What every route of the API shares."""

from typing import Annotated, Any

from fastapi import Depends

from assay.store.items import Item
from assay.web.api.shapes import ProblemShape
from assay.web.problems import NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Anyone, Trainer
from assay.web.workspaces.workspace_page import Number, WorkspaceContext, find_context, find_own

PROBLEM_JSON = "application/problem+json"
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": {PROBLEM_JSON: {"schema": ProblemShape.model_json_schema()}}}
    for status, words in {
        400: "The request cannot be read.",
        401: "Nobody is signed in.",
        403: "Not allowed.",
        404: "There is no such thing, or not for this account.",
        413: "The upload is too large.",
        422: "Something is wrong with the values; the message says what.",
    }.items()
}


def readable_workspace(workspace_id: str, site: SiteHere, who: Anyone) -> WorkspaceContext:
    """A workspace that anyone signed in may ask about; what they see of it is up to the route."""
    return find_context(workspace_id, site, who)


Readable = Annotated[WorkspaceContext, Depends(readable_workspace)]


def trainers_workspace(context: Readable, _who: Trainer) -> WorkspaceContext:
    """A workspace for those who may change it."""
    return context


Changeable = Annotated[WorkspaceContext, Depends(trainers_workspace)]


def item_here(item_id: Number, context: Readable) -> Item:
    """An item of the workspace; students have only their own."""
    item = find_own(item_id, context)
    if item is None:
        raise NotFound("There is no such item.")
    return item


ItemHere = Annotated[Item, Depends(item_here)]
