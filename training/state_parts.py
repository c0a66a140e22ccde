"""Name the parts that essays are read with in the model files that come with the package.

Run it after a word list, the labeller or the parser has changed and the models were found to score as before, or were
trained again: python training/state_parts.py
"""

import json
from pathlib import Path

from assay.essays.models.scoring_model import reading_parts
from assay.io.models.scoring_models import bundled_discourse_model

ROOT = Path(__file__).parent.parent
MODELS = ("packages/assay-essays-nc/src/assay_essays_nc/generic10_argument.json", "examples/essay_model.json")


def main() -> None:
    """Write the files anew, with nothing else changed."""
    for name in MODELS:
        path = ROOT / name
        model = {}
        document = json.loads(path.read_text(encoding="utf-8"))
        for key, value in document.items():
            if key != "reads_with":
                model[key] = value
            if key == "about":
                model["reads_with"] = reading_parts(bundled_discourse_model(), document["kind"])
        path.write_text(json.dumps(model, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        print(f"stated in {name}")


if __name__ == "__main__":
    main()
