"""Write the score model for the example essays anew: `python examples/make_essay_model.py`.

A demonstration need not train one first.

Generic10 trained on the example essays of three prompts, as `trained_example_model` does it; those of the fourth,
`SHOWN`, are left to be scored. The essays are invented, and so the model is of no use for others.
"""

import sys
from pathlib import Path

import polars as pl

from assay.essays.features.features import FEATURES
from assay.essays.features.measure import measure_essays
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.train import TrainingPlan, train_model
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores
from assay.essays.text.essay import Essay
from assay.io.models.discourse_weights import bundled_discourse_model
from assay.io.models.erater import write_model
from assay.scale import ScoreScale

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.make_essays import example_essays

FOLDER = Path(__file__).resolve().parent
SHOWN = "cars"


def trained_example_model() -> EssayModel:
    """The model, trained again."""
    table = example_essays()
    rows = table.filter(table["prompt"] != SHOWN)
    essays = [Essay(*row) for row in rows.select("id", "text").iter_rows()]
    discourse = bundled_discourse_model()
    measured = [next(measure_essays([essay], discourse)).values for essay in essays]
    human = HumanScores(
        *(rows[f"rating_{n}"].cast(pl.Float64).fill_null(float("nan")).to_numpy().copy() for n in (1, 2, 3))
    )
    features = EssayFeatures.of(essays, measured, human, names=tuple(FEATURES))
    return train_model(features, TrainingPlan(kind="generic10"), scale=ScoreScale(1, 6))


if __name__ == "__main__":
    write_model(trained_example_model(), FOLDER / "essay_model.json")
    print(FOLDER / "essay_model.json")
