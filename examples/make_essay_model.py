"""Write the score model for the example essays anew: `python examples/make_essay_model.py`.

A demonstration need not train one first. Generic10 trained on the example essays of three prompts; those of the fourth,
`SHOWN`, are left to be scored. The essays are invented, and so the model is of no use for others.
"""

from pathlib import Path

import polars as pl

from assay.workflows.essays.train import TrainedModel, train

FOLDER = Path(__file__).resolve().parent
SHOWN = "cars"


def trained_example_model() -> TrainedModel:
    """The model, trained again."""
    essays = pl.read_csv(FOLDER / "essays.csv")
    return train(
        essays.filter(essays["prompt"] != SHOWN),
        text="text",
        id="id",
        score="rating_1",
        second_score="rating_2",
        third_score="rating_3",
        kind="generic10",
        scale="1-6",
    )


if __name__ == "__main__":
    print(trained_example_model().save(FOLDER / "essay_model.json"))
