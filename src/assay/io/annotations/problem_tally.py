"""What went wrong in a file, one line per kind of trouble however often it occurs."""

from dataclasses import dataclass, field

from assay.annotations.shapes.annotation_set import FileProblem


@dataclass(slots=True)
class ProblemTally:
    """Counts by kind of trouble; the place of the first is kept as the example."""

    _found: dict[tuple[str, bool], tuple[str, int]] = field(default_factory=dict)

    def lost(self, what: str, where: str, count: int = 1) -> None:
        """Something that cannot be scored."""
        self._add(what, where, count, lost=True)

    def mended(self, what: str, where: str, count: int = 1) -> None:
        """Something that is scored, though not as it stands."""
        self._add(what, where, count, lost=False)

    def problems(self) -> tuple[FileProblem, ...]:
        """All of them, in order of first appearance."""
        return tuple(FileProblem(where, what, count, lost) for (what, lost), (where, count) in self._found.items())

    def _add(self, what: str, where: str, count: int, *, lost: bool) -> None:
        if count:
            first, so_far = self._found.get((what, lost), (where, 0))
            self._found[what, lost] = (first, so_far + count)
