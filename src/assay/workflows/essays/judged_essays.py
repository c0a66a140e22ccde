"""Essays scored by a judge: `judge:RUBRIC` in place of a model file."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from statistics import fmean

from assay.errors import Field, InputError
from assay.essays.models.judged import JudgedEssays
from assay.essays.text.text import Essay
from assay.evaluation.judging.answers import JudgeRatings
from assay.evaluation.judging.prompt import JudgedItem
from assay.evaluation.judging.rubric import JudgeRubric, essay_scale
from assay.execution.observer import SILENT, Observer
from assay.io.language_model import LanguageModel
from assay.workflows.essays.essay_inputs import JUDGE_PREFIX
from assay.workflows.evaluation.judge import Confirm, Judging, model_for, rubric_input


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What a judge needs beside its rubric; see `assay.judge`."""

    judge_model: str | LanguageModel | None = None
    base_url: str | None = None
    cache: str | PathLike[str] | None = None
    insecure: bool = False
    yes: bool = False
    confirm: Confirm | None = None


def judge_essays(
    essays: Sequence[Essay], model: str | PathLike[str], options: JudgeOptions, observer: Observer = SILENT
) -> JudgedEssays:
    """The essays rated by the rubric after the prefix, as a model that knows their scores."""
    rubric, _ = rubric_input(str(model).removeprefix(JUDGE_PREFIX))
    scale = essay_scale(rubric)
    if options.judge_model is None:
        remedy = ("Name the model with ", Field("judge_model"), ".")
        raise InputError("a judge needs a language model", field="judge_model", remedy=remedy)
    asked = model_for(options.judge_model, options.base_url, insecure=options.insecure)
    items = [JudgedItem(e.essay_id, e.text, (("prompt", e.prompt),) if e.prompt else ()) for e in essays]
    judging = Judging(rubric, asked, cache=options.cache)
    try:
        judging.agree(items, yes=options.yes, confirm=options.confirm, observer=observer)
        ratings = judging.ratings(items, observer, rater=asked.name)
    finally:
        judging.close()
    weights = weights_of(rubric)
    named = f"{asked.name} at {asked.url}" if asked.name else asked.url
    return JudgedEssays(
        scale=scale,
        weights=weights,
        ratings=_means(ratings, weights),
        problems={row.item_id: row.problem for row in ratings.rows if row.problem},
        judge=f"A language model ({named}) rated each essay by the rubric {rubric.name}.",
        extra={"rubric": f"Rubric: {rubric.name}."},
    )


def weights_of(rubric: JudgeRubric) -> dict[str, float]:
    """What each criterion counts for in the score of an essay."""
    if rubric.overall:
        return {rubric.overall: 1.0}
    return {criterion.name: criterion.weight for criterion in rubric.criteria}


def _means(ratings: JudgeRatings, criteria: dict[str, float]) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, list[float]]] = {}
    for row in ratings.rows:
        if row.criterion in criteria and row.value is not None:
            values.setdefault(row.item_id, {}).setdefault(row.criterion, []).append(float(row.value))
    return {essay: {name: fmean(given) for name, given in by.items()} for essay, by in values.items()}
