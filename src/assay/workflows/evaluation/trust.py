"""FRONT DOOR `trust`: a table with the scores of an engine, and of people where they reviewed it."""

from dataclasses import dataclass
from itertools import compress
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import Field, InputError
from assay.evaluation.ratings import NO_INFO
from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.judgement import NEXT, Trust, judge
from assay.evaluation.trust.review_order import Waiting
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import plain
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import Scores
from assay.provenance import Provenance
from assay.report.document.metric_words import shown, words
from assay.report.evaluation.trust_report import (
    RESPONSES,
    drift_words,
    precision_words,
    trust_report,
    verdict_words,
    why_words,
)
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.evaluation.results import HEADLINES, FolderResult
from assay.workflows.evaluation.score_tables import Names, digests_of, names_of, open_scores, provenance_of, scale_of
from assay.workflows.inputs import TableLike, table_of

if TYPE_CHECKING:
    import polars as pl

    from assay.report.document.document import Document

SCHEMA = "assay.trust/1"
MOST_ROWS = 200_000
"""So many rows are looked at while a page waits; the report has all of them."""
CAUTION = (
    "These figures hold for responses like those that have a human score. Which responses people read is not known "
    "here: if they were not drawn at random, the engine may do better or worse on the rest."
)


def trust(
    reviews: TableLike,
    *,
    human: str,
    system: str,
    id: str | None = None,
    second_human: Names = (),
    groups: Names = (),
    scale: ScoreScale | str | None = None,
    keep_zeros: bool | None = None,
    figure: str = "qwk",
    within: float | None = None,
    most: int = NEXT,
    observer: Observer = SILENT,
    source: str = "",
    command: str = "",
    provenance: Provenance | None = None,
) -> "TrustResult":
    """Say how far an engine can be trusted, how many more reviews are needed, and what to review next.

    Parameters
    ----------
    reviews
        A table with a row per response, in the order people reviewed them: a path, a frame of pandas, Polars or
        pyarrow, or columns by name. The human score is empty where nobody has reviewed yet.
    human, system, id, second_human, groups, scale, keep_zeros
        As for `evaluate`.
    figure, within
        The figure that should be known more closely, such as `"qwk"` or `"exact_agreement"`, and how closely: half
        the length of its interval. By default 0.05, and what is usual for figures in other units.
    most
        How many responses to suggest for review.
    observer, source, command, provenance
        As for `evaluate`.

    Returns
    -------
    TrustResult

    Examples
    --------
    >>> table = {"teacher": [1, 2, 3, 4, 3, 2, 4, 1, None], "engine": [1, 2, 4, 4, 3, 3, 4, 2, 3]}
    >>> result = trust(table, human="teacher", system="engine", scale="1-4", within=0.1)
    >>> result.trust.precision.more > 0, [response.name for response in result.trust.next]
    (True, ['9'])
    """
    check_arguments(trust, locals())
    if figure not in PAIR_METRICS:
        known = ", ".join(PAIR_METRICS)
        raise InputError(f"there is no figure {figure!r}", field="figure", remedy=f"Figures are: {known}.")
    if within is not None and not 0 < within < float("inf"):
        raise InputError((Field("within"), f" is a number above 0, got {within:g}"), field="within")
    columns = ScoreColumns((human, *names_of(second_human)), (system,), id=id, groups=names_of(groups))
    with observer.stage("read"):
        table = open_scores(table_of(reviews, "reviews"), columns)
        evidence = _evidence(table, system, scale=scale, keep_zeros=keep_zeros)
    observer.check()
    with observer.stage("figured"):
        half_width = None if within is None else float(within)
        judged = judge(evidence, only_sample=False, figure=figure, within=half_width, most=most)
    observer.check()
    return TrustResult(
        trust=judged,
        engine=system,
        provenance=provenance or provenance_of(digests_of(table), 0, command),
        source=source or table.source.name,
    )


