"""FRONT DOOR `roster_of`, `gradebook`, `release_grades`: how far each student is, and what they may see of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from assay.io.gradebook import GRADEBOOKS, Grade
from assay.store.classroom.assignments import (
    Assignment,
    StudentPlace,
    find_assignment,
    release,
    student_places,
    withdraw,
)
from assay.store.classroom.drafts import Draft, name_items, workspace_drafts
from assay.store.courses import Enrollment, course_people
from assay.store.item_listing import ListedItem, ListQuery, rows
from assay.store.items import workspace_items
from assay.store.schema import Connection
from assay.web.problems import FieldErrors, NotFound
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.scoring import WorkspaceContext

OFFERED = {
    "essays": {
        "score": "Score",
        "advice": "Strengths and aims",
        "errors": "Errors marked in the text",
        "sums": "How the score adds up",
    },
    "annotations": {
        "score": "Score",
        "errors": "Objects matched, missed and extra",
        "overlay": "Image overlay (with score and errors)",
    },
}
"""Kind of a workspace -> what students may be shown, and its words."""
NO_WORK = "No work yet"
"""In place of the name of somebody who handed in nothing, where marking is anonymous."""
BY_DEFAULT = ("score", "advice", "errors")


@dataclass(frozen=True, slots=True)
class StudentLine:
    """A student and how far their work is; the name is a code as long as marking is anonymous."""

    enrollment: Enrollment
    name: str
    drafts: Sequence[Draft]
    place: StudentPlace | None
    item: ListedItem | None
    hidden: bool
    """Whether nobody who marks may know who it is."""

    @property
    def key(self) -> str:
        """What stands for the student in a form: the enrollment, or the code where nobody may know it."""
        return self.name if self.hidden else str(self.enrollment.id)

    @property
    def state(self) -> str:
        """What is still to be done: nothing handed in, not scored, to review, or reviewed."""
        if self.item is None:
            return "waiting" if self.drafts else "missing"
        return "reviewed" if self.item.state in ("override", "confirmed") else self.item.state


def released_now(place: StudentPlace | None, now: datetime) -> bool:
    return place is not None and place.is_released(now)


def roster_of(connection: Connection, context: WorkspaceContext, now: datetime) -> list[StudentLine]:
    """Every student of the course, by the name that those who mark may see."""
    workspace = context.workspace
    assignment = find_assignment(connection, workspace.id)
    places, handed_in = student_places(connection, workspace.id), workspace_drafts(connection, workspace.id)
    listed = {row.id: row for row in rows(connection, workspace.id, workspace.engine, ListQuery())}
    owned: dict[int, ListedItem] = {}
    for item in workspace_items(connection, workspace.id):
        if item.enrollment_id is not None and item.id in listed:
            owned[item.enrollment_id] = listed[item.id]
    lines = []
    for one in course_people(connection, workspace.course_id, "student"):
        place, own = places.get(one.id), handed_in.get(one.id, [])
        # whoever handed in nothing is hidden too: the names that are left would tell whose the codes are
        hidden = assignment is not None and assignment.anonymous and not released_now(place, now)
        code = place.code if place is not None and own else NO_WORK
        name = code if hidden else one.name
        lines.append(StudentLine(one, name, own, place, owned.get(one.id), hidden))
    return sorted(lines, key=lambda line: (line.name == NO_WORK, line.hidden, line.name.casefold()))


def highest_score(context: WorkspaceContext) -> float:
    """The best grade there is: the top of the scale of an essay model, or 100."""
    is_essays = context.workspace.kind == "essays"
    return float(workspace_model(context.site, context.workspace).scale.highest) if is_essays else 100.0


def gradebook(connection: Connection, context: WorkspaceContext, format_name: str) -> bytes:
    """Reviewed or released grades in the format of a platform; of anonymous work only what is released."""
    if format_name not in GRADEBOOKS:
        raise NotFound(f"There is no gradebook {format_name!r}. There are: {', '.join(GRADEBOOKS)}.")
    now, grades = context.site.now(), []
    for line in sorted(roster_of(connection, context, now), key=lambda one: one.enrollment.name.casefold()):
        counts = line.state == "reviewed" or released_now(line.place, now)
        score = line.item.final if line.item is not None and counts and not line.hidden else None
        one = line.enrollment
        grades.append(Grade(one.name, one.email, one.number, None if score is None else round(score, 2)))
    write = GRADEBOOKS[format_name][1]
    return write(context.workspace.name, highest_score(context), grades).encode()


def release_grades(
    connection: Connection, context: WorkspaceContext, ids: Collection[int], *, at: datetime, shown: Sequence[str]
) -> int:
    """Let these students see their grades from a moment on; how many have one. Others are left out."""
    offered = OFFERED.get(context.workspace.kind, {})
    if not set(shown) <= set(offered) or not shown:
        raise FieldErrors({"shown": f"Choose what students see: {', '.join(offered)}."})
    if "overlay" in shown:
        shown = [*shown, "score", "errors"]
    now = context.site.now()
    lines = [line for line in roster_of(connection, context, now) if line.enrollment.id in ids]
    graded = [line for line in lines if line.item is not None and line.item.final is not None]
    release(connection, context.workspace.id, [line.enrollment.id for line in graded], at=at, shown=shown)
    name_items(connection, context.workspace.id, now=now)
    for line in graded:
        detail = {"name": line.name, "from": at.isoformat(), "shown": list(shown)}
        context.note(connection, "release grade", detail)
    return len(graded)


def withdraw_grades(connection: Connection, context: WorkspaceContext, ids: Collection[int]) -> None:
    """Make grades private again; in anonymous marking the names are hidden again too."""
    lines = [line for line in roster_of(connection, context, context.site.now()) if line.enrollment.id in ids]
    withdraw(connection, context.workspace.id, [line.enrollment.id for line in lines])
    name_items(connection, context.workspace.id, now=context.site.now())
    for line in lines:
        context.note(connection, "withdraw grade", {"name": line.place.code if line.place else line.name})


def reveal_names(context: WorkspaceContext, assignment: Assignment | None) -> None:
    """Show the names of those whose release by date has come."""
    if assignment is None or not assignment.anonymous:
        return
    now = context.site.now()
    with context.site.database.reading() as connection:
        due = [line for line in roster_of(connection, context, now) if line.item and line.item.name != line.name]
    if due:
        with context.site.database.writing() as connection:
            name_items(connection, context.workspace.id, now=now)
