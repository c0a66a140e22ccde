"""Files of a workspace: blobs as files on disk, and what can be taken away, of all items and of each."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from assay import __version__
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.result_json import plain
from assay.io.tables.output import csv_lines
from assay.provenance import Provenance
from assay.report.document.document import Document, Section
from assay.report.document.wording import escaped
from assay.report.render.html import HATCH, first_screen_html, sections_html
from assay.report.render.tables_csv import slug
from assay.store.blobs import blob_file, read_blob, workspace_uploads
from assay.store.item_listing import ListedItem, ListQuery, reasons_of_failure, rows, scored_names
from assay.store.items import Item, StoredResult, find_item, find_result, scored_items
from assay.store.overrides import Decision, history, item_decisions, reviewed
from assay.store.schema import Connection, Json
from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.stored_settings import EvaluationSettings

FileOf: TypeAlias = Callable[[str, str], Path]
"""Digest and ending of a blob -> the file, in a cache whose names say nothing of their owners."""
ALL = "all"


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file: the last part of its address, what it is about, what it is, and how its bytes are had."""

    path: str
    """`<group>/<file name>`; both only letters, digits, dot, dash and underscore."""
    group: str
    """What it is about, in words: an engine, a student, everything."""
    title: str
    make: Callable[[], bytes]


def file_of(site: Site, connection: Connection | None = None) -> FileOf:
    """How uploads become files; within a transaction that has just kept them, through its connection."""
    if connection is not None:
        return partial(blob_file, connection, cache=site.settings.cache)
    return lambda digest, suffix: site.database.read(blob_file, digest, suffix, site.settings.cache)


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """An item, its result, and the decisions that stand: what the files about it are made of."""

    site: Site
    workspace: Workspace
    item: Item
    result: StoredResult
    decisions: Sequence[Decision]

    @property
    def final_score(self) -> float | None:
        """The score that counts: the one a person gave, or else the system's."""
        return self.decisions[-1].human_score if self.decisions else self.result.score


FilesOfAll: TypeAlias = Mapping[str, tuple[str, Callable[[Site, Workspace], bytes]]]
FilesOfOne: TypeAlias = Mapping[str, tuple[str, Callable[[DecidedItem], bytes]]]
"""File name -> what it is, and how it is made."""


@dataclass(frozen=True, slots=True)
class KindExports:
    """The files that one kind of workspace offers; they are made when they are asked for."""

    of_all: FilesOfAll
    of_one: FilesOfOne
    further: Callable[[Site, Workspace], dict[str, tuple[str, Callable[[], bytes]]]] = lambda _site, _workspace: {}
    """Files about all items that are there only once a worker has made them."""

    def listed(self, site: Site, workspace: Workspace) -> list[ExportFile]:
        """All files there are."""
        scored = site.database.read(scored_names, workspace.id, workspace.engine)
        files = self.batch(site, workspace) if scored else []
        return files + [file for item_id, name in scored for file in self.one(site, workspace, item_id, name)]

    def batch(self, site: Site, workspace: Workspace) -> list[ExportFile]:
        """The files about all items."""
        own = {name: (title, partial(make, site, workspace)) for name, (title, make) in self.of_all.items()}
        files = {name: file for name, file in own.items() if _is_offered(name)} | self.further(site, workspace)
        group = f"All {KINDS[workspace.kind].items}"
        return [ExportFile(f"{ALL}/{name}", group, title, make) for name, (title, make) in files.items()]

    def one(self, site: Site, workspace: Workspace, item_id: int, name: str) -> list[ExportFile]:
        """The files about one item."""

        def bytes_of(make: Callable[[DecidedItem], bytes]) -> bytes:
            with site.database.reading() as connection:
                item = find_item(connection, workspace.id, item_id)
                result = find_result(connection, item_id, workspace.engine)
                if item is None or result is None:
                    raise NotFound(f"This {KINDS[workspace.kind].item} has no score.")
                decisions = item_decisions(connection, item, workspace.engine)
            return make(DecidedItem(site, workspace, item, result, decisions))

        return [
            ExportFile(f"{item_id}/{slug(name)[:40]}-{file}", name, title, partial(bytes_of, make))
            for file, (title, make) in self.of_one.items()
            if _is_offered(file)
        ]

    def find(self, site: Site, workspace: Workspace, path: str) -> ExportFile:
        """A file by its path, without listing all of them; a 404 when there is none."""
        group, _, _ = path.partition("/")
        offered: list[ExportFile] = []
        if group == ALL:
            offered = self.batch(site, workspace)
        elif group.isascii() and group.isdigit() and len(group) < 10:
            item = site.database.read(find_item, workspace.id, int(group))
            offered = self.one(site, workspace, item.id, item.name) if item else []
        export = next((file for file in offered if file.path == path), None)
        if export is None:
            raise NotFound("There is no such file. It may not be made yet.")
        return export


