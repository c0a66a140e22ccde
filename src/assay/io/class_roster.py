"""FRONT DOOR `read_class_roster`: who is in a class, from a CSV as schools export it, or OneRoster 1.1 CSV in a ZIP."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from assay.errors import InputError, reader
from assay.io.archive import Limits, Member, is_zip, list_members
from assay.io.json_text import as_utf8

LIMITS = Limits(member_bytes="file_bytes", total_bytes="file_bytes")
MOST_PEOPLE = 20_000
COLUMNS: Mapping[str, Sequence[str]] = {
    "number": (
        *("id", "student id", "sis user id", "sis id", "student number", "number", "id number", "user id"),
        *("identifier", "sourcedid", "username", "sis login id", "login id"),
    ),
    "name": ("name", "student", "student name", "full name", "display name"),
    "given": ("first name", "given name", "givenname", "firstname"),
    "family": ("last name", "family name", "familyname", "surname", "lastname"),
    "email": ("email", "e-mail", "email address", "e-mail address", "mail"),
}
"""What a column holds -> the headings it may have, the first that is there counts."""


@dataclass(frozen=True, slots=True)
class ClassMember:
    """A student on a roster."""

    name: str
    email: str = ""
    number: str = ""


@reader
def read_class_roster(path: Path, *, name: str = "", class_id: str = "") -> list[ClassMember]:
    """The students of a roster, in order; InputError says what is wrong with it.

    `name` is what its owner calls the file, `class_id` the class of a OneRoster ZIP that holds several.
    """
    shown = name or path.name
    if is_zip(path):
        return _one_roster(path, shown, class_id)
    (only,) = list_members(path, limits=LIMITS, name=shown)
    return members_of(_rows(only.read(), shown), shown)


def members_of(rows: Sequence[Mapping[str, str]], source: str) -> list[ClassMember]:
    """The people of a table, once each; InputError without a column of names."""
    heads = {_heading(head): head for head in (rows[0] if rows else {})}
    columns = {role: next((heads[n] for n in names if n in heads), None) for role, names in COLUMNS.items()}
    if columns["name"] is None and (columns["given"] is None or columns["family"] is None):
        remedy = "Name the columns: Name (or First name and Last name), and if you have them E-mail and ID."
        raise InputError("has no column with names of students", source=source, field="roster", remedy=remedy)

    def cell(row: Mapping[str, str], role: str) -> str:
        head = columns[role]
        return " ".join((row.get(head) or "").split()) if head is not None else ""

    people = []
    for row in rows:
        whole = f"{cell(row, 'given')} {cell(row, 'family')}".strip() or _in_order(cell(row, "name"))
        if whole and whole.casefold() not in ("points possible", "student, test", "test student"):  # lines of Canvas
            people.append(ClassMember(whole[:400], cell(row, "email")[:400], cell(row, "number")[:80]))
    if not people:
        raise InputError("has no students", source=source, field="roster", remedy="Give a row for each student.")
    return list(dict.fromkeys(people))


def _in_order(name: str) -> str:
    """A name as it is said.

    >>> _in_order("Osei, Amara"), _in_order("Amara Osei")
    ('Amara Osei', 'Amara Osei')
    """
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}".strip() if comma else name


def _heading(text: str | None) -> str:
    return " ".join((text or "").replace("_", " ").split()).casefold()


def _rows(content: bytes, source: str) -> list[dict[str, str]]:
    try:
        text = as_utf8(content).decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    try:
        table = csv.DictReader(StringIO(text, newline=""), delimiter=separator, restval="")
        rows = [{k: v for k, v in row.items() if isinstance(k, str) and isinstance(v, str)} for row in table]
    except csv.Error as problem:
        raise InputError(f"cannot be read as CSV: {problem}", source=source, field="roster") from None
    if len(rows) > MOST_PEOPLE:
        raise InputError(f"has more than {MOST_PEOPLE:,} rows", source=source, field="roster")
    return rows


def _one_roster(path: Path, source: str, class_id: str) -> list[ClassMember]:
    """The active students of one class, as users.csv, enrollments.csv and classes.csv say."""
    files = {m.name.rpartition("/")[2].casefold(): m for m in list_members(path, limits=LIMITS, name=source)}
    missing = [name for name in ("users.csv", "enrollments.csv") if name not in files]
    if missing:
        remedy = "Export users, enrollments and classes as OneRoster 1.1 CSV, or give one CSV."
        raise InputError(f"lacks {' and '.join(missing)}", source=source, field="roster", remedy=remedy)
    users = {row.get("sourcedId", ""): row for row in _rows(files["users.csv"].read(), source)}
    classes = {r.get("sourcedId", ""): r.get("title", "") for r in _table(files, "classes.csv", source)}
    enrolled = [r for r in _table(files, "enrollments.csv", source) if _is_student(r)]
    ids = list(dict.fromkeys(row.get("classSourcedId", "") for row in enrolled))
    chosen = _chosen_class(ids, classes, class_id, source)
    own = (users.get(row.get("userSourcedId", "")) for row in enrolled if row.get("classSourcedId", "") == chosen)
    rows = [row for row in own if row is not None and _is_active(row)]
    return members_of(
        [{**row, "identifier": row.get("identifier") or row.get("sourcedId", "")} for row in rows], source
    )


def _chosen_class(ids: Sequence[str], classes: Mapping[str, str], class_id: str, source: str) -> str:
    fitting = [one for one in ids if class_id.strip().casefold() in (one.casefold(), classes.get(one, "").casefold())]
    if fitting:
        return fitting[0]
    if len(ids) == 1 and not class_id.strip():
        return ids[0]
    shown = ", ".join(classes.get(one) or one for one in ids[:20]) or "none"
    raise InputError(f"holds these classes: {shown}", source=source, field="class_id", remedy="Say which one.")


def _table(files: Mapping[str, Member], name: str, source: str) -> Iterator[dict[str, str]]:
    member = files.get(name)
    yield from _rows(member.read(), source) if member is not None else ()


def _is_student(row: Mapping[str, str]) -> bool:
    return row.get("role", "").casefold() in ("student", "learner") and _is_active(row)


def _is_active(row: Mapping[str, str]) -> bool:
    """Rows of a bulk export have no status; those of a delta say `tobedeleted` of what is gone."""
    return row.get("status", "").casefold() != "tobedeleted" and row.get("enabledUser", "").casefold() != "false"
