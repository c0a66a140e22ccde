"""A configuration of any RSMTool command: JSON with comments, or TOML -> values by option, all mistakes at once."""

import difflib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.io.json.comments import read_json_object
from assay.io.rsm.configuration.options import BadValue, Option, yes_or_no

COMPAT = "compat"
"""Our one option of every command: reproduce RSMTool's defects too."""

Values = Mapping[str, Any]
Contradictions = Callable[[Values, bool], Iterable[str]]
"""Values, and whether RSMTool's defects count -> options that do not go together, a sentence each."""


@dataclass(frozen=True, slots=True)
class Command:
    """One of RSMTool's commands: its options, and those of its sisters."""

    name: str
    options: Mapping[str, Option]
    """In the order in which RSMTool saves those that were not given."""
    sisters: Mapping[str, Iterable[str]]
    """Other command -> its options."""
    own: Mapping[str, Option]
    """Options that RSMTool does not have; they are not saved for it."""
    as_read: frozenset[str] = frozenset()
    """Options whose value is saved as it was understood, not as it was written."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a configuration file says."""

    values: Values
    """Every option of the command, given or not."""
    saved: Values
    """The configuration as RSMTool would save it: the user's options first, then the defaults."""
    given: frozenset[str]
    folder: Path
    """Where the file is: relative paths start from here."""
    compat: bool

    def located(self, option: str) -> Path:
        """The file an option names."""
        return located(self.values[option], self.folder)


def read_settings(path: Path, command: Command, *, compat: bool, contradictions: Contradictions) -> Settings:
    """The values in a file. InputError lists every mistake, each with its remedy.

    An option of another RSMTool command is a mistake; RSMTool drops it in silence, and so does `compat`.
    """
    return settings_of(
        _read(path), path.parent, command, compat=compat, contradictions=contradictions, source=path.name
    )


def settings_of(
    given: Values,
    folder: Path,
    command: Command,
    *,
    compat: bool,
    contradictions: Contradictions,
    source: str = "This",
) -> Settings:
    """The same for options at hand."""
    given = dict(given)
    mistakes: list[str] = []
    compat = _compat(given.pop(COMPAT, False), mistakes) or compat
    mistakes += _misplaced(given, command, compat=compat)
    values = _values(given, command, mistakes)
    mistakes += contradictions(values, compat)
    if mistakes:
        listed = "".join(f"\n  - {mistake}" for mistake in mistakes)
        article = "an" if command.name[0] in "aeior" else "a"
        raise InputError(f"{source} cannot be used as {article} {command.name} configuration:{listed}")
    return Settings(values, _saved(given, values, command), frozenset(given), folder, compat)


def located(name: str, folder: Path) -> Path:
    """The file as seen from the configuration file, or else from where the command was called."""
    if "://" in name:  # an object store
        return Path(name)
    beside = folder / name
    return beside if beside.exists() or not Path(name).exists() else Path(name)


def per_group(least: int | Mapping[str, int] | None, subgroups: Iterable[str]) -> dict[str, int]:
    """The least number of responses in each subgroup column."""
    if least is None:
        return {}
    return dict(least) if isinstance(least, Mapping) else dict.fromkeys(subgroups, least)


def common_contradictions(values: Values) -> Iterator[str]:
    """Options that do not go together in any command."""
    low, high = values.get("trim_min"), values.get("trim_max")
    if low is not None and high is not None and low >= high:
        yield f"trim_min ({low:g}) must be below trim_max ({high:g})."
    if values.get("min_items_per_candidate") and not values.get("candidate_column"):
        yield "min_items_per_candidate needs candidate_column: the column that says who wrote a response."
    least = values.get("min_n_per_group")
    if isinstance(least, dict) and "subgroups" in values and set(least) != set(values["subgroups"]):
        yield f"min_n_per_group must name the same columns as subgroups: {', '.join(values['subgroups']) or 'none'}."


def order_contradictions(values: Values, known: Iterable[str]) -> Iterator[str]:
    """Sections that have a place but are not in the report. RSMTool asks for all of them; here some will do."""
    custom = [Path(name).stem for name in values.get("custom_sections") or ()]
    wanted = values.get("general_sections") or ("all",)
    for name in values.get("section_order") or ():
        if name in custom:
            continue
        if name not in known:
            near = difflib.get_close_matches(name, [*known, *custom], n=1, cutoff=0)
            yield f"section_order names {name!r}, which is no section. Did you mean {near[0]}?"
        elif "all" not in wanted and name not in wanted:
            yield f"section_order names {name!r}, which is not among general_sections. Add it there, or remove it here."


def _read(path: Path) -> dict[str, Any]:
    if path.suffix.lower() != ".toml":
        return read_json_object(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist. Check the name and the folder.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path} cannot be read as a text file: {problem}.") from problem
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path.name} is no valid TOML: {problem}.") from problem


def _compat(value: Any, mistakes: list[str]) -> bool:
    try:
        return yes_or_no(value)
    except BadValue as problem:
        mistakes.append(f"{COMPAT} must be {problem}, got {value!r}.")
        return False


def _misplaced(given: Values, command: Command, *, compat: bool) -> Iterator[str]:
    known = {**command.options, **command.own}
    commands = {option: sister for sister, options in command.sisters.items() for option in options}
    for name in given:
        if name in known or (compat and name in commands):
            continue
        if name in commands:
            yield f"{name} is an option of {commands[name]}, not of {command.name}. {_remedy(name, known)}"
            continue
        near = difflib.get_close_matches(name, [*known, COMPAT], n=1, cutoff=0)
        yield f"There is no option {name}. Did you mean {near[0]}?"


def _remedy(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f"{f'Did you mean {near[0]}? ' if near else ''}Remove it, or ignore it with --compat."


def _values(given: Values, command: Command, mistakes: list[str]) -> dict[str, Any]:
    """The value of every option that could be read."""
    values: dict[str, Any] = {}
    for name, option in {**command.options, **command.own}.items():
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
        value = values[name] if name in command.as_read or given.get(name) is None else given[name]
        saved.setdefault(name, list(value) if isinstance(value, tuple) else value)
    if saved.get("min_n_per_group"):
        saved["min_n_per_group"] = per_group(values["min_n_per_group"], values["subgroups"])
    return saved
