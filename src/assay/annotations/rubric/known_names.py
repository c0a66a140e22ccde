"""`KnownNames`: the labels and attributes that an edit of the rules may speak of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names as the ground truth writes them."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]

    @classmethod
    def of(cls, rubric: Rubric, further_attributes: Iterable[str] = ()) -> "KnownNames":
        """The names in a rubric, and attributes of the ground truth that it does not score."""
        scored = (attribute.name for rule in rubric.labels for attribute in rule.attributes)
        key = () if rubric.match_key is None else (rubric.match_key,)
        return cls(tuple(rule.name for rule in rubric.labels), _each_once([*scored, *key, *further_attributes]))

    def label(self, name: str) -> str:
        """The label of this name as it is written; InputError with the nearest when there is none."""
        return named(name, self.labels, "label")

    def attribute(self, name: str) -> str:
        """The attribute of this name as it is written; InputError with the nearest when there is none."""
        return named(name, self.attributes, "attribute")


def named(name: str, names: Sequence[str], kind: str) -> str:
    """The one of `names` that differs only in case, spaces, hyphens or underscores.

    A near miss is not taken for the name: that would change grades on a guess. It is suggested.

    >>> named("annotation no", ("Annotation_No", "color"), "attribute")
    'Annotation_No'
    """
    spelling = normalised(name, separators_alike=True)
    same = [known for known in names if normalised(known, separators_alike=True) == spelling]
    if same:
        return name if name in same else same[0]
    spelled = {normalised(known, separators_alike=True): known for known in names}
    near = [repr(spelled[match]) for match in get_close_matches(spelling, spelled, n=2, cutoff=0.6)]
    listed = ", ".join(repr(known) for known in names[:8]) + (", ..." if len(names) > 8 else "")
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {listed}." if names else "There are none."
    raise InputError(f"There is no {kind} {name!r}", field=kind, remedy=hint)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    """The first spelling of each name."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(normalised(name), name)
    return tuple(first.values())
