"""`EssayFeatures`: what was measured in many essays, as one matrix, with their content words and human scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.measure import Measured
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.digits import rounded
from assay.essays.models.erater.prompt_vocabulary import essay_vocabulary
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay

Floats = NDArray[np.float64]


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
    ) -> "EssayFeatures":
        """The table of essays whose features are given by name."""
        rows = list(measured)
        columns = tuple(names if names is not None else (rows[0] if rows else ()))
        values = np.array([[row[name] for name in columns] for row in rows], dtype=np.float64)
        return cls(
            essay_ids=tuple(essay.essay_id for essay in essays),
            prompts=tuple(essay.prompt for essay in essays),
            names=columns,
            values=values.reshape(len(rows), len(columns)),
            contents=tuple(essay_vocabulary(essay.text) for essay in essays),
            human=human or HumanScores(np.full(len(rows), np.nan)),
            programs=tuple(programs),
            advisories=tuple(advisories),
        )

    @classmethod
    def of_measured(
        cls, essays: Sequence[Essay], measured: Sequence[Measured], human: HumanScores | None = None
    ) -> "EssayFeatures":
        """The table of essays as `measure_essays` measured them, with their advisories."""
        doubts = [found.advisories for found in measured]
        return cls.of(essays, [found.values for found in measured], human, advisories=doubts)

    def __len__(self) -> int:
        return len(self.essay_ids)

    def column(self, name: str) -> Floats:
        """The values of one feature."""
        if name not in self.position:
            raise InputError(
                f"no feature {name!r} was measured", field="features", remedy=f"There are: {', '.join(self.names)}."
            )
        return self.values[:, self.position[name]]

    def columns(self, names: Sequence[str]) -> Floats:
        """(essays, names): the values of some features."""
        return np.stack([self.column(name) for name in names], axis=1) if names else np.empty((len(self), 0))

    def at(self, rows: NDArray[np.integer]) -> "EssayFeatures":
        """Some essays of the table, in the order of `rows`."""
        picked = rows.tolist()
        return EssayFeatures(
            essay_ids=tuple(self.essay_ids[row] for row in picked),
            prompts=tuple(self.prompts[row] for row in picked),
            names=self.names,
            values=self.values[rows],
            contents=tuple(self.contents[row] for row in picked),
            human=self.human.at(rows),
            programs=tuple(self.programs[row] for row in picked) if self.programs else (),
            advisories=tuple(self.advisories[row] for row in picked) if self.advisories else (),
            arguments=tuple(self.arguments[row] for row in picked) if self.arguments else (),
        )
