"""The ids of COCO's annotations, which are numbers as a rule and text for us."""

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from assay.io.annotations.coco.document import Annotation, Id
from assay.io.annotations.coco.images import id_text
from assay.io.annotations.problem_tally import ProblemTally


class NumberIds(Sequence[str]):
    """Numbers that are read as text: few are ever asked for, so the text is made then."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        found = self._numbers[index]
        return NumberIds(found) if isinstance(found, np.ndarray) else str(found)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._numbers.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def ids_of(annotations: Sequence[Annotation], kept: NDArray[np.int64], tally: ProblemTally) -> Sequence[str]:
    """The ids of the annotations that are kept; an annotation without one goes by its position, from 1."""
    stated = [a.id for a in annotations]
    numbers = _numbers(stated)
    if numbers is not None and are_distinct(numbers):
        return NumberIds(numbers[kept])
    ids = [str(i) if name is None else id_text(name) for i, name in enumerate(stated, start=1)]
    if repeated := len(ids) - len(set(ids)):
        seen: set[str] = set()
        first = next(name for name in ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        tally.mended("an annotation's id is not its own: others have it too", f"annotation {first}", repeated)
    return tuple(ids[i] for i in kept.tolist())


def are_distinct(numbers: NDArray[np.int64]) -> bool:
    """Whether no number occurs twice."""
    rising = bool((numbers[1:] > numbers[:-1]).all())  # as a rule, and quicker than a sort
    return rising or bool(np.diff(np.sort(numbers)).all())


def _numbers(stated: Sequence[Id | None]) -> NDArray[np.int64] | None:
    """The ids as numbers, positions when none is stated; None when some are other than whole numbers in range."""
    types = set(map(type, stated))
    if types == {type(None)}:
        return np.arange(1, len(stated) + 1)
    if types != {int}:
        return None
    try:
        return np.array(stated, np.int64)
    except OverflowError:
        return None
