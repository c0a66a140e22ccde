"""FRONT DOOR `restore`: a database as a backup has it; everything is checked before anything is written."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay import __version__
from assay.errors import Field, InputError, refuse_pipe
from assay.execution.observer import SILENT, Observer
from assay.operations.backup import FORMAT, MANIFEST, blob_part, table_part
from assay.store.backup import begin_restore, count_rows, restore_blob, restore_rows, stored_tables
from assay.store.database import connect_database, schema_versions, upgrade

CHUNK = 1 << 20
ANOTHER = "Use another backup."
Manifest = dict[str, Any]


def restore(source: Path, db: str, *, force: bool = False, observer: Observer = SILENT) -> Manifest:
    """Put a backup into the database at a URL, all of it or nothing, and bring its tables up to date.

    A database that holds anything is replaced with `force` only.
    """
    refuse_pipe(source)
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = checked(archive, source, observer)
            _write(archive, manifest, db, force=force, observer=observer)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(f"not a complete backup: {error}", source=source, remedy=ANOTHER) from None
    except FileNotFoundError:
        raise InputError("no such file", source=source, remedy="Check the name and the folder.") from None
    return manifest


def checked(archive: zipfile.ZipFile, source: Path, observer: Observer = SILENT) -> Manifest:
    """The manifest of a backup, once every part was found to be what it states."""
    names = set(archive.namelist())
    if MANIFEST not in names:
        raise InputError("no manifest: this is not a complete backup", source=source, remedy=ANOTHER)
    try:
        manifest: Manifest = json.loads(archive.read(MANIFEST))
        tables, version = dict(manifest["tables"]), manifest["schema"]
        digests = {name: str(table["sha256"]) for name, table in tables.items()}
        count = int(manifest["blobs"]["count"])
    except (ValueError, KeyError, TypeError):
        raise InputError("the manifest cannot be read", source=source, remedy=ANOTHER) from None
    if manifest.get("format") != FORMAT or version not in schema_versions():
        problem = f"it was made by Assay {manifest.get('assay')}, and this is {__version__}, which does not know it"
        raise InputError(problem, source=source, remedy="Install that version of Assay, or a later one.")
    parts = {table_part(name): digest for name, digest in digests.items()}
    parts |= {name: name.removeprefix("blobs/") for name in names if name.startswith("blobs/")}
    if names != {MANIFEST, *parts} or len(parts) - len(digests) != count:
        raise InputError("it does not have exactly the parts its manifest lists", source=source, remedy=ANOTHER)
    observer.begin("parts checked", len(parts))
    for name, digest in parts.items():
        hashed = sha256()
        for chunk in _chunks(archive, name):
            hashed.update(chunk)
        if hashed.hexdigest() != digest:
            raise InputError(f"its part {name} does not match its checksum", source=source, remedy=ANOTHER)
        observer.advance(1)
    observer.end()
    return manifest


def _write(archive: zipfile.ZipFile, manifest: Manifest, db: str, *, force: bool, observer: Observer) -> None:
    database = connect_database(db)
    try:
        with database.writing() as connection:
            if not force and any(count_rows(connection, table) for table in stored_tables(connection).values()):
                remedy = ("Back it up, then replace it with ", Field("force"), ", or choose another ", Field("db"), ".")
                raise InputError(f"The database {database.address} is not empty", field="db", remedy=remedy)
            tables = begin_restore(connection, manifest["schema"])
            observer.begin("tables", len(tables))
            for name, table in tables.items():
                if name in manifest["tables"]:
                    restore_rows(connection, table, _rows(archive, table_part(name)))
                observer.advance(1)
            observer.end()
            blobs = [name for name in archive.namelist() if name.startswith("blobs/")]
            observer.begin("stored files", len(blobs))
            for name in blobs:
                restore_blob(connection, name.removeprefix(blob_part("")), _chunks(archive, name))
                observer.advance(1)
            observer.end()
            upgrade(connection)
    finally:
        database.close()


def _rows(archive: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    with archive.open(name) as lines:
        for line in lines:
            yield json.loads(line)


def _chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as part:
        while chunk := part.read(CHUNK):
            yield chunk
