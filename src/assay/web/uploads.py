"""Uploaded files on their way into the store."""

from collections.abc import Sequence
from typing import BinaryIO

from fastapi import UploadFile

from assay.store.audit import note
from assay.store.database import Connection
from assay.store.uploads import Upload, keep_upload
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import Removed
from assay.web.site import Site
from assay.web.visitors import Visitor

NamedFiles = Sequence[tuple[str, BinaryIO]]
"""Files by the names their owner gave them."""


def given_files(files: Sequence[UploadFile] | UploadFile | None) -> list[tuple[str, BinaryIO]]:
    """The files a form really holds, by name: a browser sends an empty one for a field left alone."""
    several = files if isinstance(files, Sequence) else [files]
    return [(file.filename, file.file) for file in several if file is not None and file.filename]


def keep_files(
    connection: Connection, site: Site, workspace: Workspace, role: str, files: NamedFiles, who: Visitor
) -> list[Upload]:
    """Keep files under a role, and note it; others who change the workspace wait until that is done."""
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    uploads = []
    for name, content in files:
        upload = keep_upload(connection, workspace.id, role, name, content, author=who.name, now=site.now())
        detail = {"name": upload.name, "role": role, "sha256": upload.digest, "bytes": upload.size}
        note(connection, "upload", author=who.name, now=site.now(), workspace_id=workspace.id, detail=detail)
        uploads.append(upload)
    return uploads