@dataclass(frozen=True, eq=False, repr=False)
class TrustResult(FolderResult):
    """How far an engine can be trusted."""

    file = "trust.json"
    trust: Trust
    engine: str
    provenance: Provenance
    source: str

    @property
    def figures(self) -> dict[str, Estimate]:
        """Every headline figure by name; none while there are too few reviews."""
        return self.trust.evaluation.figures() if self.trust.evaluation else {}

    @property
    def verdict(self) -> str:
        """The judgement in words."""
        return " ".join(part for part in verdict_words(self.trust, RESPONSES) if part)

    def summary(self) -> list[tuple[str, str]]:
        """The engine, how much was reviewed, the headline figures, what more reviews bring, and drift."""
        reviewed, waiting = len(self.trust.pairs), len(self.trust.evidence.names)
        facts = [(HEADLINES[name], words(shown(name, self.figures[name]))) for name in ("qwk", "smd") if self.figures]
        facts += [("Reviews", precision_words(self.trust.precision, RESPONSES)), ("Drift", drift_words(self.trust))]
        facts += [("Next", ", ".join(response.name for response in self.trust.next) or "nothing waits")]
        return [(f"“{self.engine}”", f"{reviewed} reviewed, {waiting} waiting"), *facts]

    def json(self) -> str:
        """trust.json."""
        precision = self.trust.precision
        content = plain(
            {
                "schema": SCHEMA,
                "provenance": self.provenance,
                "engine": self.engine,
                "reviewed": len(self.trust.pairs),
                "waiting": len(self.trust.evidence.names),
                "verdict": self.verdict,
                "figures": self.figures,
                "precision": {
                    "figure": precision.figure,
                    "half_width": precision.now,
                    "within": precision.within,
                    "needed": precision.needed,
                    "more": precision.more,
                },
                "drift": self.trust.drift,
                "periods": self.trust.periods,
                "next": [self._next(one) for one in self.trust.next],
            }
        )
        return dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def _next(self, one: Any) -> dict[str, Any]:
        return {"name": one.name, "why": why_words(one, RESPONSES), "reason": one.pick.why, "system": one.system}

    def to_polars(self) -> "pl.DataFrame":
        """A row per response to review next: name, why, reason, system score."""
        import polars as pl  # noqa: PLC0415 - heavy

        schema = {"name": pl.String, "why": pl.String, "reason": pl.String, "system": pl.Float64}
        return pl.DataFrame([self._next(one) for one in self.trust.next], schema=schema)

    def document(self) -> "Document":
        """The report before it has a format."""
        return trust_report(self.trust, engine=self.engine, source=self.source, when=self.provenance.created)


def evidence_of_table(
    path: Path, columns: ScoreColumns, engine: str, *, scale: str | None, most_rows: int | None = None
) -> ReviewEvidence:
    """Every response of a table, or of its first rows, with the scores of people and of one of its engines."""
    return _evidence(RatingsTable(path, columns, check_ids=False), engine, scale=scale, most_rows=most_rows)


def _evidence(
    table: RatingsTable,
    engine: str,
    *,
    scale: ScoreScale | str | None,
    keep_zeros: bool | None = None,
    most_rows: int | None = None,
) -> ReviewEvidence:
    known_scale, leave_out_zeros = scale_of(table, scale, keep_zeros)
    names: list[str] = []
    scores: list[tuple[Scores, Scores]] = []
    groups: dict[str, list[str | None]] = {}
    for part, ids in zip(table.parts(engine, scale=None, zeros_count=True), table.response_ids(), strict=True):
        room = len(part) if most_rows is None else most_rows - len(names)
        if room <= 0:
            break
        names += [str(one) for one in ids.head(room).to_list()]
        scores.append((part.human[:room], part.system[:room]))
        for column in part.groups:
            levels = [None if level == NO_INFO else level for level in column.levels]
            groups.setdefault(column.name, []).extend(levels[code] for code in column.codes[:room].tolist())
    human, system = (np.concatenate(parts) for parts in zip(*scores, strict=True))
    if leave_out_zeros:
        human = np.where(human == 0, np.nan, human)
    judged, waits = np.isfinite(human).any(axis=1) & np.isfinite(system), np.isnan(human).all(axis=1)
    waiting = system[waits]
    cut = f" The first {most_rows:,} rows are looked at here; the report has all." if len(names) == most_rows else ""
    return ReviewEvidence(
        scale=known_scale,
        pairs=Pairs(
            names=tuple(compress(names, judged)),
            readings=human[judged],
            system=system[judged],
            when=(None,) * int(judged.sum()),
            confirmed=0,
            groups={name: tuple(compress(values, judged)) for name, values in groups.items()},
            drawn=(False,) * int(judged.sum()),
        ),
        names=tuple(compress(names, waits)),
        links=("",) * waiting.size,
        waiting=Waiting(waiting, waiting, np.full(waiting.size, np.nan), np.zeros(waiting.size, dtype=np.bool_)),
        waiting_groups={name: tuple(compress(values, waits)) for name, values in groups.items()},
        sample=None,
        caution=CAUTION + cut,
    )
