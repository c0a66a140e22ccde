"""FRONT DOOR `shown_of`: what somebody may see of a grade; nothing of what is not theirs or not released."""

from assay.store.classroom.assignments import SHOWN, own_places
from assay.store.items import Item
from assay.store.schema import Connection
from assay.web.workspaces.scoring import WorkspaceContext


def shown_of(connection: Connection, context: WorkspaceContext, item: Item) -> frozenset[str]:
    """What the visitor may see of the grade of an item: everything for staff, nothing before it is released."""
    who = context.visitor
    if who.may_train:
        return frozenset(SHOWN)
    if item.enrollment_id is None or item.enrollment_id not in who.enrollments:
        return frozenset()
    place = own_places(connection, [item.enrollment_id]).get((item.workspace_id, item.enrollment_id))
    return frozenset(place.shown) if place is not None and place.is_released(context.site.now()) else frozenset()


def released_enrollments(connection: Connection, context: WorkspaceContext, needed: str = "") -> list[int]:
    """The visitor's own enrollments whose grade in this workspace is released, and shows what is needed."""
    places, now = own_places(connection, context.visitor.enrollments), context.site.now()
    return [
        own
        for (workspace_id, own), place in places.items()
        if workspace_id == context.workspace.id and place.is_released(now) and (not needed or needed in place.shown)
    ]
