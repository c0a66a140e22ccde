"""Figures about panels of raters beside the packages people use, on the same random tables with gaps and ties.

    python -m benchmarks panel

The peers compute theirs in an environment of their own (peer_panel.py); every figure is held against ours.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.evaluation.panels.calibration import fit_isotonic
from assay.evaluation.panels.consensus import dawid_skene, one_coin
from assay.evaluation.panels.cumulative_logit import fit_cumulative_logit
from assay.evaluation.panels.design import LongRatings
from assay.evaluation.panels.differential import mantel_haenszel
from assay.evaluation.panels.generalizability import variance_components
from assay.evaluation.panels.prediction_powered import prediction_powered_mean
from assay.evaluation.panels.preferences import bradley_terry
from assay.evaluation.panels.rasch import fit_rasch
from assay.metrics.agreement import exact_agreement
from assay.metrics.kappa import cohen_kappa
from assay.metrics.reliability import (
    gwet_ac1,
    krippendorff_alpha_interval,
    krippendorff_alpha_nominal,
    krippendorff_alpha_ordinal,
)
from benchmarks.measure import cheapest_command
from benchmarks.page import Effort, Page
from benchmarks.peers import Peer, peer_program

PEERS = Peer(
    "panel",
    (
        "choix==0.4.1",
        "crowd-kit==1.4.2",
        "ppi-python==0.2.3",
        "krippendorff==0.9.0",
        "irrCAC==0.4.4",
        "judgekeeper==0.1.3",
        "statsmodels==0.15.0",
        "scikit-learn",
    ),
    "ASSAY_PEER_PANEL",
)
HERE = Path(__file__).resolve().parent
TABLES = {Effort.TINY: 2, Effort.QUICK: 10, Effort.WHOLE: 40}
Z = 1.959963984540054

Values = list[list[float]]


def random_tables(count: int, seed: int = 14) -> dict[str, Any]:
    """Tables that every peer can read: levels and labels with gaps, wins, scores of people and judges, strata."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, (count, 60, 1))
    scores = quality + rng.normal(0, 0.5, (count, 1, 6)) + rng.normal(0, 0.7, (count, 60, 6))
    gaps = rng.random(scores.shape) < 0.25
    gaps[:, :, :2] &= ~gaps[:, :, 1:3]  # nobody is left without a rating
    few = min(count, 3)  # crowd-kit takes seconds for each
    truth = rng.integers(3, size=(few, 80, 1))
    labels = np.where(rng.random((few, 80, 6)) < 0.75, truth, rng.integers(3, size=(few, 80, 6)))
    blank = rng.random(labels.shape) < 0.2
    blank[:, :, 0] = False
    human = np.clip(np.rint(rng.normal(2.5, 1, (count, 80))), 1, 4)
    judge = np.round(human + rng.normal(0.3, 0.8, human.shape), 1)
    first = rng.integers(5, size=(count, 150))
    return {
        "levels": np.where(gaps, np.nan, np.clip(np.rint(2.5 + scores), 1, 4)),
        "scores": np.where(gaps, np.nan, scores),
        "labels": np.where(blank, np.nan, labels),
        "wins": np.stack([first, (first + rng.integers(1, 5, size=first.shape)) % 5], axis=-1),
        "human": human,
        "judge": judge,
        "others": np.round(rng.normal(2.8, 1.2, (count, 400)), 1),
        "weights": rng.uniform(0.5, 2, human.shape),
        "strata": rng.integers(1, 20, size=(count, 4, 2, 2)),
    }


def _posteriors(model: Callable[..., Any]) -> Callable[[dict[str, Any]], Values]:
    return lambda tables: [model(table).posterior.ravel().tolist() for table in tables["labels"]]


def _alphas(tables: dict[str, Any]) -> Values:
    alphas = (krippendorff_alpha_nominal, krippendorff_alpha_ordinal, krippendorff_alpha_interval)
    return [[float(alpha(table)) for alpha in alphas] for table in tables["levels"]]


def _strengths(tables: dict[str, Any]) -> Values:
    fits = [bradley_terry(w[:, 0], w[:, 1], np.ones(len(w)), position=False) for w in tables["wins"]]
    return [fit.strength.tolist() for fit in fits]


