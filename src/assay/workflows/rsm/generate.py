"""`rsm_generate`: a configuration file to start from, as RSMTool's `generate` writes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.execution.observer import SILENT, Observer
from assay.io.rsm.configuration.generate import (
    ENTER,
    NeededOption,
    command_named,
    config_json,
    generated,
    needed_options,
)
from assay.io.tables.output import write_whole
from assay.workflows.arguments import check_arguments

Ask = Callable[[NeededOption], Any]


@dataclass(frozen=True, slots=True)
class GeneratedConfig:
    """The options of a configuration, and where values are still needed."""

    tool: str
    options: Mapping[str, Any]

    @property
    def missing(self) -> tuple[str, ...]:
        """Options that still need a value."""
        return tuple(name for name, value in self.options.items() if value == ENTER)

    def json(self) -> str:
        """The configuration file."""
        return config_json(self.options)

    def write(self, out: str | Path, *, force: bool = False) -> Path:
        """Write the configuration file; one that exists is replaced only with `force`."""
        path = Path(out)
        if path.exists() and not force:
            raise InputError("it exists already", source=path, field="out", remedy="Choose another name, or force it.")
        write_whole(path, self.json().encode())
        return path


def rsm_generate(
    tool: str,
    *,
    groups: bool = False,
    values: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    observer: Observer = SILENT,
) -> GeneratedConfig:
    """Write a configuration to start from: every option with its default.

    Parameters
    ----------
    tool
        The command it is for: tool, eval, predict, compare, summarize, xval or explain.
    groups
        Whether the report has the sections about subgroups.
    values
        Values of needed options, by name.
    ask
        A function that is asked for each needed option that has no value; without it a mark stands in its place.
    observer
        Who may stop it.

    Returns
    -------
    GeneratedConfig
        Its options; `.write(path)` writes the file.

    Examples
    --------
    >>> config = rsm_generate("eval", values={"experiment_id": "ours"})
    >>> config.missing
    ('predictions_file', 'system_score_column', 'trim_min', 'trim_max')
    """
    check_arguments(rsm_generate, locals())
    command = command_named(tool)
    needed = {option.name: option for option in needed_options(command)}
    given = dict(values or {})
    if unknown := [name for name in given if name not in needed]:
        remedy = f"Needed are: {', '.join(needed)}. Write other options into the file."
        raise InputError(f"{unknown[0]!r} is not a needed option", field="values", remedy=remedy)
    known = {name: needed[name].checked(str(value)) for name, value in given.items()}
    if ask is not None:
        known |= {name: ask(option) for name, option in needed.items() if name not in known}
    observer.check()
    return GeneratedConfig(command.name, generated(command, known, groups=groups))
