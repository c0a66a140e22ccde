"""A configuration to start from: every option of a command with its default, and a mark where a value is needed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from assay.errors import InputError
from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.schema import Command
from assay.io.rsm.configuration.values import BadValue

ENTER = "ENTER_VALUE_HERE"
"""What stands where a value is needed, as RSMTool writes it."""
TOOLS: Mapping[str, Command] = MappingProxyType({one.name.removeprefix("rsm"): one for one in schema.COMMANDS})
"""By the word after `assay rsm`."""
ALSO_NEEDED = ("experiment_id_old", "experiment_dir_old", "experiment_id_new", "experiment_dir_new")
"""Of a comparison, unless it lists `experiment_dirs`."""
ABOUT_GROUPS = ("by_group", "fairness")


@dataclass(frozen=True, slots=True)
class NeededOption:
    """An option without which a command cannot run."""

    name: str
    command: Command

    def checked(self, answer: str) -> Any:
        """The value that somebody typed; InputError says what it must be."""
        text, option = answer.strip(), self.command.options[self.name]
        given: Any = [name.strip() for name in text.split(",")] if self.several else text
        try:
            value = option.read(given)
        except BadValue as problem:
            raise InputError(f"{self.name} must be {problem}, got {text!r}", field=self.name) from None
        return list(value) if isinstance(value, tuple) else value

    @property
    def several(self) -> bool:
        """Whether it takes names separated by commas."""
        return self.name == "experiment_dirs"


def command_named(tool: str) -> Command:
    """The command by its name, with or without `rsm` before it; InputError lists them."""
    command = TOOLS.get(tool.strip().lower().removeprefix("rsm"))
    if command is None:
        remedy = f"Choose one of {', '.join(TOOLS)}."
        raise InputError(f"there is no command {tool!r} to configure", field="tool", remedy=remedy)
    return command


def needed_options(command: Command) -> Iterator[NeededOption]:
    """What a user has to say, in the order of the file."""
    also = ALSO_NEEDED if command is schema.RSMCOMPARE else ()
    for name, option in command.options.items():
        if option.required or name in also:
            yield NeededOption(name, command)


def generated(command: Command, values: Mapping[str, Any], *, groups: bool) -> dict[str, Any]:
    """Every option of RSMTool's with its default; needed ones first, marked where no value is given.

    `groups`: whether the report has sections about subgroups.
    """
    needed = {option.name: values.get(option.name, ENTER) for option in needed_options(command)}
    options = needed | {name: _plain(o.default) for name, o in command.options.items() if name not in needed}
    if command.sections and "general_sections" in command.options:
        sections = [name for name in command.sections if groups or not any(word in name for word in ABOUT_GROUPS)]
        options["general_sections"] = sections
    return options


def _plain(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def config_json(options: Mapping[str, Any]) -> str:
    """A configuration file, without comments: any program can read it."""
    return json.dumps(options, indent=2, ensure_ascii=False) + "\n"
