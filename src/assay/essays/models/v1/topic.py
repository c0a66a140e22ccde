"""The two topical features of e-rater v.1.3: the words of the essay, and those of each of its arguments.

Burstein et al. (1998): *EssayContent* is the score point whose training essays use the words most like those of the
essay; *ArgContent* takes that score point for each argument by itself and adjusts the mean for their number:

    ArgContent = (sum of the arguments' score points + n) / (n + 1), n the number of arguments
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.content import ContentModel
from assay.essays.models.erater.prompt_vocabulary import INNER_FOLDS, PAPER_VOCABULARY, content_vectors, dealt_folds

Floats = NDArray[np.float64]
Words = Mapping[str, int]

TOPICAL = ("essay_content", "argument_content")


def topical_of(arguments: Sequence[Sequence[Words]], model: ContentModel) -> Floats:
    """(essays, 2): EssayContent and ArgContent of essays that are not among the training essays."""
    found = [(_essay_content(own, model), _argument_content(own, model)) for own in arguments]
    return np.array(found, dtype=np.float64).reshape(len(arguments), 2)


def topical_out_of_fold(arguments: Sequence[Sequence[Words]], scores: Floats, *, folds: int = INNER_FOLDS) -> Floats:
    """(essays, 2): the same for training essays, each compared with those of the other folds only."""
    found = np.full((len(arguments), 2), np.nan)
    fold = dealt_folds(scores, folds)
    for number in range(min(folds, len(arguments))):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        model = content_of([arguments[row] for row in outside.tolist()], scores[outside])
        found[inside] = topical_of([arguments[row] for row in inside.tolist()], model)
    return found


def content_of(arguments: Sequence[Sequence[Words]], scores: Floats) -> ContentModel:
    """The content vectors of one prompt by score point, from the words of its training essays."""
    return content_vectors([_whole(own) for own in arguments], scores, PAPER_VOCABULARY)


def _whole(arguments: Sequence[Words]) -> dict[str, int]:
    """The words of all arguments together.

    >>> _whole([{"dog": 1}, {"dog": 2, "cat": 1}])
    {'dog': 3, 'cat': 1}
    """
    words: dict[str, int] = {}
    for argument in arguments:
        for word, count in argument.items():
            words[word] = words.get(word, 0) + count
    return words


def _essay_content(arguments: Sequence[Words], model: ContentModel) -> float:
    return model.similarity(_whole(arguments)).max_cos()


def _argument_content(arguments: Sequence[Words], model: ContentModel) -> float:
    points = [model.similarity(argument).max_cos() for argument in arguments]
    known = [point for point in points if not np.isnan(point)]
    return (sum(known) + len(known)) / (len(known) + 1) if known else float("nan")