def _means(tables: dict[str, Any]) -> Values:
    rows = []
    for human, judge, others in zip(tables["human"], tables["judge"], tables["others"], strict=True):
        means = [prediction_powered_mean(human, judge, others, power=power).mean for power in (None, 1, 0)]
        rows.append([end for mean in means for end in (mean.low, mean.high)])
    return rows


def _logits(tables: dict[str, Any]) -> Values:
    pairs = zip(tables["human"], tables["judge"], strict=True)
    fits = [fit_cumulative_logit(human, judge) for human, judge in pairs]
    return [[float(fit.slopes[0]), fit.log_likelihood] for fit in fits]


def _odds(tables: dict[str, Any]) -> Values:
    rows = []
    level, group, failed = np.indices((4, 2, 2)).reshape(3, -1)
    for strata in tables["strata"]:
        count = strata.ravel()
        passed, focal, matching = (np.repeat(codes, count) for codes in (1 - failed, group, level))
        fit = mantel_haenszel(passed, focal, matching)
        error = np.log(fit.odds_ratio.high / fit.odds_ratio.low) / (2 * Z)
        rows.append([fit.odds_ratio.value, float(error), fit.chi_square])
    return rows


def _isotonic(tables: dict[str, Any]) -> Values:
    rows = zip(tables["human"], tables["judge"], tables["weights"], strict=True)
    return [fit_isotonic(judge, human, weights)(judge).tolist() for human, judge, weights in rows]


def _pass_or_fail(tables: dict[str, Any]) -> Values:
    """Kappa, accuracy, and how often the judge is right where people say pass and where they say fail."""
    rows = []
    for human, judge in zip(tables["human"] >= 3, tables["judge"] >= 3, strict=True):
        whole = [float(cohen_kappa(human, judge)), float(exact_agreement(human, judge)) / 100]
        rows.append([*whole, float(judge[human].mean()), float((~judge)[~human].mean())])
    return rows


def _components(tables: dict[str, Any]) -> Values:
    fits = [variance_components(table) for table in tables["scores"]]
    return [[fit.item.value, fit.rater.value, fit.residual.value] for fit in fits]


OURS: dict[str, tuple[Callable[[dict[str, Any]], Values], float]] = {
    "alpha, nominal, ordinal, interval (krippendorff)": (_alphas, 1e-9),
    "AC1 (irrCAC)": (lambda tables: [[float(gwet_ac1(table))] for table in tables["levels"]], 1e-9),
    "kappa, accuracy, TPR, TNR of pass or fail (judgekeeper)": (_pass_or_fail, 1e-9),
    "Dawid-Skene (crowd-kit)": (_posteriors(dawid_skene), 1e-4),
    "one coin (crowd-kit)": (_posteriors(one_coin), 1e-4),
    "Bradley-Terry (choix)": (_strengths, 1e-4),
    "corrected means (ppi-python)": (_means, 1e-9),
    "cumulative logit (statsmodels)": (_logits, 1e-4),
    "Mantel-Haenszel (statsmodels)": (_odds, 1e-9),
    "isotonic, weighted (scikit-learn)": (_isotonic, 1e-9),
    "variance components (lme4)": (_components, 1e-4),
}
"""Figure -> our values on all tables, and how far they may lie from the peer's."""


def measure(page: Page) -> None:
    """Every figure beside its peer, then what large panels cost."""
    tables = random_tables(TABLES[page.effort])
    if page.peers:
        _beside_peers(page, tables)
    _commands(page)
    _large(page)


