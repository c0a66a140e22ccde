"""`EssayFeatures`: what was measured in many essays, as one matrix, with their content words and human scores.

A model sees a feature as measured, or in a shape: bent so that equal steps mean equal gains in score.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.arrays import Floats, rounded
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES, essay_vocabulary
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay

SHAPES: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {
        "as_measured": lambda values, _words: values,
        # essay length: the tenth hundred of words adds less than the second
        "fourth_root": lambda values, _words: np.power(values, 0.25),
        # length of discourse elements; at least one word each
        "log": lambda values, _words: np.log(np.maximum(values, 1.0)),
        # error rates: half an error more, so that the first errors weigh most and none is not minus infinity
        "log_rate": lambda values, words: np.log(values + 0.5 / np.maximum(words, 1.0)),
    }
)
"""Values and the number of words of each essay -> what a model takes; the paper takes features as measured."""

SHAPE_OF: Mapping[str, str] = MappingProxyType(
    {"length": "fourth_root", "element_length": "log"}
    | dict.fromkeys(("grammar", "usage", "mechanics", "style"), "log_rate")
)
"""The shape of each feature unless the paper's own is asked for; as measured for the rest."""


@dataclass(frozen=True, eq=False, slots=True)
class EssayFeatures:
    """A row per essay; every column has one entry for each."""

    essay_ids: tuple[str, ...]
    prompts: tuple[str, ...]
    names: tuple[str, ...]
    """The features, by the names of `FEATURES`; models of other features bring names of their own."""
    values: Floats
    """(essays, features): as measured, to six digits; NaN where undefined. The two of prompt-specific vocabulary depend
    on the training essays: they are NaN here, and the model fills them in."""
    contents: tuple[Mapping[str, int], ...]
    """The words and pairs of words of each essay with their counts, by `essay_vocabulary`."""
    human: HumanScores
    programs: tuple[str, ...] = ()
    """The grade or test of each essay; empty where there is one program."""
    advisories: tuple[tuple[Advisory, ...], ...] = ()
    """Reasons for doubt of each essay; empty where nobody asked."""
    arguments: tuple[tuple[Mapping[str, int], ...], ...] = ()
    """The content words of each argument of each essay; empty unless v.1.3 asks for them."""
    position: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n = len(self.essay_ids)
        lengths = {len(self.prompts), len(self.values), len(self.contents), len(self.human)}
        lengths |= {len(column) for column in (self.programs, self.advisories, self.arguments) if column}
        if lengths != {n} or self.values.shape != (n, len(self.names)):
            raise InputError(f"every column of a feature table needs an entry for each of its {n} essays")
        object.__setattr__(self, "values", rounded(self.values))
        object.__setattr__(self, "position", {name: i for i, name in enumerate(self.names)})
        self.values.flags.writeable = False

    @classmethod
    def of(
        cls,
        essays: Sequence[Essay],
        measured: Iterable[Mapping[str, float]],
        human: HumanScores | None = None,
        *,
        programs: Sequence[str] = (),
        advisories: Sequence[tuple[Advisory, ...]] = (),
        names: Sequence[str] | None = None,
        with_contents: bool = True,
    ) -> "EssayFeatures":
        """The table of essays whose features are given by name; without contents where no prompt is compared."""
        rows = list(measured)
        columns = tuple(names if names is not None else (rows[0] if rows else ()))
        values = np.array([[row[name] for name in columns] for row in rows], dtype=np.float64)
        return cls(
            essay_ids=tuple(essay.essay_id for essay in essays),
            prompts=tuple(essay.prompt for essay in essays),
            names=columns,
            values=values.reshape(len(rows), len(columns)),
            contents=tuple(essay_vocabulary(essay.text) if with_contents else {} for essay in essays),
            human=human or HumanScores(np.full(len(rows), np.nan)),
            programs=tuple(programs),
            advisories=tuple(advisories),
        )

    def __len__(self) -> int:
        return len(self.essay_ids)

    def column(self, name: str) -> Floats:
        """The values of one feature."""
        return self.columns([name])[:, 0]

    def columns(self, names: Sequence[str], vocabulary: Floats | None = None) -> Floats:
        """(essays, names): the values of some features; `vocabulary` replaces the two prompt-specific ones."""
        unknown = [name for name in names if name not in self.position]
        if unknown:
            remedy = f"There are: {', '.join(self.names)}."
            raise InputError(f"no feature {unknown[0]!r} was measured", field="features", remedy=remedy)
        values = self.values[:, [self.position[name] for name in names]]
        for place, name in enumerate(names):
            if vocabulary is not None and name in VOCABULARY_FEATURES:
                values[:, place] = vocabulary[:, VOCABULARY_FEATURES.index(name)]
        return values

    def at(self, rows: NDArray[np.integer]) -> "EssayFeatures":
        """Some essays of the table, in the order of `rows`."""
        per_essay = ("essay_ids", "prompts", "contents", "programs", "advisories", "arguments")
        own: dict[str, Any] = {
            name: tuple(column[row] for row in rows.tolist()) for name in per_essay if (column := getattr(self, name))
        }
        return replace(self, values=self.values[rows], human=self.human.at(rows), **own)


def model_values(
    table: EssayFeatures, names: Sequence[str], shapes: Sequence[str], vocabulary: Floats | None = None
) -> Floats:
    """(essays, names): features in the shape a model takes them; `vocabulary` replaces the two prompt-specific ones."""
    words = table.values[:, table.position["length"]] if "length" in table.position else np.full(len(table), np.nan)
    values = table.columns(names, vocabulary)
    return np.stack([SHAPES[shape](values[:, place], words) for place, shape in enumerate(shapes)], axis=1)
