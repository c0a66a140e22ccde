"""What can be taken away from an annotation workspace: each submission and all of them, original and final scores."""

from importlib.util import find_spec

from assay.report.render.tables_csv import slug
from assay.store.item_listing import scored_names
from assay.store.items import StoredResult, find_item, find_result
from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.workspaces.annotations.batch_files import ALL_FILES, batch_file
from assay.web.workspaces.annotations.student_files import STUDENT_FILES, student_file
from assay.web.workspaces.export_files import ExportFile, kept_blob
from assay.web.workspaces.stored_settings import AnnotationSettings

ALL = "all"
MADE_FILES = {
    "report.html": "Report of all as a web page",
    "report.pdf": "Report of all as PDF",
    "everything.json": "Every finding of all as JSON",
}
"""Files that a worker makes: they take more than a moment."""


def annotation_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """All files there are."""
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = scored_names(connection, workspace.id, engine)
    exports = batch_exports(site, workspace) if listed else []
    for item_id, name in listed:
        exports += student_exports(site, workspace, item_id, name)
    return exports


def batch_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """The files about all submissions."""
    words = "All submissions"
    exports = [
        ExportFile(f"{ALL}/{name}", words, title, batch_file(site, workspace, name))
        for name, title in ALL_FILES.items()
    ]
    result = together_result(site, workspace)
    for name, title in MADE_FILES.items():
        if result is not None and name in result.files:
            exports.append(ExportFile(f"{ALL}/{name}", words, title, kept_blob(site, result.files[name])))
    return exports


def together_result(site: Site, workspace: Workspace) -> StoredResult | None:
    """What a worker made of all submissions together, last time."""
    item_id, engine = AnnotationSettings.of(workspace).together, workspace.engine
    if item_id is None:
        return None
    with site.database.reading() as connection:
        return find_result(connection, item_id, engine)


def student_exports(site: Site, workspace: Workspace, item_id: int, name: str) -> list[ExportFile]:
    """The files about one submission."""
    pdf = find_spec("typst") is not None
    return [
        ExportFile(f"{item_id}/{slug(name)[:40]}-{file}", name, title, student_file(site, workspace, item_id, file))
        for file, title in STUDENT_FILES.items()
        if pdf or not file.endswith(".pdf")
    ]


def find_export(site: Site, workspace: Workspace, path: str) -> ExportFile:
    """A file by its path, without listing all of them; a 404 when there is none."""
    group, _, _ = path.partition("/")
    offered: list[ExportFile] = []
    if group == ALL:
        offered = batch_exports(site, workspace)
    elif group.isascii() and group.isdigit() and len(group) < 10:
        with site.database.reading() as connection:
            item = find_item(connection, workspace.id, int(group))
        offered = student_exports(site, workspace, item.id, item.name) if item else []
    export = next((file for file in offered if file.path == path), None)
    if export is None:
        raise NotFound("There is no such file. It may not be made yet.")
    return export
