"""Train the discourse model on the PERSUADE essays and write its weights.

    python -m training.train_discourse --data ../shared/data --cache /tmp/assay-discourse

Deterministic for a given seed and numpy. The first run parses 7.4 million words (11,202 essays, and every second of
them again without line breaks) and keeps the parse in the cache: eight minutes at 15,000 words a second. Features and
fit take some two minutes more. The corpus is CC BY-NC-SA 4.0: texts stay out of the repository, and the notice beside
the weights says what they derive from.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: sums in one order, hence the same weights

from assay.io.models.scoring_models import write_discourse_model
from training.discourse_corpus import LabelledEssay, labelled_essays, raw_essays, without_line_breaks
from training.discourse_fitting import fit_model
from training.discourse_network import Settings
from training.discourse_topics import known_prompts, topics

WEIGHTS = Path(__file__).parents[1] / "packages/assay-essays-nc/src/assay_essays_nc/discourse.npz"


def read_corpus(data: Path, cache: Path) -> tuple[list[LabelledEssay], list[LabelledEssay]]:
    """All essays as written, and every second one without line breaks."""
    raws = raw_essays(data)
    flat = [without_line_breaks(essay) for essay in raws[::2]]
    return list(labelled_essays(raws, cache, "par")), list(labelled_essays(flat, cache, "flat"))


def read_topics(data: Path) -> dict[str, str]:
    return topics({essay.essay_id: essay.raw for essay in raw_essays(data)}, known_prompts(data))


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the corpora")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/assay-discourse"), help="folder for parsed essays")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main() -> None:
    parser = arguments("Train the discourse model.")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    written, flat = read_corpus(chosen.data, chosen.cache)
    model = fit_model([*written, *flat], read_topics(chosen.data), Settings(), chosen.seed)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    write_discourse_model(model, chosen.out)
    print(
        f"{chosen.out}: {len(model.names):,} features, {len(model.common)} words, {chosen.out.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
