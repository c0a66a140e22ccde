"""Scores of essays on their way: measured by an executor, written as they come, into one folder or part by part."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assay.cli.essays.parts import Essays, essays_left, origin_of, say_left, taking
from assay.cli.essays.work import ESSAYS_AT_ONCE, score_block
from assay.cli.terminal import progress
from assay.essays.models.erater.model import EssayModel
from assay.execution.executor import Executor
from assay.io.essays.scores_table import write_scores, write_scores_part
from assay.io.essays.table import EssayFolder, EssayPart
from assay.io.tables.output import OutputFolder
from assay.io.tables.part_folder import PartFolder
from assay.provenance import Provenance
from assay.report.essays.score_summary import ScoredEssay, ScoreSummary
from assay.report.render.html import to_html

if TYPE_CHECKING:
    from assay.essays.models.calibrated.calibrate import CalibratedModel
    from assay.essays.models.hybrid.model import HybridModel

    AnyModel = EssayModel | HybridModel | CalibratedModel

Item = TypeVar("Item")

REPORT = "report.html"


def scores_in_folder(
    table: Essays,
    model: "AnyModel",
    out: Path,
    made: Provenance,
    executor: Executor,
    summary: ScoreSummary,
    *,
    force: bool,
    quiet: bool,
) -> None:
    """scores.csv, words.csv where single words tell, and report.html. An essay is held until its row is written."""
    _check_prompts(table, model)
    features, common = _columns(model)
    with OutputFolder(out, force, replaces="scores.csv") as folder:
        told = summary.counting(_told(table.parts(), table.count, model, executor, quiet=quiet))
        write_scores(folder, told, features, common=common)
        (folder / REPORT).write_text(_report(summary, model, table.name, made), encoding="utf-8")


def _report(summary: ScoreSummary, model: "AnyModel", name: str, made: Provenance) -> str:
    from assay.report.essays.hybrid_scores_report import hybrid_scores_report
    from assay.report.essays.scores_report import essay_scores_report

    if isinstance(model, EssayModel):
        return to_html(essay_scores_report(summary, model, name=name, provenance=made))
    return to_html(hybrid_scores_report(summary, model, name=name, provenance=made))


def scores_in_parts(
    table: Essays,
    model: "AnyModel",
    model_digest: str,
    out: Path,
    executor: Executor,
    summary: ScoreSummary,
    *,
    force: bool,
    quiet: bool,
) -> None:
    """The scores, part by part; counted are those of this run."""
    _check_prompts(table, model)
    features, common = _columns(model)
    writing = partial(write_scores_part, features=features, common=common)
    folder = PartFolder(out, origin_of("essays score", table, model_digest), force=force)
    left = folder.left()
    say_left(folder, quiet=quiet)
    count = sum(part.rows for part in left)
    told = summary.counting(_told(essays_left(table, left), count, model, executor, quiet=quiet))
    for part in left:
        folder.write(part, partial(taking, writing, told, part.rows))


def _told(
    parts: Iterable[EssayPart], count: int, model: "AnyModel", executor: Executor, *, quiet: bool
) -> Iterator[ScoredEssay]:
    """The score of every essay in order; who works on them changes no digit."""
    from assay.cli.essays.hybrid import score_block as score_by_hybrid

    pairs = (pair for part in parts for pair in zip(part.essays, part.programs or ("",) * len(part), strict=True))
    with progress("Scoring essays", count, quiet=quiet) as bar:
        if isinstance(model, EssayModel):
            for block in bar.counting(executor.map_ordered(score_block, _some(pairs, ESSAYS_AT_ONCE), model)):
                yield from ((score, {}) for score in block)
        else:
            essays = (essay for essay, _ in pairs)
            for told in bar.counting(executor.map_ordered(score_by_hybrid, _some(essays, ESSAYS_AT_ONCE), model)):
                yield from told


def _some(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    left = iter(items)
    while some := list(islice(left, most)):
        yield some


def _columns(model: "AnyModel") -> tuple[list[str], bool]:
    """The features that have columns, and whether there is one for the scale common to all programs."""
    from assay.essays.models.calibrated.cross_prompt import NAMES
    from assay.essays.models.hybrid.model import HybridModel
    from assay.essays.models.hybrid.score import CHARACTERS, WORDS

    if isinstance(model, EssayModel):
        return list(model.features), model.common_scale is not None
    return [*model.space.names, CHARACTERS, WORDS] if isinstance(model, HybridModel) else [*NAMES, CHARACTERS], False


def _check_prompts(table: Essays, model: "AnyModel") -> None:
    from assay.essays.models.erater.score import check_prompts
    from assay.io.tables.columns import text_column

    if not isinstance(model, EssayModel) or not model.needs_prompt:
        return
    if isinstance(table, EssayFolder):
        check_prompts({essay.prompt for part in table.parts() for essay in part.essays}, model)
        return
    name, asked = table.columns.prompt, {""}
    if name is not None:
        asked = set()
        for batch in table.source.batches([name]):
            asked.update(text_column(batch, name).fill_null("").unique().to_list())
    check_prompts(asked, model)
