"""All figures of one evaluation from scores in memory: ours and RSMTool's, timed, and held against each other.

Six forms of the score, human-human on a fifth of the responses, ten groups, true score and fairness. Ours gives a
95 % interval for every figure, and rank correlations, alpha, ICC and AC besides: its time includes them. Neither side
counts imports.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation, PairFigures
from assay.evaluation.score_variants import Scaling
from assay.scale import ScoreScale
from benchmarks.measure import Cost, cheapest
from benchmarks.peers import RSMTOOL, peer_program
from benchmarks.responses import GROUPS, HIGHEST, LOWEST, score_table, training_table

PEER_SCRIPT = Path(__file__).with_name("peer_rsmtool.py")
PART_ROWS = 100_000
TOLERANCE = 1e-9

Figures = dict[str, float]

OUR_NAMES = {
    "corr": "r",
    "wtkappa": "qwk",
    "R2": "r2",
    "kappa": "kappa",
    "exact_agr": "exact_agreement",
    "adj_agr": "adjacent_agreement",
    "SMD": "smd",
    "RMSE": "rmse",
    "DSM": "dsm",
}
"""RSMTool's column -> our metric."""


@dataclass(frozen=True, slots=True)
class MetricWork:
    """What both tools need for the same table; RSMTool's is None when it was not asked."""

    rows: int
    ours: Cost
    rsmtool: Cost | None = None
    figures: int = 0
    """How many figures were compared."""
    apart: float = 0.0
    """The largest difference between two of them."""


def metric_work(rows: int, *, times: int, peer_times: int) -> MetricWork:
    """Both tools on the same scores; `peer_times` 0 leaves RSMTool out."""
    scores, scaling = score_table(rows), scaling_of(rows)
    evaluation, ours = cheapest(lambda: evaluated(scores, scaling), times)
    if not peer_times:
        return MetricWork(rows, ours)
    theirs, rsmtool = _rsmtool(scores, scaling, peer_times)
    apart = [abs(a - b) for a, b in pairs_of_figures(evaluation, theirs)]
    # a NaN on either side must not pass for agreement
    return MetricWork(rows, ours, rsmtool, len(apart), float(np.max(apart)))


def scaling_of(rows: int) -> Scaling:
    training = training_table(rows)
    return Scaling.learned(training["h1"].to_numpy().astype(np.float64), training["system"].to_numpy())


def evaluated(scores: pl.DataFrame, scaling: Scaling) -> Evaluation:
    """Everything ours has to say, from columns in memory, in parts as the command takes them."""
    human = scores.select(pl.col("h1", "h2").cast(pl.Float64)).to_numpy()
    system = scores["system"].to_numpy()
    codes = scores["language"].cast(pl.Enum(GROUPS)).to_physical().to_numpy().astype(np.int64)
    parts = (
        Ratings(
            human[first : first + PART_ROWS],
            system[first : first + PART_ROWS],
            (GroupColumn("language", GROUPS, codes[first : first + PART_ROWS]),),
            first_row=first,
        )
        for first in range(0, scores.height, PART_ROWS)
    )
    return evaluate_engine(parts, Plan(ScoreScale(LOWEST, HIGHEST), scaling=scaling))


def _rsmtool(scores: pl.DataFrame, scaling: Scaling, times: int) -> tuple[dict[str, Any], Cost]:
    """RSMTool's figures by table, row and column, and the least they cost."""
    python = peer_program(RSMTOOL, "python")
    moments = [scaling.system_mean, scaling.system_sd, scaling.human_mean, scaling.human_sd]
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        table, settings = Path(folder, "scores.csv"), Path(folder, "settings.json")
        scores.write_csv(table)
        settings.write_text(json.dumps({"scaling": moments, "lowest": LOWEST, "highest": HIGHEST}), encoding="utf-8")
        command: list[str | Path] = [python, PEER_SCRIPT, table, settings, str(times)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    answer = json.loads(said)
    runs = [Cost(run["wall"], run["cpu"]) for run in answer["runs"]]
    return answer["figures"], Cost(min(run.wall for run in runs), min(run.cpu for run in runs))


def pairs_of_figures(ours: Evaluation, theirs: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """Our figure beside theirs, for each that both tools print."""
    for form, row in theirs["eval"].items():
        yield from _pairs(ours.variants[form], row)
        yield ours.true_score[form].prmse.value, theirs["true_score_eval"][form]["PRMSE true"]
        corrected = theirs["disattenuated_correlations"][form]["corr_disattenuated"]
        yield ours.disattenuated[form].corrected.value, corrected
    assert ours.consistency is not None  # a fifth of the responses was read twice
    yield from _pairs(ours.consistency, next(iter(theirs["consistency"].values())))
    grouping = ours.groupings[0]
    for group in grouping.groups:
        row = theirs["eval_by_language"][group.name]
        for form, figures in group.system.items():
            ending = f".{form}"
            yield from _pairs(figures, {c.removesuffix(ending): v for c, v in row.items() if c.endswith(ending)})
    for name, words in (
        ("overall_accuracy", "Overall score accuracy"),
        ("overall_difference", "Overall score difference"),
        ("conditional_difference", "Conditional score difference"),
    ):
        model = getattr(grouping.fairness, name)
        yield model.r2, theirs["fairness"]["R2"][words]
        yield model.p, theirs["fairness"]["sig"][words]


def _pairs(ours: PairFigures, theirs: dict[str, float]) -> Iterator[tuple[float, float]]:
    for column, value in theirs.items():
        if column in OUR_NAMES:
            yield ours.metrics[OUR_NAMES[column]].value, value
