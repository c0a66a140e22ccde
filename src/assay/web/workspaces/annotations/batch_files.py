"""The files about all submissions, made when they are asked for: grades, decisions, rules."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assay import __version__
from assay.io.results.annotation_results import dumped, rules_content
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.result_json import plain
from assay.io.tables.output import workbook, write_csv
from assay.store.item_listing import ListedItem, ListQuery, reasons_of_failure, rows
from assay.store.overrides import Decision, history, reviewed
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces.annotations.decisions import decision_content, decision_table
from assay.web.workspaces.annotations.scores import rules_of
from assay.web.workspaces.stored_settings import AnnotationSettings

ALL_FILES = {
    "summary.csv": "A row for each student as CSV",
    "grades.xlsx": "Grades, overrides and rules as a workbook",
    "grades.json": "Grades and overrides as JSON",
    "overrides.csv": "Every override and confirmation as CSV",
    "rules.toml": "The rules, for the command line",
}
"""File -> what it is."""
GRADE_FIGURES = ("matched", "missed", "extra", "objects", "images", "quality", "completeness", "precision", "recall")


def grade_table(site: Site, workspace: Workspace) -> PlainTable:
    """A row for each student, best final score first."""
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = rows(connection, workspace.id, engine, ListQuery())
        failed = reasons_of_failure(connection, workspace.id, engine, [r.id for r in listed if r.payload is None])
        decided = reviewed(connection, workspace.id, engine)
    causes = list(next((r.payload["losses"] for r in listed if r.payload), {}))
    columns = (
        *("place", "student", "final_score", "system_score", "low", "high", *GRADE_FIGURES),
        *(f"lost_to_{cause}" for cause in causes),
        *("reviewed", "overrides", "reasons", "feedback", "file", "error"),
    )
    places = _places(listed)
    return PlainTable(
        columns, [_grade_row(row, places, causes, decided.get(row.id, []), failed.get(row.id, "")) for row in listed]
    )


def _places(listed: Sequence[ListedItem]) -> dict[int, int]:
    """Equal scores share a place, and the next one counts them all."""
    first: dict[float, int] = {}
    for position, row in enumerate(listed, start=1):
        if row.final is not None:
            first.setdefault(round(row.final, 9), position)
    return {row.id: first[round(row.final, 9)] for row in listed if row.final is not None}


def _grade_row(
    row: ListedItem, places: Mapping[int, int], causes: Sequence[str], decisions: Sequence[Decision], error: str
) -> list[object]:
    payload = row.payload or {}
    overall = payload.get("figures", {}).get("overall", {})
    reasons = "; ".join(d.reason for d in decisions if d.kind == "override")
    advice = " ".join(advice["sentence"] for advice in payload.get("advice", ()))
    return [
        *(places.get(row.id), row.name, row.final, row.system, overall.get("low"), overall.get("high")),
        *(payload.get(name) for name in GRADE_FIGURES),
        *(payload.get("losses", {}).get(cause) for cause in causes),
        *(bool(row.decisions), row.changes, reasons, advice, payload.get("file", ""), error),
    ]


def _csv(table: PlainTable) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_csv(path, table.columns, table.rows)
        return path.read_bytes()


def _all_decisions(site: Site, workspace: Workspace) -> PlainTable:
    engine = workspace.engine
    with site.database.reading() as connection:
        decisions = history(connection, workspace.id)
        names = {row.id: row.name for row in rows(connection, workspace.id, engine, ListQuery())}
    return decision_table(decisions, names)


def _grades_xlsx(site: Site, workspace: Workspace) -> bytes:
    rules = PlainTable(("rules.toml",), [[line] for line in AnnotationSettings.of(workspace).rules.splitlines()])
    tables = {"grades": grade_table(site, workspace), "overrides": _all_decisions(site, workspace), "rules": rules}
    return workbook(tables)


def _grades_json(site: Site, workspace: Workspace) -> bytes:
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = rows(connection, workspace.id, engine, ListQuery())
        failed = reasons_of_failure(connection, workspace.id, engine, [r.id for r in listed if r.payload is None])
        decided = reviewed(connection, workspace.id, engine)
    places = _places(listed)
    students = [
        {
            "student": row.name,
            "place": places.get(row.id),
            "system_score": row.system,
            "final_score": row.final,
            "error": failed.get(row.id) if row.payload is None else None,
            "decisions": [decision_content(decision) for decision in decided.get(row.id, [])],
            **(row.payload or {}),
        }
        for row in listed
    ]
    return dumped(
        plain(
            {
                "schema": "assay.annotations.grades/1",
                "workspace": workspace.name,
                "version": __version__,
                "rules": rules_content(rules_of(workspace)),
                "ground_truth": workspace.settings["truth"],
                "students": students,
            }
        )
    ).encode()


_ALL: Mapping[str, Callable[[Site, Workspace], bytes]] = {
    "summary.csv": lambda site, workspace: _csv(grade_table(site, workspace)),
    "grades.xlsx": _grades_xlsx,
    "grades.json": _grades_json,
    "overrides.csv": lambda site, workspace: _csv(_all_decisions(site, workspace)),
    "rules.toml": lambda site, workspace: AnnotationSettings.of(workspace).rules.encode(),
}


def batch_file(site: Site, workspace: Workspace, file: str) -> Callable[[], bytes]:
    """How the bytes of one of `ALL_FILES` are had."""
    return lambda: _ALL[file](site, workspace)