def _beside_peers(page: Page, tables: dict[str, Any]) -> None:
    count = len(tables["scores"])
    page.say(
        f"Figures of panels on {count} random tables each, with gaps, ties and weights where the peer knows them, "
        f"beside {', '.join(PEERS.packages).replace('==', ' ')} and R's lme4 where it is installed. Processor "
        "seconds without imports; *times ours* is the peer's seconds over ours."
    )
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        path = Path(folder) / "tables.npz"
        np.savez(path, **tables)
        command = [peer_program(PEERS, "python"), HERE / "peer_panel.py", path]
        peers = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    page.table("figure", "values", "largest difference", "allowed", "peer s", "ours s", "times ours")
    for name, (compute, allowed) in OURS.items():
        if name not in peers:
            page.row(name, "the peer is not installed")
            continue
        compute({key: table[:1] for key, table in tables.items()})  # late imports are not its cost
        start = time.process_time()
        ours = compute(tables)
        own, theirs = time.process_time() - start, peers[name]["cpu"]
        apart = largest_difference(ours, peers[name]["values"])
        ratio = "" if theirs is None else f"{theirs / own:.1f}"
        seconds = "" if theirs is None else f"{theirs:.3f}"
        values = sum(len(row) for row in ours)
        page.row(name, values, f"{apart:.1e}", f"{allowed:.0e}", seconds, f"{own:.3f}", ratio)
        page.figure(f"largest difference: {name}", apart, most=allowed)
    page.end()


def largest_difference(ours: Values, theirs: Values) -> float:
    """The largest difference of any two values, over the larger of 1 and the size of the value."""
    one, other = (np.concatenate([np.asarray(row, dtype=float) for row in values]) for values in (ours, theirs))
    return float((np.abs(one - other) / np.maximum(np.abs(other), 1)).max())


def _commands(page: Page) -> None:
    """`assay panel` from a file to the report."""
    sizes = {Effort.TINY: (50,), Effort.QUICK: (2000,), Effort.WHOLE: (2000, 125_000)}[page.effort]
    page.heading("From a table to the report")
    page.say(
        "`assay panel` on a wide Parquet table with four people and four judges, a tenth of the cells empty: start, "
        "read, every figure, tables and report."
    )
    page.table("items", "ratings", "wall, s", "CPU, s", "peak memory, MB")
    for items in sizes:
        rng = np.random.default_rng(items)
        truth = rng.normal(3, 1, items)
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
            columns: dict[str, Any] = {"item": [f"i{number}" for number in range(items)]}
            for name in ("human_1", "human_2", "human_3", "human_4", "gpt", "claude", "gemini", "llama"):
                score = np.clip(np.rint(truth + rng.normal(0, 0.7, items)), 1, 5)
                columns[name] = np.where(rng.random(items) < 0.1, np.nan, score)
            table = Path(folder) / "ratings.parquet"
            pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None)).write_parquet(table)
            command = (sys.executable, "-m", "assay", "panel", table, "--out", Path(folder) / "panel", "--force")
            cost = cheapest_command(command, 3 if items <= 2000 else 1)
        ratings = round(items * 8 * 0.9)
        page.row(f"{items:,}", f"about {ratings:,}", f"{cost.wall:.2f}", f"{cost.cpu:.2f}", f"{cost.peak / 1e6:.0f}")
        what = f"`assay panel`, {items:,} items and 8 raters"
        page.figure(f"{what}: CPU s", cost.cpu, most=2.0 if items <= 2000 else 30.0)
        if items > 2000:
            page.figure(f"{what}: peak memory, MB", cost.peak / 1e6, most=1000)
    page.end()


def _large(page: Page) -> None:
    items = {Effort.TINY: 200, Effort.QUICK: 2000, Effort.WHOLE: 125_000}[page.effort]
    rng = np.random.default_rng(3)
    place = rng.normal(0, 1.5, (items, 1)) - np.linspace(-1, 1, 8)
    levels = np.clip(np.rint(2.5 + 0.7 * place + rng.normal(0, 0.6, place.shape)), 0, 5)
    levels[rng.random(levels.shape) < 0.2] = np.nan
    ratings = LongRatings.of(levels)
    page.heading(f"{items:,} items, 8 raters, a fifth of the ratings missing")
    page.table("model", "CPU s")
    for name, compute in (
        ("many-facet Rasch", fit_rasch),
        ("variance components", variance_components),
        ("Dawid-Skene", dawid_skene),
    ):
        start = time.process_time()
        compute(ratings)
        cost = time.process_time() - start
        page.row(name, f"{cost:.2f}")
        page.figure(f"{name} of {items:,} items and 8 raters: CPU s", cost, most=10.0)
    page.end()
