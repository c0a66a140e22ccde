"""Options of every command that spreads its work."""

from typing import Annotated

import typer

Workers = Annotated[int | None, typer.Option("--workers", "-j", min=1, help="Processes; one per core without it.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", help="Work on a Dask cluster instead: tcp://HOST:PORT of its scheduler, or local."),
]
