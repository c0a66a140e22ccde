"""Which column of a table holds the essay, its id, prompt and human scores: a guess for a person to check."""

import re
from dataclasses import dataclass

import polars as pl

from assay.io.tables.columns import guess_columns, text_column

LEAST_TEXT = 60
"""Letters on average from which a column is taken for essays when its name does not say so."""
_TEXT = re.compile(r"^(essay|text|full_text|response|answer|body|content|writing)(_?text)?$", re.IGNORECASE)
_PROMPT = re.compile(r"^(prompt|topic|task|question|assignment|essay_?set)(_?(name|id|title|text))?$", re.IGNORECASE)
_SCORE = re.compile(r"^(resolved|final|holistic|human)?_?score$|^grade$|^mark$|^points$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GuessedEssayColumns:
    """A guess at each role; empty where nothing fits."""

    text: str = ""
    id: str = ""
    prompt: str = ""
    score: str = ""
    second: str = ""


def guess_essay_columns(frame: pl.DataFrame) -> GuessedEssayColumns:
    """A guess from the first rows of a table.

    >>> rows = {"id": ["a", "b"], "essay": ["One text. " * 9, "Another. " * 9], "score": [3, 4], "prompt": ["x", "x"]}
    >>> guess_essay_columns(pl.DataFrame(rows))
    GuessedEssayColumns(text='essay', id='id', prompt='prompt', score='score', second='')
    """
    text = _text_of(frame)
    rest = frame.select([name for name in frame.columns if name != text])
    guessed = guess_columns(rest)
    prompt = next((name for name in rest.columns if _PROMPT.match(name)), "")
    own = next((name for name in rest.columns if _SCORE.match(name)), "")
    human = [name for name in guessed.human if name not in (own, prompt)]
    scores = [own] if own else human[:2]
    return GuessedEssayColumns(
        text=text,
        id=guessed.id or "",
        prompt=prompt,
        score=scores[0] if scores else "",
        second=scores[1] if len(scores) > 1 else "",
    )


def _text_of(frame: pl.DataFrame) -> str:
    """The column with the longest texts; among long ones, one whose name says so comes first."""
    if not frame.height:
        return next((name for name in frame.columns if _TEXT.match(name)), "")
    lengths = {}
    for name in frame.columns:
        if frame.schema[name].is_nested() or frame.schema[name].is_numeric() or frame.schema[name] == pl.Binary:
            continue
        mean = text_column(frame, name).str.len_chars().mean()
        lengths[name] = float(mean) if isinstance(mean, int | float) else 0.0
    named = [name for name, length in lengths.items() if _TEXT.match(name) and length >= LEAST_TEXT]
    longest = max(lengths, key=lambda name: lengths[name], default="")
    return named[0] if named else longest if lengths.get(longest, 0) >= LEAST_TEXT else ""
