"""Made-up feature tables: essays of known ability, so that models have something to find."""

import numpy as np

from assay.essays.features.features import FEATURES
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores

SIZE = {"element_length": 40.0}
DOWN = {name for name, feature in FEATURES.items() if feature.better == "lower"}


def made_table(
    n: int = 300, *, seed: int = 5, prompts: int = 1, lowest: int = 1, highest: int = 6, programs: int = 0
) -> EssayFeatures:
    """Essays whose every feature goes with ability, and whose words tell weak from strong."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=n)
    columns = []
    for name in FEATURES:
        signal = (-0.6 if name in DOWN else 0.6) * ability + rng.normal(size=n)
        columns.append(300 + 60 * signal if name == "length" else np.exp(0.2 * signal) * SIZE.get(name, 0.3))
    values = np.column_stack(columns)
    values[:, [list(FEATURES).index(name) for name in ("max_cos", "cos_highest")]] = np.nan
    middle = (lowest + highest) / 2
    scores = np.clip(np.rint(middle + (highest - lowest) / 5 * ability), lowest, highest)
    contents = tuple(_words(rng, level) for level in ability.tolist())
    return EssayFeatures(
        essay_ids=tuple(f"e{i}" for i in range(n)),
        prompts=tuple(f"p{i % prompts}" for i in range(n)),
        names=tuple(FEATURES),
        values=values,
        contents=contents,
        human=HumanScores(scores),
        programs=tuple(f"grade {6 + i % programs}" for i in range(n)) if programs else (),
    )


def _words(rng: np.random.Generator, level: float) -> dict[str, int]:
    common = {f"common{i}": 1 for i in rng.integers(0, 20, 8).tolist()}
    chosen = "rich" if level + rng.normal() > 0 else "plain"
    return common | {f"{chosen}{i}": 1 for i in rng.integers(0, 15, 5).tolist()}
