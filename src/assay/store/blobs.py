"""Bytes kept once, under their SHA-256, in parts (nothing needs a whole file in memory), and uploads made of them."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO

from sqlalchemy import Connection, insert, select

from assay.store.database import insert_new, rows_as
from assay.store.schema import blob_parts, blobs, clipped, uploads

PART = 1 << 20


def keep_stream(connection: Connection, stream: BinaryIO, *, now: datetime) -> tuple[str, int]:
    """Keep what a stream holds; its digest and size. Bytes that are there already are not written again."""
    stream.seek(0)
    hashed, size = sha256(), 0
    while chunk := stream.read(PART):
        hashed.update(chunk)
        size += len(chunk)
    digest = hashed.hexdigest()
    if insert_new(connection, blobs, {"digest": digest, "size": size, "created": now}):
        stream.seek(0)
        for number, chunk in enumerate(iter(lambda: stream.read(PART), b"")):
            connection.execute(insert(blob_parts).values(digest=digest, number=number, content=chunk))
    return digest, size


def keep_bytes(connection: Connection, content: bytes, *, now: datetime) -> str:
    """Keep some bytes; their digest."""
    return keep_stream(connection, BytesIO(content), now=now)[0]


def blob_chunks(connection: Connection, digest: str) -> Iterator[bytes]:
    """The bytes of a blob, part by part."""
    numbers = select(blob_parts.c.number).where(blob_parts.c.digest == digest).order_by(blob_parts.c.number)
    for number in connection.execute(numbers).scalars().all():
        part = select(blob_parts.c.content).where(blob_parts.c.digest == digest, blob_parts.c.number == number)
        yield connection.execute(part).scalar_one()


def read_blob(connection: Connection, digest: str) -> bytes:
    """All bytes of a blob."""
    return b"".join(blob_chunks(connection, digest))


def blob_file(connection: Connection, digest: str, suffix: str, cache: Path) -> Path:
    """The blob as a file for libraries that need one, in a cache that may be deleted at any time.

    Its name is the digest and an ending of letters and digits; nothing of it comes from a user's file name.
    """
    ending = "".join(c for c in suffix.lower() if c.isascii() and (c.isalnum() or c == "."))[:16]
    path = cache / f"{digest}{ending}"
    if path.exists():
        return path
    cache.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=cache)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(blob_chunks(connection, digest))
        Path(temporary).rename(path)  # whole or not at all, whoever else makes it at the same time
    finally:
        Path(temporary).unlink(missing_ok=True)
    return path


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
