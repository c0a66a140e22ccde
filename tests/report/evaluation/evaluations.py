"""Small evaluations, rich and poor, for the tests of the reports."""

from functools import cache

import numpy as np

from assay.evaluation.compare import Comparison, Contender, compare_engines
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.evaluation.report import evaluation_report
from assay.scale import ScoreScale

COMMAND = "assay evaluate autumn.csv --human rater_1 --system engine --second-human rater_2 --groups first_language"
PROVENANCE = Provenance("0.1", COMMAND, {"autumn.csv": "4f1c" * 16}, created="2026-11-15T14:20:00+01:00")
LANGUAGES = ("English", "Spanish", "Vietnamese", "Tagalog", "Mandarin")


def report_of(evaluation: Evaluation, provenance: Provenance = PROVENANCE) -> Document:
    """The whole report."""
    return evaluation_report(evaluation, title="Evaluation", source="autumn.csv", provenance=provenance)


@cache
def rich(n: int = 412, *, seed: int = 11) -> Evaluation:
    """Two readers, groups of which two are shifted, cut scores, lengths, exclusions, scaled scores."""
    rng = np.random.default_rng(seed)
    true = rng.normal(3.5, 1.1, n)
    human = np.clip(np.rint(true[:, None] + rng.normal(0, 0.5, (n, 2))), 1, 6)
    human[n // 2 :, 1] = np.nan
    language = rng.choice(len(LANGUAGES), n, p=(0.49, 0.25, 0.13, 0.12, 0.01))
    shift = np.array((0.0, 0.0, -0.35, 0.5, 0.0))[language]
    system = 3.5 + 0.82 * (true - 3.5) + shift + rng.normal(0, 0.45, n)
    human[:4, 0] = 0
    human[4:11] = np.nan
    system[12] = np.nan
    ratings = Ratings(
        human,
        system,
        groups=(GroupColumn.of("first_language", [LANGUAGES[i] for i in language]),),
        length=60 * true + rng.normal(0, 40, n),
    )
    plan = Plan(ScoreScale(1, 6), scaling=Scaling(3.5, 0.95, 3.5, 1.15), cuts=(3.5, 5.0), least_group=10)
    return evaluate_engine(ratings, plan, engine="engine", raters=("rater_1", "rater_2"))


def plain(
    n: int = 300,
    *,
    noise: float = 0.5,
    offset: float = 0.0,
    raters: int = 1,
    groups: int = 0,
    scale: ScoreScale | None = ScoreScale(1, 6),  # noqa: B008 - frozen
    seed: int = 3,
    weights: bool = False,
    least_group: int = 1,
) -> Evaluation:
    """One engine on one scale, as good as `noise` is small."""
    rng = np.random.default_rng(seed)
    low, high, step = (scale.lowest, scale.highest, scale.step) if scale else (1.0, 6.0, 1.0)
    middle, spread = (low + high) / 2, (high - low) / 5
    true = rng.normal(middle, spread, n)
    readings = true[:, None] + rng.normal(0, 0.3 * spread, (n, raters))
    human = np.asarray(np.clip(np.rint(readings / step) * step, low, high) if scale else readings, dtype=np.float64)
    system = np.asarray(true + offset * spread + rng.normal(0, noise * spread, n), dtype=np.float64)
    names: list[str | None] = [f"group {i:03d}" for i in rng.integers(groups, size=n)] if groups else []
    ratings = Ratings(
        human,
        system,
        groups=(GroupColumn.of("country", names),) if groups else (),
        weights=rng.uniform(0.001, 0.01, n) if weights else None,
    )
    return evaluate_engine(ratings, Plan(scale, leave_out_zeros=False, least_group=least_group), engine="engine")


def constant(*, human: bool = True, system: bool = True, scale: ScoreScale | None = None, n: int = 20) -> Evaluation:
    """Scores that do not differ."""
    varied = np.arange(n) % 3 + 2.0
    readings = np.column_stack([np.full(n, 3.0) if human else varied] * 2)
    scores = np.asarray(np.full(n, 3.0) if system else varied, dtype=np.float64)
    return evaluate_engine(Ratings(readings, scores), Plan(scale))


def compared(*noises: float, same: bool = True, n: int = 300) -> Comparison:
    """Engines as good as their noise is small, on the same responses or not."""
    names = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
    contenders = []
    for number, noise in enumerate(noises):
        rng = np.random.default_rng(5 if same else number)
        true = rng.normal(3.5, 1.1, n)
        human = np.clip(np.rint(true + rng.normal(0, 0.4, n)), 1, 6)
        system = true + np.random.default_rng(100 + number).normal(0, noise, n)
        evaluation = evaluate_engine(Ratings(human[:, None], system), Plan(ScoreScale(1, 6)))
        contenders.append(Contender(names[number], evaluation.blocks["raw_trim"], evaluation.blocks["raw_trim_round"]))
    return compare_engines(contenders)
