"""Pass 1 of matching: annotations that bear the same key on the same image are the same object."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.text_similarity import as_text
from assay.annotations.shapes.attributes import EMPTY, AttributeColumn

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class KeyPairs:
    """Pairs by key, and the annotations whose key is not unique on their image and so pairs nothing."""

    truth: Places
    student: Places
    truth_twice: Places
    student_twice: Places


def pair_by_key(
    keys: tuple[AttributeColumn, AttributeColumn],
    images: tuple[NDArray[np.intp], NDArray[np.intp]],
    families: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    counted: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> KeyPairs:
    """Pairs whose keys are equal after trimming, filled, and unique on their image on both sides.

    Each argument holds the ground truth's column and the submission's; images are numbered alike on both sides.
    A box and a polygon with one key are no pair: the families must be equal.
    """
    numbers: dict[str, int] = {}
    codes = [_key_codes(key, numbers) for key in keys]
    uses: list[tuple[Places, NDArray[np.int64]]] = []
    twice: list[Places] = []
    for side in (0, 1):
        filled = np.flatnonzero((codes[side] != EMPTY) & counted[side])
        use = images[side][filled].astype(np.int64) * max(len(numbers), 1) + codes[side][filled]
        _, number, count = np.unique(use, return_inverse=True, return_counts=True)
        once = count[number] == 1
        uses.append((filled[once], use[once]))
        twice.append(filled[~once])
    _, of_truth, of_student = np.intersect1d(uses[0][1], uses[1][1], assume_unique=True, return_indices=True)
    truth, student = uses[0][0][of_truth], uses[1][0][of_student]
    same = families[0][truth] == families[1][student]
    return KeyPairs(truth[same], student[same], twice[0], twice[1])


def _key_codes(column: AttributeColumn, numbers: dict[str, int]) -> NDArray[np.int64]:
    own = [numbers.setdefault(as_text(value).strip(), len(numbers)) for value in column.values]
    table = np.array([*own, EMPTY], dtype=np.int64)  # code -1 reads the last
    return table[column.codes]
