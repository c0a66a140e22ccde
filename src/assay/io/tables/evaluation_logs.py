"""Logs of inspect_ai and results of promptfoo -> a long table of ratings, a row for each score of each output.

inspect_ai writes `.eval` (a ZIP of JSON, deflated or by zstd) or JSON; promptfoo writes JSON. Scorers and assertions
are the raters; a scorer or an assertion called human is a person.
"""

import json
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from assay.errors import InputError, reader
from assay.execution.limits import check
from assay.io.archive import is_zip, list_members
from assay.io.json_file import json_of

ZSTD = 93
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""What inspect_ai's scorers give: correct, partial, incorrect, no answer."""
SCHEMA = {
    **dict.fromkeys(("item", "rater", "label", "criterion", "run", "time", "rater_kind", "text"), pl.String),
}
MOST_TEXT = 4000
"""Characters of an item's text that are kept."""
_AGAIN = "Write the log again, or give a table of ratings."

Row = dict[str, str | None]


@reader
def read_evaluation_log(path: Path) -> pl.DataFrame | None:
    """The ratings of a log; None for a file that is no log of these."""
    if not path.is_file():
        return None
    if path.suffix.lower() == ".eval":
        return _frame(path, _inspect_rows(_archived(path), path))
    if path.suffix.lower() != ".json" or not _is_object(path):
        return None
    check("json_bytes", path.stat().st_size, path.name)
    content = json_of(path.read_bytes(), source=path.name, remedy=_AGAIN)
    if not isinstance(content, dict):
        return None
    results = content.get("results")
    if isinstance(content.get("eval"), dict) and "samples" in content:
        return _frame(path, _inspect_rows(_sequence(content["samples"]), path))
    if isinstance(results, dict) and isinstance(results.get("results"), list):
        return _frame(path, _promptfoo_rows(results["results"]))
    return None


def _is_object(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _frame(path: Path, rows: Iterator[Row]) -> pl.DataFrame:
    frame = pl.DataFrame(list(rows), schema=SCHEMA)
    if not frame.height:
        raise InputError("it holds no scores", source=path.name, remedy="Score the samples first.")
    empty = [
        name for name in ("criterion", "run", "time", "text") if frame.get_column(name).null_count() == frame.height
    ]
    return frame.drop(empty)


def _archived(path: Path) -> list[Any]:
    """The samples of an `.eval` file: their summaries where it has them, otherwise each sample."""
    if not is_zip(path):
        raise InputError("it is not a log of inspect_ai", source=path.name, remedy=_AGAIN)
    members = {member.name: member for member in list_members(path)}
    if "summaries.json" in members:
        return _sequence(_json(path, "summaries.json", members["summaries.json"].read))
    return [
        _json(path, name, member.read)
        for name, member in members.items()
        if name.startswith("samples/") and name.endswith(".json")
    ]


def _json(path: Path, name: str, plain: Any) -> Any:
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(name)
        content = _by_zstd(path, info) if info.compress_type == ZSTD else plain()
    return json_of(content, source=path.name, remedy=_AGAIN)


def _by_zstd(path: Path, info: zipfile.ZipInfo) -> bytes:
    """A member packed by zstd, which zipfile knows from Python 3.14 on; never more than its directory states."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and heavy
    except ImportError:
        remedy = "Install pyarrow, or write the log as JSON: inspect log convert --to json."
        raise InputError("it is packed by zstd", source=path.name, remedy=remedy) from None
    check("json_bytes", info.file_size, path.name)
    with path.open("rb") as stream:
        stream.seek(info.header_offset)
        head = stream.read(30)
        stream.seek(
            info.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        )
        packed = stream.read(info.compress_size)
    try:
        return bytes(pa.Codec("zstd").decompress(packed, decompressed_size=info.file_size, asbytes=True))
    except (OSError, ValueError, pa.ArrowException):
        raise InputError(f"the member {info.filename!r} is damaged", source=path.name, remedy=_AGAIN) from None


def _sequence(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _inspect_rows(samples: list[Any], path: Path) -> Iterator[Row]:
    for sample in samples:
        if not isinstance(sample, dict):
            raise InputError("a sample is no object", source=path.name, remedy=_AGAIN)
        scores = sample.get("scores")
        output = sample.get("output")
        text = _text(sample.get("input"))
        if isinstance(output, dict) and isinstance(output.get("completion"), str):
            text = f"{text or ''}\n{output['completion']}".strip()[:MOST_TEXT]
        about: Row = {
            "item": _plain(sample.get("id")),
            "run": _plain(sample.get("epoch")),
            "time": _plain(sample.get("completed_at")),
            "text": text,
        }
        for scorer, score in scores.items() if isinstance(scores, dict) else ():
            value = score.get("value") if isinstance(score, dict) else score
            for criterion, one in value.items() if isinstance(value, dict) else ((None, value),):
                yield about | _rating(scorer, LETTERS.get(one, one) if isinstance(one, str) else one, criterion)


def _promptfoo_rows(results: list[Any]) -> Iterator[Row]:
    for result in results:
        if not isinstance(result, dict):
            continue
        about: Row = {"item": _output_name(result), "text": _text(_at(result, "response", "output")), "run": None}
        graded = result.get("gradingResult")
        parts = _sequence(graded.get("componentResults")) if isinstance(graded, dict) else []
        seen: Counter[tuple[str, str | None]] = Counter()
        for part in parts:
            if not isinstance(part, dict):
                continue
            kind, metric = (
                _plain(_at(part, "assertion", "type")) or "assertion",
                _plain(_at(part, "assertion", "metric")),
            )
            seen[kind, metric] += 1
            number = seen[kind, metric]
            name = kind if number == 1 else f"{kind} {number}"
            yield about | _rating(name, part.get("score", part.get("pass")), metric)
        if not parts:
            yield about | _rating("promptfoo", result.get("score", result.get("success")), None)


def _output_name(result: Mapping[str, Any]) -> str:
    """An output by its test, its prompt and its provider."""
    provider = result.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    place = f"test {_plain(result.get('testIdx')) or _plain(result.get('id')) or ''}"
    return f"{place}, prompt {_plain(result.get('promptIdx')) or 0}, {_plain(provider) or 'provider'}"


def _rating(rater: object, label: object, criterion: object) -> Row:
    name = str(rater)
    kind = "human" if "human" in name.lower() else "judge"
    if isinstance(label, bool):
        label = int(label)
    return {"rater": name, "label": _plain(label), "criterion": _plain(criterion), "rater_kind": kind}


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _plain(value: Any) -> str | None:
    """A value as text; None for nothing and for what is nested."""
    if value is None or isinstance(value, dict | list):
        return None
    return _sound(str(value).removesuffix(".0") if isinstance(value, float) else str(value))


def _text(value: Any) -> str | None:
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    return None if value is None else _sound(str(value)[:MOST_TEXT])


def _sound(text: str) -> str:
    """Without halves of surrogate pairs, which no table holds."""
    return text.encode("utf-8", "replace").decode()
