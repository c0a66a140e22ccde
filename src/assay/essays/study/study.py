"""FRONT DOOR `study_essays`: the tables 1 to 9 of Attali & Burstein (2005) for any corpus of scored essays."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.study import feature_tables
from assay.essays.study.corpus import Missing, StudyCorpus, prepare
from assay.essays.study.retest import Reliability, reliability
from assay.essays.study.systems import SYSTEMS, SystemComparison, SystemResult, compare_systems, gathered
from assay.scale import ScoreScale

RECIPES: Mapping[str, Callable[[], TrainingPlan]] = {"paper": TrainingPlan.paper, "assay": TrainingPlan}
"""How models are built: as the paper did it, or as `assay essays train` does unless told otherwise."""
SEED = 2005


@dataclass(frozen=True, slots=True)
class Study:
    """All tables; one that the corpus does not allow says why."""

    essays: int
    prompts: int
    programs: tuple[str, ...]
    scales: Mapping[str, str]
    left_out: Mapping[str, int]
    recipe: str
    cutoffs: str
    seed: int
    has_second_rater: bool
    descriptives: tuple[feature_tables.ProgramDescription, ...]
    """Table 1."""
    correlations: feature_tables.FeatureCorrelations
    """Table 2."""
    means: feature_tables.FeatureMeans
    """Table 3."""
    weights: feature_tables.RelativeWeights | Missing
    """Table 4."""
    systems: SystemComparison
    """Tables 5 and 6."""
    reliability: Reliability | Missing
    """Tables 7, 8 and 9."""


def steps(corpus: StudyCorpus) -> int:
    """How many results `track` will see at most: for a progress bar."""
    return len(SYSTEMS) * len(set(zip(corpus.programs, corpus.table.prompts, strict=True)))


def study_essays(
    corpus: StudyCorpus,
    *,
    recipe: str = "paper",
    scale: ScoreScale | None = None,
    seed: int = SEED,
    track: Callable[[Iterable[SystemResult]], Iterable[SystemResult]] = iter,
) -> Study:
    """The study of a corpus. `track` sees the systems compared as they come, one per system and prompt."""
    if recipe not in RECIPES:
        choices = ", ".join(RECIPES)
        raise InputError(f"there is no recipe {recipe!r}", field="recipe", remedy=f"Choose one of: {choices}.")
    plan = RECIPES[recipe]()
    prepared = prepare(corpus, plan.vocabulary, scale)
    shaped = prepared.shaped(plan.shapes)
    weights = feature_tables.relative_weights(prepared, shaped)
    return Study(
        essays=len(prepared.average),
        prompts=sum(1 for _ in prepared.prompt_rows()),
        programs=tuple(program for program, _ in prepared.program_rows()),
        scales={program: str(own) for program, own in prepared.scales.items()},
        left_out=prepared.left_out,
        recipe=recipe,
        cutoffs=plan.cutoffs,
        seed=seed,
        has_second_rater=prepared.corpus.table.human.second is not None,
        descriptives=feature_tables.describe(prepared),
        correlations=feature_tables.correlations(prepared),
        means=feature_tables.means_by_score(prepared),
        weights=weights,
        systems=gathered(track(compare_systems(prepared, plan, seed))),
        reliability=reliability(prepared, shaped, weights),
    )
