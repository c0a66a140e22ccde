"""Uploaded essays: a table with a row for each, documents, ZIPs of documents; listed for the queue, read by workers.

Listing looks at names and bytes alone. Documents are opened by workers, each by itself: one that cannot be read has
its reason beside it, and the others are scored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import isfinite
from pathlib import Path, PurePath, PurePosixPath

from assay.errors import InputError
from assay.essays.text.text import Essay
from assay.io.archive import list_members
from assay.io.essays.documents import DOCUMENTS, is_document, read_essay_document
from assay.io.essays.scored_essays import FurtherColumns
from assay.io.essays.table import ESSAY_LIMITS, EssayColumns, EssayTable
from assay.store.blobs import Upload
from assay.store.items import NewItem
from assay.store.schema import Json, content_digest
from assay.web.workspaces.export_files import FileOf
from assay.web.workspaces.stored_settings import EssayColumnNames, EssayTask

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".xlsx", ".parquet", ".gz")
ROLES_OF_COLUMNS = ("text", "id", "prompt", "score", "program")
LONGEST_STUDENT = 80


def is_table(name: str) -> bool:
    return PurePath(name).suffix.lower() in TABLES


def is_zip(name: str) -> bool:
    return PurePath(name).suffix.lower() == ".zip"


def check_kind(name: str) -> None:
    """InputError for a file that holds no essays, by its ending."""
    if not (is_table(name) or is_zip(name) or is_document(name)):
        raise InputError(
            "this is no kind of file that holds essays here",
            source=name,
            field="essays",
            remedy="Give .txt, .md, .docx, .odt or .pdf, a ZIP of these, or a table (CSV, TSV, JSONL, XLSX, Parquet) "
            "with a row for each essay.",
        )


def essay_columns(chosen: EssayColumnNames) -> EssayColumns:
    """The columns a person chose, as the table reads them; none is guessed, and none may name files of the server."""
    if not chosen.text:
        raise InputError("Choose the column that holds the essays.", field="text")
    id_, prompt, score, program = (name or None for name in (chosen.id, chosen.prompt, chosen.score, chosen.program))
    return EssayColumns(chosen.text, id_, prompt, score, program)


def further_columns(chosen: EssayColumnNames) -> FurtherColumns:
    """The columns that only training reads."""
    return FurtherColumns(*(name or None for name in (chosen.second_score, chosen.third_score, chosen.program)))


def essay_items(uploads: Sequence[Upload], file_of: FileOf, columns: EssayColumnNames) -> list[NewItem]:
    """Everything to score in these uploads, once; of the same content the last upload counts.

    InputError names the file that cannot be used.
    """
    items = [item for upload in uploads for item in _items(upload, file_of(upload.digest, upload.suffix), columns)]
    return list({item.digest: item for item in items}.values())


def _items(upload: Upload, path: Path, columns: EssayColumnNames) -> Iterator[NewItem]:
    if is_zip(upload.name):
        inside = list_members(path, limits=ESSAY_LIMITS, name=upload.name)
        members = [member for member in inside if is_document(member.name)]
        if not members:
            remedy = "Pack the essays themselves into the ZIP."
            raise InputError(
                f"it holds none of {', '.join(DOCUMENTS)}", source=upload.name, field="essays", remedy=remedy
            )
        for member in members:
            place, digest = PurePosixPath(member.name), sha256(member.read()).hexdigest()
            yield _item(place.stem, place.parent.name, digest, upload, {"is": "member", "member": member.name})
    elif not is_table(upload.name):
        yield _item(PurePath(upload.name).stem, "", upload.digest, upload, {"is": "document"})
    else:
        try:
            yield from _rows(upload, path, columns)
        except InputError as problem:
            raise problem.at(upload.name) from None


def _rows(upload: Upload, path: Path, columns: EssayColumnNames) -> Iterator[NewItem]:
    row, chosen = 0, columns.to_json()
    for part in EssayTable(path, essay_columns(columns)).parts():
        programs = part.programs or ("",) * len(part)
        for essay, score, program in zip(part.essays, part.scores.tolist(), programs, strict=True):
            name = essay.essay_id if columns.id else f"Essay {row + 1}"
            digest = sha256(essay.text.encode("utf-8", "surrogatepass")).hexdigest()
            detail = {"is": "row", "row": row, "columns": chosen, "human": score if isfinite(score) else None}
            detail |= {"program": program} if program else {}
            yield _item(name, essay.prompt, digest, upload, detail)
            row += 1


def _item(name: str, prompt: str, digest: str, upload: Upload, detail: Json) -> NewItem:
    """The digest stands for the text and for its owner: two may hand in the same."""
    detail = {**detail, "digest": upload.digest, "suffix": upload.suffix, "file": upload.name, "prompt": prompt}
    program = [detail["program"]] if detail.get("program") else []
    own = content_digest("essay", name, prompt, digest, *program)
    return NewItem(own, name, detail, name[:LONGEST_STUDENT], upload.id)


@dataclass(eq=False, slots=True)
class EssayReader:
    """Essays by what their items say of them; a table is read once."""

    file_of: FileOf
    _tables: dict[str, list[Essay]] = field(default_factory=dict)

    def text_and_prompt(self, task: EssayTask) -> tuple[str, str]:
        """The text of an essay and its prompt; InputError says why it has none."""
        path = self.file_of(task.digest, task.suffix)
        if task.what == "row":
            key = f"{path} {task.columns.model_dump_json()}"
            if key not in self._tables:
                parts = EssayTable(path, essay_columns(task.columns)).parts()
                self._tables = {key: [essay for part in parts for essay in part.essays]}
            essay = self._tables[key][task.row]
            return essay.text, essay.prompt
        if task.what == "member":
            member = next(m for m in list_members(path, limits=ESSAY_LIMITS) if m.name == task.member)
            return read_essay_document(member.read(), PurePosixPath(member.name).name), task.prompt
        return read_essay_document(path.read_bytes(), task.file), task.prompt
