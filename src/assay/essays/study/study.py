"""FRONT DOOR `study_essays`: the tables 1 to 9 of Attali & Burstein (2005) for any corpus of scored essays."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.study.corpus import Missing, PreparedCorpus, StudyCorpus, prepare
from assay.essays.study.descriptives import ProgramDescription, describe
from assay.essays.study.feature_scores import FeatureCorrelations, FeatureMeans, correlations, means_by_score
from assay.essays.study.relative_weights import RelativeWeights, relative_weights
from assay.essays.study.retest import Reliability, reliability
from assay.essays.study.systems import SYSTEMS, Found, SystemComparison, compare_systems, gathered
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
    descriptives: tuple[ProgramDescription, ...]
    """Table 1."""
    correlations: FeatureCorrelations
    """Table 2."""
    means: FeatureMeans
    """Table 3."""
    weights: RelativeWeights | Missing
    """Table 4."""
    systems: SystemComparison
    """Tables 5 and 6."""
    reliability: Reliability | Missing
    """Tables 7, 8 and 9."""


def steps(corpus: StudyCorpus) -> int:
    """How many results `counting` will see at most: for a progress bar."""
    prompts = set(zip(corpus.programs, corpus.table.prompts, strict=True))
    return len(SYSTEMS) * len(prompts)


def _as_they_are(found: Iterable[Found]) -> Iterator[Found]:
    return iter(found)


def study_essays(
    corpus: StudyCorpus,
    *,
    recipe: str = "paper",
    scale: ScoreScale | None = None,
    seed: int = SEED,
    counting: Callable[[Iterable[Found]], Iterable[Found]] = _as_they_are,
) -> Study:
    """The study of a corpus. `counting` sees the systems compared as they come, one per system and prompt."""
    if recipe not in RECIPES:
        choices = ", ".join(RECIPES)
        raise InputError(f"there is no recipe {recipe!r}", field="recipe", remedy=f"Choose one of: {choices}.")
    plan = RECIPES[recipe]()
    prepared = prepare(corpus, plan.vocabulary, scale)
    shaped = prepared.shaped(plan.shapes)
    weights = relative_weights(prepared, shaped)
    compared = gathered(list(counting(compare_systems(prepared, plan, seed))))
    return Study(
        essays=len(prepared.average),
        prompts=sum(1 for _ in prepared.prompt_rows()),
        programs=tuple(program for program, _ in prepared.program_rows()),
        scales={program: str(own) for program, own in prepared.scales.items()},
        left_out=prepared.left_out,
        recipe=recipe,
        cutoffs=plan.cutoffs,
        seed=seed,
        has_second_rater=_twice(prepared),
        descriptives=describe(prepared),
        correlations=correlations(prepared),
        means=means_by_score(prepared),
        weights=weights,
        systems=compared,
        reliability=reliability(prepared, shaped, weights),
    )


def _twice(prepared: PreparedCorpus) -> bool:
    return prepared.corpus.table.human.second is not None
