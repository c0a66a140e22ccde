"""Features and scores of essays as a folder of Parquet parts, gone on with after a crash."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assay import __version__
from assay.cli.essay_work import ESSAYS_AT_ONCE, blocks_by_part, measure_block, score_block
from assay.cli.score_summary import ScoreSummary, Told
from assay.cli.terminal import progress
from assay.cluster.crew import Crew
from assay.errors import InputError
from assay.files.essay_table import EssayFolder, EssayPart, EssayTable
from assay.files.part_folder import Origin, Part, PartFolder, stretches

if TYPE_CHECKING:
    from assay.essays.hybrid.calibrate import CalibratedModel
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.scoring.model import EssayModel
    from assay.files.features_table import Row

    AnyModel = EssayModel | HybridModel | CalibratedModel

Item = TypeVar("Item")

PART_ROWS = 10_000
"""Essays of a part where the input is one file."""

Essays = EssayTable | EssayFolder


def features_in_parts(
    table: Essays,
    out: Path,
    crew: Crew,
    counting: Callable[[Iterable["Row"]], Iterator["Row"]],
    *,
    force: bool,
    quiet: bool,
) -> None:
    """The features table, part by part."""
    from assay.files.features_table import write_features_part

    if table.has_scores:
        raise InputError(
            "--score compares every essay with all others, so their features cannot be written part by part. "
            "Leave out --score, or write one file without --partitions."
        )
    folder = PartFolder(out, _origin("essays features", table, None), force=force)
    left = folder.left()
    say_left(folder, quiet=quiet)
    rows = counting(_feature_rows(table, left, crew, quiet=quiet))
    for part in left:
        folder.write(part, partial(_taking, write_features_part, rows, part.rows))


def _feature_rows(table: Essays, left: Sequence[Part], crew: Crew, *, quiet: bool) -> Iterator["Row"]:
    from assay.files.features_table import features_row

    blocks = blocks_by_part(_essays(table, left), [part.rows for part in left])
    with progress("Reading essays", sum(part.rows for part in left), quiet=quiet) as bar:
        for block in bar.counting(crew.in_order(measure_block, blocks, False)):
            yield from (features_row(*measured) for measured in block)


def scores_in_parts(
    table: Essays,
    model: "AnyModel",
    model_digest: str,
    out: Path,
    crew: Crew,
    summary: ScoreSummary,
    *,
    force: bool,
    quiet: bool,
) -> None:
    """The scores, part by part; counted are those of this run."""
    from assay.essays.scoring.model import EssayModel
    from assay.files.essay_scores_table import write_scores_part

    if isinstance(model, EssayModel):
        _check_prompts(table, model)
    common = isinstance(model, EssayModel) and model.common_scale is not None
    writing = partial(write_scores_part, features=_feature_names(model), common=common)
    folder = PartFolder(out, _origin("essays score", table, model_digest), force=force)
    left = folder.left()
    say_left(folder, quiet=quiet)
    told = summary.counting(_told(table, left, model, crew, quiet=quiet))
    for part in left:
        folder.write(part, partial(_taking, writing, told, part.rows))


def _told(table: Essays, left: Sequence[Part], model: "AnyModel", crew: Crew, *, quiet: bool) -> Iterator[Told]:
    from assay.cli.essay_hybrid import score_block as score_by_hybrid
    from assay.essays.scoring.model import EssayModel

    pairs = (
        pair
        for part in _essays(table, left)
        for pair in zip(part.essays, part.programs or ("",) * len(part), strict=True)
    )
    with progress("Scoring essays", sum(part.rows for part in left), quiet=quiet) as bar:
        if isinstance(model, EssayModel):
            for block in bar.counting(crew.in_order(score_block, _some(pairs, ESSAYS_AT_ONCE), model)):
                yield from ((score, {}) for score in block)
        else:
            essays = (essay for essay, _ in pairs)
            for told in bar.counting(crew.in_order(score_by_hybrid, _some(essays, ESSAYS_AT_ONCE), model)):
                yield from told


def _some(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    left = iter(items)
    while some := list(islice(left, most)):
        yield some


def _essays(table: Essays, left: Sequence[Part]) -> Iterator[EssayPart]:
    """The essays of the parts that are left, read once."""
    return chain.from_iterable(table.parts(span) for span in stretches(left))


def _taking(writing: Callable[[Path, Iterable[Item]], None], rows: Iterator[Item], count: int, file: Path) -> None:
    writing(file, islice(rows, count))


def _origin(command: str, table: Essays, model: str | None) -> Origin:
    options = asdict(table.columns) if isinstance(table, EssayTable) else {}
    return Origin(__version__, command, options, model, table.digests(), tuple(table.part_sizes(PART_ROWS)))


def _feature_names(model: "AnyModel") -> list[str]:
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.hybrid.score_hybrid import CHARACTERS, WORDS
    from assay.essays.hybrid.transfer import NAMES
    from assay.essays.scoring.model import EssayModel

    if isinstance(model, EssayModel):
        return list(model.features)
    return [*model.space.names, CHARACTERS, WORDS] if isinstance(model, HybridModel) else [*NAMES, CHARACTERS]


def _check_prompts(table: Essays, model: "EssayModel") -> None:
    from assay.essays.scoring.score import check_prompts
    from assay.files.columns import text_column

    if not model.needs_prompt:
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


def say_left(folder: PartFolder, *, quiet: bool) -> None:
    """When some parts are there already."""
    from assay.cli.terminal import console

    if folder.done and not quiet:
        rest = "going on from there" if len(folder.done) < len(folder.parts) else "nothing is left to do"
        remark = f"{len(folder.done)} of {len(folder.parts)} parts are in {folder.path} already: {rest}."
        console(stderr=True).print(remark, markup=False, soft_wrap=True)
