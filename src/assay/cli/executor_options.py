"""Options of every command that spreads its work, and what they ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.cli.observer import TerminalObserver
    from assay.execution.stages import TimedExecutor

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
def timed_executor(
    workers: int | None, cluster: str | None, doing: str, *, profile: bool = False, quiet: bool = False
) -> Iterator[tuple["TimedExecutor", "TerminalObserver"]]:
    """An executor whose work counts as the stage `doing`, and who hears of it; at the end, where the time went."""
    from assay.cli.observer import TerminalObserver
    from assay.execution.executor import open_executor
    from assay.execution.stages import TimedExecutor

    observer = TerminalObserver(quiet=quiet)
    with open_executor(workers, cluster) as executor:
        yield TimedExecutor(executor, observer.stages, doing), observer
    observer.tell_stages(profile=profile)
