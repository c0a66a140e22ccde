"""What anyone signed in may see of a workspace: everything for a trainer, a student's own items for a student."""

from typing import Annotated

from fastapi import Depends, Path, Request

from assay.store.items import Item, find_item, is_of_student
from assay.web.problems import NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Anyone
from assay.web.workspaces.workspace_page import WorkspaceContext, find_context

LARGEST_ID = 2**31 - 1
"""Ids are whole numbers of 32 bits in PostgreSQL."""
ITEM_WORDS = {"annotations": "submission", "essays": "essay"}
"""Kind of a workspace -> what one of its items is called."""

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]


def readable_workspace(workspace_id: str, request: Request, site: SiteHere, who: Anyone) -> WorkspaceContext:
    """A workspace of the kind in the address, for anyone signed in; students see only what is theirs in it."""
    return find_context(workspace_id, site, who, request)


Readable = Annotated[WorkspaceContext, Depends(readable_workspace)]


def find_own(item_id: int, context: WorkspaceContext) -> Item | None:
    """An item of the workspace, a student's own only; None where there is none that the visitor may see."""
    with context.site.database.reading() as connection:
        item = find_item(connection, context.workspace.id, item_id)
    only = context.visitor.only_student
    return item if item is not None and (only is None or is_of_student(item, only)) else None


def own_item(item_id: Number, context: Readable) -> Item:
    """The same for a page, which says so where there is none."""
    item = find_own(item_id, context)
    if item is None:
        raise NotFound(f"There is no such {ITEM_WORDS[context.workspace.kind]}. It may have been removed.")
    return item


Own = Annotated[Item, Depends(own_item)]
