"""Texts of our own for tests of the essay job, built without a parser: one tag and no tree."""

from collections.abc import Sequence

import numpy as np

from assay.essays.text.text import Text

TAGS = {".": ".", "?": ".", "!": ".", ",": ",", "i": "PRP", "we": "PRP", "should": "MD"}


def written(paragraphs: Sequence[Sequence[str]]) -> Text:
    """A text of paragraphs of sentences of blank-separated tokens; every token hangs on the first of its sentence."""
    raw = "\n".join(" ".join(sentences) for sentences in paragraphs)
    words: list[str] = []
    starts: list[int] = []
    heads: list[int] = []
    firsts: list[int] = []
    paragraph_of: list[int] = []
    place = 0
    for number, sentences in enumerate(paragraphs):
        for sentence in sentences:
            firsts.append(len(words))
            paragraph_of.append(number)
            for word in sentence.split():
                place = raw.index(word, place)
                heads.append(firsts[-1])
                starts.append(place)
                words.append(word)
                place += len(word)
    return Text(
        raw=raw,
        words=tuple(words),
        starts=np.array(starts, dtype=np.int32),
        ends=np.array([s + len(w) for s, w in zip(starts, words, strict=True)], dtype=np.int32),
        tags=tuple(TAGS.get(word.lower(), "NN") for word in words),
        deps=tuple("ROOT" if i in set(firsts) else "dep" for i in range(len(words))),
        heads=np.array(heads, dtype=np.int32),
        sentence_starts=np.array([*firsts, len(words)], dtype=np.int32),
        sentence_paragraph=np.array(paragraph_of, dtype=np.int32),
    )


UNIFORMS = (
    ("Every morning our hall is full of colours .", "I think our school should have uniforms ."),
    ("First of all , uniforms save money .", "My family paid less last year .", "A shirt costs ten dollars ."),
    ("Another reason is that uniforms save time .", "I dress in two minutes now ."),
    ("Also , nobody is laughed at for old shoes .", "My brother was , and he hated it ."),
    ("In conclusion , uniforms help everyone .", "They save money and time ."),
)
"""A five-paragraph essay: what it should be labelled is plain."""