def _is_offered(name: str) -> bool:
    return not name.endswith(".pdf") or find_spec("typst") is not None


def listed_items(
    site: Site, workspace: Workspace
) -> tuple[list[ListedItem], dict[int, list[Decision]], dict[int, str]]:
    """Every item, best final score first, the decisions that stand, and why some have no score."""
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = rows(connection, workspace.id, engine, ListQuery())
        failed = reasons_of_failure(connection, workspace.id, engine, [r.id for r in listed if r.payload is None])
        return listed, reviewed(connection, workspace.id, engine), failed


DECISION_COLUMNS = ("kind", "was", "is", "system_score", "final_score", "reason", "author", "made", "undone")
Columns: TypeAlias = Mapping[str, Callable[[Decision], object]]


def decision_table(decisions: Sequence[Decision], names: Mapping[int, str], first: str, further: Columns) -> PlainTable:
    """Decisions as a table, undone ones too: whose they are, what else a kind says of them, and what they did."""
    cells = [
        (
            *(names.get(d.item_id, ""), *(value(d) for value in further.values()), d.kind, d.previous, d.value),
            *(d.system_score, d.human_score, d.reason, d.author, d.made_at.isoformat()),
            *(d.undone.isoformat() if d.undone else None, d.undone_by),
        )
        for d in decisions
    ]
    return PlainTable((first, *further, *DECISION_COLUMNS, "undone_by"), cells)


def all_decisions(site: Site, workspace: Workspace, first: str, further: Columns) -> PlainTable:
    """Every decision that was ever made in a workspace."""
    with site.database.reading() as connection:
        names = {row.id: row.name for row in rows(connection, workspace.id, workspace.engine, ListQuery())}
        return decision_table(history(connection, workspace.id), names, first, further)


def decision_content(decision: Decision, names: Sequence[str]) -> Json:
    """A decision as JSON, its values in this order."""
    values = {name: getattr(decision, "made_at" if name == "made" else name) for name in names}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def json_bytes(content: Json) -> bytes:
    return (json.dumps(plain(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")


def csv_bytes(table: PlainTable) -> bytes:
    return "".join(csv_lines(table.columns, table.rows)).encode()


def pdf_bytes(document: Document) -> bytes:
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415  # optional

    return to_pdf(document)


def web_provenance(site: Site, command: str, inputs: Mapping[str, str]) -> Provenance:
    return Provenance(__version__, command, dict(inputs), 0, site.now().astimezone().isoformat(timespec="seconds"))


EVALUATION_FILES = {
    "report.pdf": "Report as PDF",
    "report.html": "Report as a web page",
    "tables.xlsx": "All tables as a workbook",
    "tables.zip": "All tables as CSV",
    "evaluation.json": "All figures as JSON",
    "comparison.json": "All differences as JSON",
    "panel.json": "All figures as JSON",
}


def evaluation_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """The files of each engine and of the comparison, as the worker made them."""
    with site.database.reading() as connection:
        results = scored_items(connection, workspace.id, workspace.engine)
        uploads = workspace_uploads(connection, workspace.id, "scores")
    joined = [upload for upload in uploads[-1:] if upload.digest in EvaluationSettings.of(workspace).made_of]
    table = [
        ExportFile("table/table.csv", "Table", "The joined table", partial(site.database.read, read_blob, u.digest))
        for u in joined
    ]
    return table + [
        ExportFile(f"{item.id}/{name}", item.name, words, partial(site.database.read, read_blob, result.files[name]))
        for item, result in results
        if result is not None
        for name, words in EVALUATION_FILES.items()
        if name in result.files
    ]


def page_html(document: Document, sections: tuple[Section, ...], *, before: str = "") -> bytes:
    """A report without its title, for a page that has one; `before` stands before its sections."""
    lead = f"<strong>{escaped(document.verdict_lead)}</strong> " if document.verdict_lead else ""
    verdict = f'<p class="verdict">{lead}{escaped(document.verdict_rest)}</p>'
    shown = f'<div class="sections">{sections_html(sections)}</div>'
    return f"{HATCH}{verdict}{first_screen_html(document)}{before}{shown}".encode()


def pdf_file(document: Document) -> dict[str, bytes]:
    """The report as PDF, where that can be made."""
    return {"report.pdf": pdf_bytes(document)} if _is_offered("report.pdf") else {}
