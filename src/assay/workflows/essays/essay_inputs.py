"""Essays and models as people pass them: a path, a frame, texts, `Essay` objects; a model, its file, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from assay import __version__
from assay.errors import Field, InputError
from assay.essays.text.text import Essay
from assay.execution.observer import SILENT, Observer
from assay.io.tables.part_folder import Origin, PartFolder
from assay.provenance import Provenance, created
from assay.workflows.inputs import TableLike, table_of

if TYPE_CHECKING:
    import polars as pl

    from assay.essays.models.scoring_model import ScoringModel
    from assay.io.essays.table import EssayColumns, EssayFolder, EssayTable
    from assay.io.tables.tables import TableSource


class HoldsModel(Protocol):
    """What a training verb returns: something with a model in it."""

    @property
    def model(self) -> "ScoringModel": ...


EssaysLike: TypeAlias = TableLike
"""A path to a table, or to essays as documents (one, a folder or a ZIP), a frame, a list of texts or of `Essay`."""
ModelLike: TypeAlias = "str | PathLike[str] | ScoringModel | HoldsModel | None"
"""A model, what a training verb returned, the path of a model file, or None for the bundled one."""

JUDGE_PREFIX = "judge:"
"""Before the path of a rubric, in place of a model file."""
IN_MEMORY = Path("essays")
"""What messages and reports call essays that come from no file."""
PART_ROWS = 10_000
"""Essays of a Parquet part where the input is one file."""


def essay_source(
    essays: EssaysLike, columns: "EssayColumns | None"
) -> "tuple[Path | TableSource, EssayColumns | None]":
    """Where the essays are read from, and their columns: those given, or the only ones there can be."""
    if isinstance(essays, str | PathLike):
        return spooled_input() if fspath(essays) == "-" else _path(essays), columns
    from assay.io.tables.tables import TableSource  # noqa: PLC0415 - brings Polars

    frame, named = essay_frame(essays)
    return TableSource(IN_MEMORY, tuple(frame.columns), 1, (), frame.lazy), named if _unnamed(columns) else columns


def _unnamed(columns: "EssayColumns | None") -> bool:
    return columns is None or not (columns.text or columns.file)


def spooled_input() -> Path:
    """Standard input in a file of its own, until the program ends: an essay, a ZIP of essays, or a table as CSV."""
    from assay.io.essays.standard_input import spool  # noqa: PLC0415 - only sometimes

    return spool()


def _path(essays: "str | PathLike[str]") -> Path:
    if not str(essays):
        remedy = "Pass the path of a table or a folder, or a list of texts."
        raise InputError((Field("essays"), " is an empty string"), field="essays", remedy=remedy)
    return Path(essays)


def essay_frame(essays: EssaysLike) -> "tuple[pl.DataFrame, EssayColumns | None]":
    """Essays in memory as a frame, and its columns where the form of the input tells them."""
    import polars as pl  # noqa: PLC0415 - heavy, and a path needs none

    from assay.io.essays.table import EssayColumns  # noqa: PLC0415 - brings Polars

    if isinstance(essays, Sequence) and essays and all(isinstance(essay, str) for essay in essays):
        return pl.DataFrame({"text": list(essays)}), EssayColumns("text")
    if isinstance(essays, Sequence) and essays and all(isinstance(essay, Essay) for essay in essays):
        rows = [(essay.essay_id, essay.text, essay.prompt) for essay in essays]
        frame = pl.DataFrame(rows, schema=dict.fromkeys(("id", "text", "prompt"), pl.String), orient="row")
        return frame, EssayColumns("text", "id", "prompt")
    table = table_of(essays, "essays")
    assert not isinstance(table, Path)  # paths were dealt with before
    return table, None


def open_essay_input(
    essays: EssaysLike, columns: "EssayColumns | None", observer: Observer = SILENT
) -> "EssayTable | EssayFolder":
    """The essays, checked and ready to be read in parts; the observer hears of files that cannot be read."""
    from assay.io.essays.table import open_essays  # noqa: PLC0415 - brings Polars

    source, named = essay_source(essays, columns)
    return open_essays(source, named, **heard_by(observer))


def heard_by(observer: Observer) -> Any:
    """Arguments of whatever reads essays: who hears of files that cannot be read, and of columns that are guessed."""
    return {
        "on_problem": lambda problem: observer.remark(f"Not read: {problem}"),
        "on_guess": observer.assume,
    }


def open_parts(
    source: "EssayTable | EssayFolder", out: Path, command: str, model: str | None, observer: Observer, *, force: bool
) -> PartFolder:
    """The folder of Parquet parts that a command writes, and a remark on what an earlier run left in it."""
    from assay.io.essays.table import EssayTable  # noqa: PLC0415 - brings Polars

    options = asdict(source.columns) if isinstance(source, EssayTable) else {}
    sizes = tuple(source.part_sizes(PART_ROWS))
    folder = PartFolder(out, Origin(__version__, command, options, model, source.digests(), sizes), force=force)
    if folder.done:
        rest = "going on from there" if folder.left() else "nothing is left to do"
        observer.remark(f"{len(folder.done)} of {len(folder.parts)} parts are in {folder.path} already: {rest}.")
    return folder


def names_judge(model: object) -> bool:
    """Whether a model is a judge, by its name."""
    return isinstance(model, str | PathLike) and str(model).startswith(JUDGE_PREFIX)


def say_data(observer: Observer) -> None:
    """One line where essays are read with free data alone."""
    from assay.essays.data_files import INSTEAD, has_non_commercial  # noqa: PLC0415

    if not has_non_commercial():
        observer.remark(INSTEAD)


def model_input(model: ModelLike) -> "tuple[ScoringModel, str]":
    """The model and the digest of what it was read from: a file, the package, or memory."""
    from assay.io.models.scoring_models import NAMED_MODELS, bundled_essay_model, read_scoring_model  # noqa: PLC0415
    from assay.io.tables.tables import file_digest  # noqa: PLC0415

    if model is None:
        return bundled_essay_model(), "bundled"
    if isinstance(model, str | PathLike) and str(model) in NAMED_MODELS and not Path(model).exists():
        return NAMED_MODELS[str(model)](), str(model)
    if isinstance(model, str | PathLike):
        return read_scoring_model(Path(model)), file_digest(Path(model))
    own: ScoringModel = getattr(model, "model", cast("Any", model))  # what a training verb returned holds its model
    if not hasattr(own, "reads_with"):
        problem = (Field("model"), f" is of type {type(model).__name__}")
        raise InputError(problem, field="model", remedy="Pass a model, the path of its file, or None.")
    return own, "memory"


def made_now(command: str) -> Provenance:
    """When, and by which version; the command as the caller calls it."""
    return Provenance(__version__, command, {}, 0, created())


def with_asked_consequences(model: "ScoringModel", asked: Mapping[str, str] | None) -> "ScoringModel":
    """The model with what is asked to follow from advisories; InputError if there is no such thing."""
    from assay.essays.integrity.consequences import checked_consequences  # noqa: PLC0415 - as the models themselves

    if not asked:
        return model
    return replace(model, consequences={**model.consequences, **checked_consequences(asked, model.scale)})
