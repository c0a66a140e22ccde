"""FRONT DOOR `backup`: all that a database holds in one file, one state of it, while the server goes on writing.

The file is a ZIP: tables/NAME.jsonl, a row a line; blobs/DIGEST, the stored files; manifest.json, which states
versions, counts, and the SHA-256 of every table. The name of a stored file is its SHA-256.
"""

import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay import __version__
from assay.errors import Field, InputError
from assay.execution.observer import SILENT, Observer
from assay.io.tables.output import unwritable, zip_entry
from assay.provenance import created
from assay.store.backup import count_rows, stored_blobs, stored_tables, table_rows
from assay.store.blobs import blob_chunks
from assay.store.database import connect_database, schema_version

FORMAT = "assay-backup 1"
MANIFEST = "manifest.json"


def table_part(name: str) -> str:
    """Where the rows of a table are in a backup."""
    return f"tables/{name}.jsonl"


def blob_part(digest: str) -> str:
    """Where a stored file is in a backup."""
    return f"blobs/{digest}"


def backup(db: str, out: Path, *, force: bool = False, observer: Observer = SILENT) -> dict[str, Any]:
    """Write a backup of the database at a URL; what its manifest says. The file appears when it is whole."""
    if out.exists() and not force:
        remedy = ("Choose another name, or replace it with ", Field("force"), ".")
        raise InputError("the file already exists", source=out, field="out", remedy=remedy)
    database = connect_database(db, is_there=True)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)  # only its owner may read it
    except OSError as error:
        raise unwritable(out, error) from error
    try:
        with (
            os.fdopen(handle, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            database.snapshot() as connection,
        ):
            manifest = _write(connection, archive, observer)
        Path(name).replace(out)
    except OSError as error:
        raise unwritable(out, error) from error
    finally:
        Path(name).unlink(missing_ok=True)
        database.close()
    return manifest


def _write(connection: Any, archive: zipfile.ZipFile, observer: Observer) -> dict[str, Any]:
    version = schema_version(connection)
    if version is None:
        raise InputError("the database has no Assay tables", field="db", remedy=("Check ", Field("db"), "."))
    tables, parts = stored_tables(connection), {}
    observer.begin("rows", sum(count_rows(connection, table) for table in tables.values()))
    for name, table in tables.items():
        rows, digest = _put(archive, table_part(name), _lines(table_rows(connection, table), observer))
        parts[name] = {"rows": rows, "sha256": digest}
    observer.end()
    blobs = stored_blobs(connection)
    observer.begin("stored files", len(blobs))
    for digest, _ in blobs:
        _put(archive, blob_part(digest), blob_chunks(connection, digest))
        observer.advance(1)
    observer.end()
    stored = {"count": len(blobs), "bytes": sum(size for _, size in blobs)}
    manifest = {"format": FORMAT, "assay": __version__, "schema": version, "created": created(), "tables": parts}
    manifest |= {"blobs": stored, "database": connection.dialect.name}
    archive.writestr(zip_entry(MANIFEST), json.dumps(manifest, indent=1))
    return manifest


def _lines(rows: Iterable[Any], observer: Observer) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"
        observer.advance(1)


def _put(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> tuple[int, str]:
    """A part of the archive; how many chunks it has, and its digest."""
    hashed, count = sha256(), 0
    with archive.open(zip_entry(name), "w", force_zip64=True) as part:
        for chunk in chunks:
            part.write(chunk)
            hashed.update(chunk)
            count += 1
    return count, hashed.hexdigest()
