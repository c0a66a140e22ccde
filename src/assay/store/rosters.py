"""FRONT DOOR `take_roster`, `match_items`: who is in a course, and whose work a file is by the name it bears.

Only what fits exactly one person in the course is taken as theirs; the rest waits for someone to settle it, since a
guess would show the work of one to another.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from assay.io.class_roster import ClassMember
from assay.store.courses import (
    Enrollment,
    change_enrollment,
    course_people,
    enroll,
    past_students,
    workspace_course,
)
from assay.store.items import in_sight
from assay.store.schema import enrollments, items, workspaces

NOBODY = "nobody"
"""In `items.owner_rule`: someone said that it is the work of nobody in the course."""


@dataclass(frozen=True, slots=True)
class UnmatchedItem:
    """Work that nobody in the course is known to have handed in, and who might have, the likeliest first."""

    id: int
    name: str
    suggestions: Sequence[Enrollment]


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a name without case, accents and punctuation.

    >>> plain_words("Peña_María-José (2).docx")
    ('pena', 'maria', 'jose', '2', 'docx')
    """
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return tuple(re.findall(r"[^\W_]+", "".join(c for c in decomposed if not unicodedata.combining(c))))


def owner_of(name: str, people: Iterable[Enrollment]) -> Enrollment | None:
    """The one person whose id, e-mail address or name this is; None when nobody or several fit."""
    text, words = name.strip().casefold(), plain_words(name)
    for fits in (
        lambda person: text != "" and text == person.number.casefold(),
        lambda person: text != "" and text == person.email.casefold(),
        lambda person: words != () and words == plain_words(person.name),
        lambda person: words != () and sorted(words) == sorted(plain_words(person.name)),
    ):
        fitting = [person for person in people if fits(person)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def likely_owners(name: str, people: Iterable[Enrollment]) -> list[Enrollment]:
    """Who might have handed something in: parts of their name, id or e-mail address are in its name."""
    words = plain_words(name)
    joined = "".join(words)
    scored = [(_likeness(words, joined, person), person) for person in people]
    return [person for score, person in sorted(scored, key=lambda pair: -pair[0]) if score > 0]


def _likeness(words: tuple[str, ...], joined: str, person: Enrollment) -> float:
    number, mailbox = "".join(plain_words(person.number)), "".join(plain_words(person.email.partition("@")[0]))
    own = [word for word in plain_words(person.name) if len(word) > 1 or word.isdigit()]
    score = 3.0 * (number != "" and number in words) + 2.0 * (len(mailbox) > 2 and mailbox in joined)
    return score + sum(word in words or (len(word) > 3 and word in joined) for word in own) / max(1, len(own))


def match_items(connection: Connection, workspace_id: str) -> int:
    """Give work without an owner to the person whose name it bears; how many there were."""
    people = _students(connection, workspace_id)
    if not people:
        return 0
    query = select(items.c.id, items.c.student).where(_waiting(workspace_id))
    owners = ((id_, owner_of(name or "", people)) for id_, name in connection.execute(query).all())
    rows = [{"item": id_, "owner": owner.id} for id_, owner in owners if owner is not None]
    if rows:
        own = update(items).where(items.c.id == bindparam("item"))
        connection.execute(own.values(enrollment_id=bindparam("owner")), rows)
    return len(rows)


def unmatched_items(connection: Connection, workspace_id: str) -> list[UnmatchedItem]:
    """Work whose owner must be settled, in order; none where nobody is enrolled as a student."""
    people = _students(connection, workspace_id)
    if not people:
        return []
    query = select(items.c.id, items.c.name, items.c.student).where(_waiting(workspace_id)).order_by(items.c.position)
    rows = connection.execute(query).all()
    return [UnmatchedItem(id_, name, likely_owners(bears or name, people)) for id_, name, bears in rows]


def set_owner(connection: Connection, workspace_id: str, item_id: int, enrollment_id: int | None) -> None:
    """Say whose work it is; None: nobody's in this course."""
    own = update(items).where(items.c.workspace_id == workspace_id, items.c.id == item_id)
    rule = NOBODY if enrollment_id is None else None
    connection.execute(own.values(enrollment_id=enrollment_id, owner_rule=rule))


def _students(connection: Connection, workspace_id: str) -> list[Enrollment]:
    course_id = workspace_course(connection, workspace_id)
    return course_people(connection, course_id, "student") if course_id is not None else []


def _waiting(workspace_id: str) -> ColumnElement[bool]:
    unsettled = items.c.enrollment_id.is_(None) & items.c.owner_rule.is_(None)
    return in_sight(workspace_id) & items.c.student.is_not(None) & unsettled


@dataclass(frozen=True, slots=True)
class RosterChange:
    """What a roster did to a course."""

    added: int
    updated: int
    ended: int


def take_roster(
    connection: Connection, course_id: str, roster: Sequence[ClassMember], *, end_others: bool, now: datetime
) -> RosterChange:
    """Enroll the students of a roster, and give their work to them; those who are in the course already stay.

    Somebody is the same person by id, else by e-mail address, else by name. `end_others`: those without a line go.
    Whoever left and is on the roster again is back, with the work of before.
    """
    left = past_students(connection, course_id)
    known, seen, added, updated = [*course_people(connection, course_id, "student"), *left], set(), 0, 0
    for line in roster:
        same = _known_as(line, [one for one in known if one.id not in seen])
        if same is None:
            enroll(connection, course_id, "student", line.name, now=now, email=line.email, number=line.number)
            added += 1
            continue
        seen.add(same.id)
        values = {"name": line.name, "email": line.email or same.email, "number": line.number or same.number}
        if same.ended is not None or values != {"name": same.name, "email": same.email, "number": same.number}:
            connection.execute(update(enrollments).where(enrollments.c.id == same.id).values(**values, ended=None))
            updated += 1
    others = [one.id for one in known if one.id not in seen and one.ended is None] if end_others else []
    for id_ in others:
        change_enrollment(connection, id_, ended=now)
    own = select(workspaces.c.id).where(workspaces.c.course_id == course_id)
    for workspace_id in connection.execute(own).scalars().all():
        match_items(connection, workspace_id)
    return RosterChange(added, updated, len(others))


def _known_as(line: ClassMember, people: Sequence[Enrollment]) -> Enrollment | None:
    for own, theirs in (
        (line.number.casefold(), [one.number.casefold() for one in people]),
        (line.email.casefold(), [one.email.casefold() for one in people]),
    ):
        if own and theirs.count(own) == 1:
            return people[theirs.index(own)]
    named = [one for one in people if plain_words(one.name) == plain_words(line.name)]
    fitting = [one for one in named if not (line.number and one.number) and not (line.email and one.email)]
    return fitting[0] if len(fitting) == 1 else None
