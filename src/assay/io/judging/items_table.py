"""FRONT DOOR `read_items`: what is judged, from a table with a row per item or a folder of .txt files."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from assay.errors import Field, InputError
from assay.evaluation.judging.prompt import JudgedItem
from assay.io.essays.table import EssayFolder, guess_essay_columns, holds_documents
from assay.io.tables.columns import text_column
from assay.io.tables.tables import TableSource, check_unique_ids, open_table, require_columns

ROWS = 1_000


def read_items(
    table: Path | pl.DataFrame, *, text: str | None, id: str | None = None, context: Sequence[str] = ()
) -> tuple[tuple[JudgedItem, ...], dict[str, str]]:
    """The items in order, and the digests of the files they are from; without an id column rows are numbered."""
    if isinstance(table, Path) and holds_documents(table):
        folder = EssayFolder(table)
        essays = [essay for part in folder.parts() for essay in part.essays]
        items = tuple(JudgedItem(e.essay_id, e.text, (("prompt", e.prompt),) if e.prompt else ()) for e in essays)
        return items, folder.digests()
    source = open_table(table)
    column = text or _only_text(source)
    require_columns(source, [("text", column), *(("context", name) for name in context), *([("id", id)] if id else [])])
    if id:
        check_unique_ids(source, id)
    items = tuple(_items(source, column, id, context))
    if not items:
        remedy = "Give a table with a row per item."
        raise InputError("a header but no rows", source=source.name, field="items", remedy=remedy)
    return items, (source.digests() if source.parts else {})


def _only_text(source: TableSource) -> str:
    first = next(source.batches(source.columns, rows=ROWS), None)
    likely = guess_essay_columns(first).text if first is not None else ""
    remedy = ("Name it with ", Field("text"), f"; that looks like {likely!r}." if likely else ".")
    problem = "the column that holds the texts to judge is not named"
    raise InputError(problem, source=source.name, field="text", remedy=remedy)


def _items(source: TableSource, text: str, id: str | None, context: Sequence[str]) -> list[JudgedItem]:
    items: list[JudgedItem] = []
    for frame in source.batches([text, *context, *([id] if id else [])], rows=ROWS):
        first = source.first_row + len(items)
        ids = text_column(frame, id).to_list() if id else [str(first + place) for place in range(frame.height)]
        texts = text_column(frame, text).fill_null("").to_list()
        beside = [text_column(frame, name).fill_null("").to_list() for name in context]
        for place, (item_id, body) in enumerate(zip(ids, texts, strict=True)):
            pairs = tuple((name, column[place]) for name, column in zip(context, beside, strict=True) if column[place])
            items.append(JudgedItem(item_id, body, pairs))
    return items
