"""The edits that turn a sentence into its rewrite, by a least-cost alignment of their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

GAP = 1.0


@dataclass(frozen=True, slots=True)
class Edit:
    """Tokens first to before end of the source are replaced; first == end is an insertion before token first."""

    first: int
    end: int

    def touched(self, length: int) -> frozenset[int]:
        """The source tokens it concerns: those replaced, or the neighbours of what is inserted."""
        if self.first < self.end:
            return frozenset(range(self.first, self.end))
        return frozenset(i for i in (self.first - 1, self.first) if 0 <= i < length)


def substitution(a: str, b: str) -> float:
    """The cost of writing b for a: nothing, a change of case, a like word, another word, a word for a stop."""
    if a == b:
        return 0.0
    low, high = a.lower(), b.lower()
    if low == high:
        return 0.1
    if low[:1].isalnum() != high[:1].isalnum():
        return 2.5
    same = len(set(low) & set(high)) / max(len(set(low)), len(set(high)))
    return 0.8 if low[:3] == high[:3] or same >= 0.6 else 1.5


def edits(source: Sequence[str], rewrite: Sequence[str]) -> list[Edit]:
    """Runs of tokens that differ, in order; neighbouring changes are one edit.

    >>> edits("he go home .".split(), "he goes to his home .".split())
    [Edit(first=1, end=2)]
    >>> edits("However he left .".split(), "However , he left .".split())
    [Edit(first=1, end=1)]
    """
    table = costs(source, rewrite)
    i, j = len(source), len(rewrite)
    changed: list[tuple[int, int]] = []
    while i or j:
        if i and j and table[i][j] == table[i - 1][j - 1] + substitution(source[i - 1], rewrite[j - 1]):
            i, j = i - 1, j - 1
            if source[i] != rewrite[j]:
                changed.append((i, i + 1))
        elif i and table[i][j] == table[i - 1][j] + GAP:
            i -= 1
            changed.append((i, i + 1))
        else:
            j -= 1
            changed.append((i, i))
    return joined(sorted(changed))


def costs(source: Sequence[str], rewrite: Sequence[str]) -> list[list[float]]:
    """Least cost of turning every beginning of the source into every beginning of the rewrite."""
    table = [[j * GAP for j in range(len(rewrite) + 1)]]
    for i, a in enumerate(source, start=1):
        row = [i * GAP]
        for j, b in enumerate(rewrite, start=1):
            row.append(min(table[-1][j - 1] + substitution(a, b), table[-1][j] + GAP, row[-1] + GAP))
        table.append(row)
    return table


def joined(changed: Sequence[tuple[int, int]]) -> list[Edit]:
    runs: list[Edit] = []
    for first, end in changed:
        if runs and first <= runs[-1].end:
            runs[-1] = Edit(runs[-1].first, max(end, runs[-1].end))
        else:
            runs.append(Edit(first, end))
    return runs
