"""Options of every command that spreads its work, and what they ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.cli.stages import Stages, WatchedCrew

Workers = Annotated[int | None, typer.Option("--workers", "-j", min=1, help="Processes; one per core without it.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", help="Work on a Dask cluster instead: tcp://HOST:PORT of its scheduler, or local."),
]
Partitions = Annotated[
    bool,
    typer.Option(
        "--partitions",
        help="Write a folder of Parquet parts, one for each part of the input; run again after a crash to go on.",
    ),
]
Profile = Annotated[bool, typer.Option("--profile", help="Say on stderr what each stage took: time, CPU, memory.")]


@contextmanager
def at_work(
    workers: int | None, cluster: str | None, doing: str, *, profile: bool = False, quiet: bool = False
) -> Iterator[tuple["WatchedCrew", "Stages"]]:
    """A crew, what it does counted as the stage `doing`; at the end it is told where the time went."""
    from assay.cli.stages import Stages, WatchedCrew, tell_stages
    from assay.execution.executor import open_crew

    stages = Stages()
    with open_crew(workers, cluster) as crew:
        yield WatchedCrew(crew, stages, doing), stages
    tell_stages(stages, profile=profile, quiet=quiet)
