"""Made-up corpora for the study: features that go with skill, words of each level, candidates with two essays."""

from collections.abc import Mapping

import numpy as np

from assay.essays.features.features import FEATURES
from assay.essays.models.erater.v1_measures import NAMES
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores
from assay.essays.study.corpus import StudyCorpus

NOISE = 1.2


def made_corpus(
    per_prompt: int = 60,
    prompts: Mapping[str, str] | None = None,
    *,
    seed: int = 1,
    second: bool = True,
    candidates: bool = True,
    related: float = 1.0,
) -> StudyCorpus:
    """A corpus with a prompt -> program mapping; with `related` 0 nothing goes with the scores."""
    where = prompts or {"cars": "grade 8", "dogs": "grade 8", "tea": "grade 10", "rain": "grade 10"}
    rng = np.random.default_rng(seed)
    ability = {program: rng.normal(size=per_prompt) for program in sorted(set(where.values()))}
    names = [prompt for prompt in where for _ in range(per_prompt)]
    skill = np.concatenate([ability[where[prompt]] for prompt in where]) + 0.5 * rng.normal(size=len(names))
    first, further = (np.clip(np.rint(3.5 + 1.1 * skill + 0.4 * rng.normal(size=len(names))), 1, 6) for _ in "12")
    third = np.where(np.abs(first - further) > 1, np.rint((first + further) / 2), np.nan)
    signs = np.array([1.0 if feature.better == "higher" else -1.0 for feature in FEATURES.values()])
    values = related * signs * skill[:, None] + NOISE * rng.normal(size=(len(names), len(FEATURES)))
    values[:, list(FEATURES).index("length")] = np.rint(np.exp(5 + 0.3 * values[:, -1]))
    levels = np.clip(np.rint(3.5 + related * 1.1 * skill + rng.normal(size=len(names))), 1, 6).astype(int).tolist()
    contents = tuple(
        {f"level{level}": 2, f"{name}": 1, f"extra{i % 7}": 1}
        for i, (level, name) in enumerate(zip(levels, names, strict=True))
    )
    v1 = rng.normal(size=(len(names), len(NAMES))) + related * skill[:, None] * (np.arange(len(NAMES)) < 3)
    table = EssayFeatures(
        essay_ids=tuple(f"e{i}" for i in range(len(names))),
        prompts=tuple(names),
        names=tuple(FEATURES),
        values=values,
        contents=contents,
        human=HumanScores(first, further, third) if second else HumanScores(first),
        programs=tuple(where[name] for name in names),
    )
    writers = tuple(f"{where[name]}-{i % per_prompt}" for i, name in enumerate(names)) if candidates else ()
    return StudyCorpus(table, writers, v1, tuple((content,) for content in contents))
