"""Files that can be taken away from a workspace."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.store.blobs import read_blob
from assay.store.items import scored_items
from assay.store.uploads import workspace_uploads
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces.stored_settings import EvaluationSettings


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file: the last part of its address, what it is about, what it is, and how its bytes are had."""

    path: str
    """`<group>/<file name>`; both only letters, digits, dot, dash and underscore."""
    group: str
    """What it is about, in words: an engine, a student, everything."""
    title: str
    make: Callable[[], bytes]


def kept_blob(site: Site, digest: str) -> Callable[[], bytes]:
    """Reads a blob when it is asked for."""

    def read() -> bytes:
        with site.database.reading() as connection:
            return read_blob(connection, digest)

    return read


EVALUATION_FILES = {
    "report.pdf": "Report as PDF",
    "report.html": "Report as a web page",
    "tables.xlsx": "All tables as a workbook",
    "tables.zip": "All tables as CSV",
    "evaluation.json": "All figures as JSON",
    "comparison.json": "All differences as JSON",
}


def evaluation_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """The files of each engine and of the comparison, as the worker made them."""
    with site.database.reading() as connection:
        made = scored_items(connection, workspace.id, workspace.engine)
        uploads = workspace_uploads(connection, workspace.id, "scores")
    joined = [upload for upload in uploads[-1:] if upload.digest in EvaluationSettings.of(workspace).made_of]
    table = [ExportFile("table/table.csv", "Table", "The joined table", kept_blob(site, u.digest)) for u in joined]
    return table + [
        ExportFile(f"{item.id}/{name}", item.name, words, kept_blob(site, result.files[name]))
        for item, result in made
        if result is not None
        for name, words in EVALUATION_FILES.items()
        if name in result.files
    ]
