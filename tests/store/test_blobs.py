"""Bytes kept once, in parts, and uploads that name them."""

from io import BytesIO
from pathlib import Path

from sqlalchemy import func, select

from assay.store.blobs import (
    PART,
    blob_chunks,
    blob_file,
    keep_bytes,
    keep_upload,
    read_blob,
    upload_file,
    workspace_uploads,
)
from assay.store.database import Database
from assay.store.schema import blob_parts
from tests.store.scored import NOW, scored_workspace


def test_bytes_come_back_in_parts_and_are_kept_once(database: Database) -> None:
    content = bytes(range(256)) * (PART // 256) + b"rest"
    with database.writing() as connection:
        digests = {keep_bytes(connection, content, now=NOW) for _ in range(2)}
        (digest,) = digests

        assert [len(chunk) for chunk in blob_chunks(connection, digest)] == [PART, 4]
        assert read_blob(connection, digest) == content
        assert connection.execute(select(func.count()).select_from(blob_parts)).scalar_one() == 2


def test_a_file_in_the_cache_takes_nothing_from_a_hostile_name(database: Database, tmp_path: Path) -> None:
    with database.writing() as connection:
        digest = keep_bytes(connection, b"x", now=NOW)
        path = blob_file(connection, digest, "./../e\u00e9.CSV", tmp_path)

        assert (path.parent, path.name) == (tmp_path, f"{digest}...e.csv")
        path.write_bytes(b"there already")
        assert blob_file(connection, digest, "./../e\u00e9.CSV", tmp_path).read_bytes() == b"there already"
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("tmp")] == []


def test_an_upload_keeps_the_last_part_of_its_name_and_its_role(database: Database, tmp_path: Path) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [])
        for role, name in (("scores", r"C:\data\a.csv.gz"), ("images", "../b.zip")):
            keep_upload(connection, filled.id, role, name, BytesIO(b"abc"), author="Ada", now=NOW)
        first, second = workspace_uploads(connection, filled.id)

        assert [(u.name, u.suffix, u.size) for u in (first, second)] == [
            ("a.csv.gz", ".csv.gz", 3),
            ("b.zip", ".zip", 3),
        ]
        assert workspace_uploads(connection, filled.id, "images") == [second]
        assert upload_file(connection, first, tmp_path).read_bytes() == b"abc"
