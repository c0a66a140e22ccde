"""A configuration of any RSMTool command: a file or a mapping -> values by option, all mistakes at once."""

import difflib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from assay.errors import Field, InputError, Message
from assay.io.json_comments import read_json_object
from assay.io.rsm.configuration.schema import COMMANDS, Command
from assay.io.rsm.configuration.values import BadValue, yes_or_no

COMPAT = "compat"
"""Our one option of every command: reproduce RSMTool's defects too."""

Values = Mapping[str, Any]
ConfigSource: TypeAlias = str | PathLike[str] | Values
"""A configuration file, JSON with comments or TOML; or options at hand, by RSMTool's names."""
Contradictions = Callable[[Values, bool], Iterable[str]]
"""Values, and whether RSMTool's defects count -> options that do not go together, a sentence each."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a configuration says."""

    command: Command
    values: Values
    """Every option of the command, given or not."""
    saved: Values
    """The configuration as RSMTool would save it: the user's options first, then the defaults."""
    given: frozenset[str]
    folder: Path
    """Where the file is: relative paths start from here."""
    compat: bool

    def located(self, name: str | None) -> Path | None:
        """The file as seen from the configuration file, or else from where the command was called."""
        if name is None:
            return None
        if "://" in name:  # an object store
            return Path(name)
        beside = self.folder / name
        return beside if beside.exists() or not Path(name).exists() else Path(name)

    def remarks(self) -> tuple[str, ...]:
        """What was asked for and is not done, a sentence each."""
        values, remarks = self.values, []
        if values.get("custom_sections"):
            remarks.append(
                "custom_sections are Jupyter notebooks: they are not run, and the report does not hold them."
            )
        if "comparison_id" in values and "features_by_group" in values["general_sections"]:
            remarks.append(
                "features_by_group is not in a comparison: the report of each experiment has these box plots."
            )
        if values.get("use_wandb"):
            remarks.append("use_wandb is ignored: nothing leaves this machine.")
        folds = self.located(values.get("folds_file"))
        if folds is not None and not folds.exists():
            remarks.append(f"folds_file {folds.name} does not exist: {values['folds']} folds are drawn instead.")
        return tuple(remarks)


def read_settings(
    source: ConfigSource, command: Command, contradictions: Contradictions, *, compat: bool, folder: Path | None = None
) -> Settings:
    """The values of a file, or of a mapping whose paths are seen from `folder`.

    InputError lists every mistake, each with its remedy. An option of another RSMTool command is a mistake; RSMTool
    drops it in silence, and so does `compat`.
    """
    file = None if isinstance(source, Mapping) else Path(source)
    given = dict(source) if isinstance(source, Mapping) else _content(Path(source))
    mistakes: list[Message] = []
    compat = _compat(given.pop(COMPAT, False), mistakes) or compat
    mistakes += _misplaced(given, command, compat=compat)
    values = _values(given, command, mistakes)
    mistakes += contradictions(values, compat)
    if mistakes:
        article = "an" if command.name[0] in "aeior" else "a"
        parts = [f"cannot be used as {article} {command.name} configuration:"]
        for mistake in mistakes:
            parts += ["\n  - ", *((mistake,) if isinstance(mistake, str) else mistake)]
        raise InputError(tuple(parts), source=file.name if file else "", field="config")
    place = file.parent if file else folder or Path()
    return Settings(command, values, _saved(given, values, command), frozenset(given), place, compat)


def per_group(least: int | Mapping[str, int] | None, subgroups: Iterable[str]) -> dict[str, int]:
    """The least number of responses in each subgroup column."""
    if least is None:
        return {}
    return dict(least) if isinstance(least, Mapping) else dict.fromkeys(subgroups, least)


def _content(path: Path) -> dict[str, Any]:
    if path.suffix.lower() != ".toml":
        return read_json_object(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(
            "does not exist", source=path, field="config", remedy="Check the name and the folder."
        ) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot be read as a text file: {problem}", source=path, field="config") from problem
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"no valid TOML: {problem}", source=path.name, field="config") from problem


def _compat(value: Any, mistakes: list[Message]) -> bool:
    try:
        return yes_or_no(value)
    except BadValue as problem:
        mistakes.append(f"{COMPAT} must be {problem}, got {value!r}.")
        return False


def _misplaced(given: Values, command: Command, *, compat: bool) -> Iterator[Message]:
    for name in given:
        if name in command.known:
            continue
        other = next((other.name for other in COMMANDS if name in other.options), None)
        if other is None:
            near = difflib.get_close_matches(name, [*command.known, COMPAT], n=1, cutoff=0)
            yield f"There is no option {name}. Did you mean {near[0]}?"
        elif not compat:
            near = difflib.get_close_matches(name, list(command.known), n=1, cutoff=0.75)
            meant = f"Did you mean {near[0]}? " if near else ""
            problem = f"{name} is an option of {other}, not of {command.name}. {meant}Remove it, or ignore it with "
            yield problem, Field(COMPAT), "."


def _values(given: Values, command: Command, mistakes: list[Message]) -> dict[str, Any]:
    """The value of every option that could be read."""
    values: dict[str, Any] = {}
    for name, option in command.known.items():
        value = given.get(name)
        if value is None:
            values[name] = option.default
            if option.required:
                mistakes.append(f"{name} is missing. {command.name} needs it.")
            continue
        try:
            values[name] = option.read(value)
        except BadValue as problem:
            mistakes.append(f"{name} must be {problem}, got {value!r}.")
    return values


def _saved(given: Values, values: Values, command: Command) -> dict[str, Any]:
    saved: dict[str, Any] = {}
    for name in [*(n for n in given if n in command.options), *command.options]:
        value = values[name] if command.options[name].as_read or given.get(name) is None else given[name]
        saved.setdefault(name, list(value) if isinstance(value, tuple) else value)
    if saved.get("min_n_per_group"):
        saved["min_n_per_group"] = per_group(values["min_n_per_group"], values["subgroups"])
    return saved
