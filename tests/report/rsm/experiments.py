"""A small experiment on features of our own making, for report tests."""

from functools import cache

import numpy as np

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.provenance import Provenance
from assay.report.rsm.experiment_report import ExperimentPages
from assay.report.rsm.experiments import EvaluatedExperiment
from assay.report.rsm.explain_charts import ExplainPages
from assay.rsm.analyses import analyse_training
from assay.rsm.experiment import Experiment, train_experiment
from assay.rsm.explain import Background, Explanation, cohorts, explain_model
from assay.rsm.filtering import data_composition
from assay.rsm.stored import NamedTable, StoredExperiment
from assay.rsm.types import ExperimentPlan, FeatureTable
from assay.scale import ScoreScale

FEATURES = ("length", "grammar", "vocabulary", "coherence", "spelling")
PROVENANCE = Provenance("0.1", "assay rsm tool config.json", {"train.csv": "abc"}, 0, "2024-05-01T10:00:00+00:00")


def feature_table(n: int, seed: int) -> FeatureTable:
    """Essays of two countries; spelling is marked down in one of them at equal quality."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=n)
    country = np.array(["Norway", "Peru", "Kenya"], dtype=object)[rng.integers(3, size=n)]
    matrix = np.column_stack([quality + rng.normal(scale=s, size=n) for s in (0.6, 0.8, 0.9, 1.2, 1.0)])
    matrix[:, 4] -= 0.8 * (country == "Peru")
    matrix[:, 0] = np.exp(5.5 + 0.3 * matrix[:, 0])
    scores = [np.clip(np.rint(3.5 + quality + rng.normal(scale=0.5, size=n)), 1, 6) for _ in range(2)]
    scores[1][rng.random(n) < 0.5] = np.nan
    return FeatureTable(
        ids=np.array([f"{seed}-{i}" for i in range(n)], dtype=object),
        names=FEATURES,
        matrix=matrix,
        human=scores[0],
        second=scores[1],
        length=np.round(matrix[:, 0]),
        groups={"country": country},
    )


@cache
def experiment(model: str = "LinearRegression") -> Experiment:
    plan = ExperimentPlan(model=model, trim_min=1, trim_max=6)
    return train_experiment(feature_table(300, 1), feature_table(200, 2), plan)


@cache
def pages(model: str = "LinearRegression") -> ExperimentPages:
    found = experiment(model)
    test = found.test.used
    assert test.second is not None
    ratings = Ratings(
        np.column_stack([test.human, test.second]),
        found.test_predictions["raw"],
        groups=tuple(GroupColumn.of(name, values.tolist()) for name, values in test.groups.items()),
    )
    return ExperimentPages(
        experiment=found,
        analyses=analyse_training(
            found.names,
            found.train.used.matrix,
            found.train.preprocessed,
            found.train.used.human,
            length=found.train.used.length,
            groups=found.train.used.groups,
        ),
        composition=data_composition(found.train, found.test),
        evaluation=evaluate_engine(ratings, Plan(ScoreScale(1, 6)), engine="raw", raters=("first", "second")),
        provenance=PROVENANCE,
        files=("essays_eval.csv", "essays_betas.csv"),
    )


@cache
def explained(model: str = "LinearRegression", n: int = 40) -> Explanation:
    """The first responses explained, against all that the model was trained on."""
    found = experiment(model)
    background = Background.of(found.train.preprocessed)
    return explain_model(
        found.model, found.test.used.ids[:n], found.test.preprocessed[:n], background, rng=np.random.default_rng(1)
    )


def explain_pages(n: int = 40) -> ExplainPages:
    """The same with what a report tells of it."""
    explanation = explained(n=n)
    return ExplainPages(
        explanation=explanation,
        values=experiment().test.used.matrix[:n],
        background=300,
        left_out=2,
        model="LinearRegression",
        provenance=PROVENANCE,
        cohorts=[cohorts(explanation, 2)] if n > 4 else (),
    )


def in_groups(name: str, shift: dict[str, float]) -> EvaluatedExperiment:
    """An experiment whose system scores are off by so much in each group, four responses each."""
    human = np.tile([1.0, 2.0, 3.0, 4.0], len(shift))
    groups = [group for group in shift for _ in range(4)]
    system = human + np.array([shift[group] for group in groups])
    ratings = Ratings(human[:, None], system, groups=(GroupColumn.of("country", groups),))
    evaluation = evaluate_engine(ratings, Plan(ScoreScale(1, 4)), engine=name, raters=("first",))
    return EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {}, {}, None, False), evaluation)


def stored(name: str = "old", **tables: NamedTable) -> EvaluatedExperiment:
    """An experiment of which only tables are there."""
    settings = {"model": "LinearRegression", "train_label_column": "sc1"}
    return EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", settings, tables, None, False), None)


def named(rows: str, columns: str, *values: float) -> NamedTable:
    """A table from the names of its rows and columns."""
    heads, sides = tuple(columns.split()), tuple(rows.split())
    cells = [tuple(values[i * len(heads) : (i + 1) * len(heads)]) for i in range(len(sides))]
    return NamedTable(sides, heads, tuple(cells))
