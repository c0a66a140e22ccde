"""What a judge returns: its ratings as the long table that `panel` reads, what they took, what the probes showed."""

from dataclasses import dataclass, field
from json import dumps
from typing import TYPE_CHECKING, Any

from assay.evaluation.judging.answers import JudgeRatings, Usage
from assay.evaluation.judging.probe import NEUTRAL, ProbeFigures
from assay.evaluation.judging.rubric import JudgeRubric
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.result_json import plain
from assay.io.tables.output import csv_lines
from assay.provenance import Provenance
from assay.report.document.values import PERCENT
from assay.report.document.wording import counted, number_text
from assay.report.evaluation.judge_report import judge_report, usage_words
from assay.workflows.evaluation.results import FolderResult

if TYPE_CHECKING:
    import polars as pl

    from assay.report.document.document import Document

SCHEMA = "assay.judge/1"
RATINGS = "ratings.csv"
HEAD, JUDGE = ("item", "rater", "rater_kind", "criterion"), "judge"
"""`panel` knows by the kind who is a person and who is not; its guess of a length is `tokens`, hence `tokens_used`."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgeResult(FolderResult):
    """The ratings of a judge."""

    file = "judge.json"
    ratings: JudgeRatings
    rubric: JudgeRubric
    url: str
    model: str
    runs: int
    probes: tuple[ProbeFigures, ...]
    probe_items: int
    usage: Usage
    """Of all answers, those of the cache too: the same cache, the same figure."""
    sent: Usage = field(compare=False)
    """Of this run alone."""
    provenance: Provenance

    @property
    def cost(self) -> float | None:
        """Of all answers; None where no prices are known or the server did not count."""
        prices = self.rubric.prices
        if prices is None or self.usage.unstated:
            return None
        return prices.cost(self.usage.tokens_in, self.usage.tokens_out)

    def summary(self) -> list[tuple[str, str]]:
        """The judge, how many ratings it gave, what they took, and what moved it."""
        ratings = self.ratings
        given = sum(row.value is not None for row in ratings.rows)
        facts = [("Ratings", f"{given:,} of {len(ratings.rows):,}")]
        facts += [(f"No rating, {reason}", f"{count:,}") for reason, count in sorted(ratings.left_out.items())]
        facts += [("Asked again", counted(ratings.asked_again, "time"))] if ratings.asked_again else []
        facts += [("Tokens", usage_words(self.usage, self.rubric.prices))]
        if self.runs > 1:
            steady = {c.name: ratings.steady(c.name) for c in self.rubric.criteria}
            facts += [(f"Same in all runs, {n}", number_text(s.value, PERCENT)) for n, s in steady.items() if s.defined]
        worst = max(
            (p for p in self.probes if p.probe != NEUTRAL and p.share.defined), key=lambda p: p.share, default=None
        )
        if worst is not None:
            moved = f"{worst.title.lower()} moves {number_text(worst.share.value, PERCENT)} ({worst.criterion})"
            facts.append(("Most misleading probe", moved))
        return [(f"“{ratings.rater}”", f"on {counted(ratings.items, 'item')}"), *facts]

    def json(self) -> str:
        """judge.json."""
        ratings, prices = self.ratings, self.rubric.prices
        content = plain(
            {
                "schema": SCHEMA,
                "provenance": self.provenance,
                "rater": ratings.rater,
                "model": self.model,
                "url": self.url,
                "temperature": self.rubric.temperature,
                "runs": self.runs,
                "items": ratings.items,
                "ratings": len(ratings.rows),
                "left_out": dict(sorted(ratings.left_out.items())),
                "asked_again": ratings.asked_again,
                "usage": self.usage,
                "cost": None if prices is None else {"amount": self.cost, "currency": prices.currency},
                "criteria": [self._criterion(criterion.name) for criterion in self.rubric.criteria],
                "probe_items": self.probe_items,
                "probes": self.probes,
            }
        )
        return dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def _criterion(self, name: str) -> dict[str, Any]:
        criterion = next(c for c in self.rubric.criteria if c.name == name)
        given = self.ratings.values(name)
        counts = [{"value": value, "count": given[value]} for value in criterion.values]
        steady = {"same_in_all_runs": self.ratings.steady(name)} if self.runs > 1 else {}
        return {"name": name, "values": counts, **steady}

    def table(self) -> PlainTable:
        """The long table: item, rater, its kind, criterion, score or label, run, reason, tokens used, problem."""
        is_score = {criterion.name: criterion.is_score for criterion in self.rubric.criteria}
        kinds = [kind for kind, numeric in (("score", True), ("label", False)) if numeric in is_score.values()]
        rows = []
        for row in self.ratings.rows:
            kind = "score" if is_score[row.criterion] else "label"
            values = [row.value if kind == one else None for one in kinds]
            head = (row.item_id, self.ratings.rater, JUDGE, row.criterion)
            rows.append((*head, *values, row.run, row.reason or None, row.tokens, row.problem or None))
        return PlainTable((*HEAD, *kinds, "run", "reason", "tokens_used", "problem"), rows)

    def files(self) -> dict[str, bytes]:
        """ratings.csv."""
        table = self.table()
        return {RATINGS: "".join(csv_lines(table.columns, table.rows)).encode()}

    def to_polars(self) -> "pl.DataFrame":
        """The long table."""
        import polars as pl  # noqa: PLC0415 - heavy

        kinds = {"score": pl.Float64, "run": pl.Int64, "tokens_used": pl.Int64}
        table = self.table()
        schema = {name: kinds.get(name, pl.String) for name in table.columns}
        return pl.DataFrame(list(table.rows), schema=schema, orient="row")

    def document(self) -> "Document":
        """The report before it has a format."""
        return judge_report(
            self.ratings,
            self.rubric,
            url=self.url,
            model=self.model,
            runs=self.runs,
            probes=self.probes,
            probe_items=self.probe_items,
            usage=self.usage,
            provenance=self.provenance,
        )
