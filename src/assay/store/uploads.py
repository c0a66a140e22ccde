"""Files that people gave a workspace, under the role they play in it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath
from typing import BinaryIO

from sqlalchemy import Connection, insert, select

from assay.store.blobs import blob_file, keep_stream
from assay.store.database import rows_as
from assay.store.schema import clipped, uploads


@dataclass(frozen=True, slots=True)
class Upload:
    """A file by the name its owner gave it; the name is only ever shown."""

    id: int
    workspace_id: str
    role: str
    name: str
    digest: str
    size: int
    author: str
    created: datetime
    removed: datetime | None

    @property
    def suffix(self) -> str:
        """The endings of the name, at most two: `.csv`, `.csv.gz`."""
        return "".join(PurePath(self.name).suffixes[-2:])


def keep_upload(
    connection: Connection, workspace_id: str, role: str, name: str, stream: BinaryIO, *, author: str, now: datetime
) -> Upload:
    """Keep a file for a workspace."""
    digest, size = keep_stream(connection, stream, now=now)
    shown = clipped(PurePath(name.replace("\\", "/")).name)
    row = {"workspace_id": workspace_id, "role": role, "name": shown, "digest": digest, "size": size}
    new = insert(uploads).values(**row, author=author, created=now).returning(uploads)
    return Upload(**connection.execute(new).mappings().one())


def workspace_uploads(connection: Connection, workspace_id: str, role: str | None = None) -> list[Upload]:
    """The files of a workspace in the order they came, of one role or all."""
    query = select(uploads).where(uploads.c.workspace_id == workspace_id, uploads.c.removed.is_(None))
    if role is not None:
        query = query.where(uploads.c.role == role)
    return rows_as(connection, Upload, query.order_by(uploads.c.id))


def upload_file(connection: Connection, upload: Upload, cache: Path) -> Path:
    """The file on disk, for readers that need one."""
    return blob_file(connection, upload.digest, upload.suffix, cache)
