"""Train the score models of packages/assay-essays-nc, all of them: `python -m training.bundled [--fresh]`.

Run it again whenever rules, word lists or the labeler change what is measured; --fresh reads the essays anew.

Generic10 for argumentative essays on 1-6, from all public essays of ASAP 2.0 (4,165 of 5 prompts): ten features that
need no scored essays of a prompt, length at .2 of the weights, cutoffs by signal detection, as the paper has them. Only
weights, cutoffs and summary figures are written, no text. How it does on prompts it has not seen: `essay_models`.
"""

import sys
from dataclasses import replace

from accuracy.essay_models import feature_table
from accuracy.feature_cache import ROOT, corpus, there
from assay import __version__
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.models.erater.train import train_model
from assay.essays.models.scoring_model import reading_parts
from assay.io.models.scoring_models import GENERIC, bundled_discourse_model, write_scoring_model
from assay.scale import ScoreScale

NON_COMMERCIAL = ROOT / "packages/assay-essays-nc/src/assay_essays_nc"
PLAN = TrainingPlan(kind="generic10", cutoffs="signal-detection")
ABOUT = {
    "name": "Generic10 for argumentative essays, scale 1 to 6",
    "source": "Trained on the public part of ASAP 2.0 (PERSUADE corpus): essays of US students, grades 6 to 12, on "
    "five prompts with source texts.",
    "licence": "Weights derived from ASAP 2.0, CC BY-NC-SA 4.0; see NOTICE.txt of assay-essays-nc.",
}


def main() -> None:
    """Write the model files."""
    if not there("asap2"):
        sys.exit("the essays of ASAP 2.0 are not here")
    model = train_model(
        feature_table(corpus("asap2", fresh="--fresh" in sys.argv)), PLAN, scale=ScoreScale(1, 6), version=__version__
    )
    path = NON_COMMERCIAL / GENERIC
    parts = reading_parts(bundled_discourse_model(), model.kind)
    write_scoring_model(replace(model, extra=ABOUT, reads_with=parts), path)
    equation = model.equations[""]
    print({name: round(value, 3) for name, value in equation.agreement.items()}, path)
    weights = equation.weights
    print(dict(zip(weights.names, weights.relative.round(3).tolist(), strict=True)), weights.dropped)


if __name__ == "__main__":
    main()
