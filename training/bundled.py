"""Train the score models of packages/assay-essays-nc, all of them: `python -m training.bundled [--fresh]`.

Run it again whenever rules, word lists or the labeler change what is measured; --fresh reads the essays anew. Both
models are for argumentative essays on 1-6, from all public essays of ASAP 2.0 (4,165 of 5 prompts):

generic_argument.json    all measures of the hybrid (six of them learned from ELLIPSE), for essays of any prompt
generic10_argument.json  ten features that need no scored essays of a prompt, length at .2 of the weights, cutoffs by
                         signal detection, as the paper has them

Only weights, cutoffs and summary figures are written, no text. How they do on prompts left out: `accuracy.bundled`.
"""

import sys
from dataclasses import replace

import numpy as np

from accuracy.essay_models import feature_table
from accuracy.feature_cache import ROOT, corpus, there
from accuracy.hybrid_cache import essays, measured
from assay import __version__
from assay.essays.models.card import NOT_FOR
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.models.erater.train import train_model
from assay.essays.models.generic import GenericModel, fit_generic
from assay.essays.models.scoring_model import ScoringModel, TrainingSummary, reading_parts
from assay.io.models.scoring_models import GENERIC, GENERIC10, bundled_discourse_model, write_scoring_model
from assay.scale import ScoreScale

NON_COMMERCIAL = ROOT / "packages/assay-essays-nc/src/assay_essays_nc"
PLAN = TrainingPlan(kind="generic10", cutoffs="signal-detection")
SCALE = ScoreScale(1, 6)
CARD = {
    "source": "Trained on the public part of ASAP 2.0 (PERSUADE corpus): 4,165 essays on five prompts with sources.",
    "population": "For: argumentative essays of US students, grades 6 to 12, of 150 to 850 words, scored 1 to 6.",
    "not_for": NOT_FOR,
    "licence": "Derived from ASAP 2.0 and ELLIPSE, CC BY-NC-SA 4.0: not for commercial use (assay-essays-nc).",
}


def generic_model(*, fresh: bool = False) -> GenericModel:
    """The model of all measures."""
    table = essays("asap2")
    prompts, scores = table["prompt"].to_list(), table["score"].to_numpy().astype(np.float64)
    training = TrainingSummary(len(scores), tuple(sorted(set(prompts))), {}, "", "", __version__)
    return fit_generic(measured("asap2", fresh=fresh), scores, prompts, scale=SCALE, training=training)


def write(model: ScoringModel, file: str, name: str) -> None:
    """The model with its card, in its file."""
    agreement = ", ".join(f"{key} {value:.2f}" for key, value in model.agreement.items())
    card = {"name": name, **CARD, "accuracy": f"Accuracy, docs/accuracy.md has more: {agreement}."}
    parts = reading_parts(bundled_discourse_model(), model.kind)
    write_scoring_model(replace(model, extra=card, reads_with=parts), NON_COMMERCIAL / file)
    print(f"{file}: {agreement}")


def main() -> None:
    """Write the model files."""
    if not there("asap2"):
        sys.exit("the essays of ASAP 2.0 are not here")
    fresh = "--fresh" in sys.argv
    table = feature_table(corpus("asap2", fresh=fresh))
    write(train_model(table, PLAN, scale=SCALE, version=__version__), GENERIC10, "Generic10 for argumentative essays")
    write(generic_model(fresh=fresh), GENERIC, "Generic model for argumentative essays, scale 1 to 6")


if __name__ == "__main__":
    main()
