"""Exports of a workspace, and the files of its results."""

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.workspace_page import Editable, workspace_page

router = APIRouter()

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}
REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A report is one file that carries its own styles; opened here it may do nothing else."""


@router.get("/{kind}/{workspace_id}/exports")
def exports(request: Request, context: Editable) -> HTMLResponse:
    """Everything that can be taken away."""
    files = context.site.handlers[context.workspace.kind].exports(context.site, context.workspace)
    groups: dict[str, list[ExportFile]] = {}
    for file in files:
        groups.setdefault(file.group, []).append(file)
    return workspace_page(request, context, "exports.html", tab="exports", values={"groups": groups})


@router.get("/{kind}/{workspace_id}/exports/{group}/{name}")
def export(context: Editable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open."""
    return export_answer(context.site, context.workspace, f"{group}/{name}", show=show)


def export_answer(site: Site, workspace: Workspace, path: str, *, show: bool = False) -> Response:
    """A file of a workspace by its path; a 404 when it has none of that name."""
    file = next((f for f in site.handlers[workspace.kind].exports(site, workspace) if f.path == path), None)
    if file is None:
        raise NotFound("There is no such file. It may not be made yet.")
    return file_answer(file, show=show)


def file_answer(file: ExportFile, *, show: bool = False) -> Response:
    """The file, to keep or (a report) to open."""
    name = file.path.rpartition("/")[2]
    ending = name[name.rfind(".") :]
    inline = show and ending in (".html", ".pdf")
    headers = {"Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"'}
    if inline and ending == ".html":
        headers["Content-Security-Policy"] = REPORT_POLICY
    return Response(file.make(), media_type=TYPES.get(ending, "application/octet-stream"), headers=headers)
