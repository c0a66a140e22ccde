"""A configuration of any RSMTool command: a file or a mapping -> values by option, all mistakes at once."""

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fsencode
from pathlib import Path
from typing import Any, TypeAlias

from assay.errors import Field, InputError, Message, reader, refuse_pipe
from assay.execution.limits import check
from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.schema import RSMCOMPARE, RSMEVAL, RSMPREDICT, Command
from assay.io.rsm.configuration.values import BadValue, yes_or_no
from assay.io.toml_text import parse_toml

# a text is matched first, so that slashes inside it are left alone
_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
COMPAT = "compat"
"""Our one option of every command: reproduce RSMTool's defects too."""
MORE_ROLES = ("test_label_column", "second_human_score_column", "candidate_column", "human_score_column")
"""Options whose columns can be no subgroups and no flags."""
FLAT = "Write options as names with plain values, lists or one object each."
Values = Mapping[str, Any]
ConfigSource: TypeAlias = str | PathLike[str] | Values
"""A configuration file, JSON with comments or TOML; or options at hand, by RSMTool's names."""


def without_comments(text: str) -> str:
    """The text with // and /* */ comments blanked out; line numbers stay as they are.

    >>> without_comments('{"a": "b//c"} // d')
    '{"a": "b//c"}     '
    """
    return _TEXT_OR_COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\r\n]", " ", m[0]), text)


def read_json_object(path: Path) -> dict[str, Any]:
    """The one object in a JSON file that may hold comments; InputError names the line of a mistake."""
    refuse_pipe(path)
    try:
        check("json_bytes", path.stat().st_size, path)
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("it does not exist", source=path, remedy="Check the name and the folder.") from None
    except (OSError, UnicodeDecodeError) as problem:
        what = f"it cannot be read as a text file: {problem}"
        raise InputError(what, source=path, remedy="Save it as text in UTF-8.") from problem
    try:
        content = json.loads(without_comments(text), object_pairs_hook=_once_each)
    except json.JSONDecodeError as problem:
        what = f"{problem.msg} (column {problem.colno})"
        remedy = "Check that every line but the last ends with a comma and that all quotes match."
        raise InputError(what, source=path.name, row=problem.lineno, remedy=remedy) from problem
    except RecursionError:
        raise InputError("it is nested too deeply", source=path.name, remedy=FLAT) from None
    except _Repeated as problem:
        raise InputError(f"it sets {problem} more than once", source=path.name, remedy="Keep one of them.") from problem
    except ValueError as problem:  # thousands of digits
        raise InputError(f"a number cannot be read: {problem}", source=path.name, remedy="Correct it.") from problem
    if not isinstance(content, dict):
        raise InputError("it holds no object", source=path.name, remedy="Write all options between { and }.")
    return content


class _Repeated(ValueError):
    pass


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(", ".join(sorted({repr(name) for name in names if names.count(name) > 1})))
    return content


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
        try:
            if b"\0" not in fsencode(name):
                return beside if beside.exists() or not Path(name).exists() else Path(name)
            why = "a zero byte"
        except OSError as error:
            why = str(error.strerror)
        except UnicodeError:
            why = "half a surrogate pair"
        problem = f"{name[:60]!r} is no name that a file can have: {why}"
        raise InputError(problem, field="config", remedy="Check the names of files.")

    def own_sections(self) -> dict[str, str]:
        """The text of each Markdown section by its name, without the ending."""
        paths = [self.located(name) for name in self.values.get("custom_sections") or () if is_markdown(name)]
        return {path.stem: read_section(path) for path in paths if path is not None}

    def remarks(self) -> tuple[str, ...]:
        """What was asked for and is not done, a sentence each."""
        values, remarks = self.values, []
        if notebooks := [name for name in values.get("custom_sections") or () if not is_markdown(name)]:
            remarks = [f"custom_sections: {', '.join(notebooks)} is not Markdown and is left out of the report."]
        if self.command is RSMCOMPARE and "features_by_group" in values["general_sections"]:
            remarks += ["features_by_group is not in a comparison: the report of each experiment has these box plots."]
        if values.get("use_wandb"):
            remarks.append("use_wandb is ignored: nothing leaves this machine.")
        folds = self.located(values.get("folds_file"))
        if folds is not None and not folds.exists():
            remarks.append(f"folds_file {folds.name} does not exist: {values['folds']} folds are drawn instead.")
        return tuple(remarks)


def is_markdown(name: str) -> bool:
    """Whether a section of one's own is a text we can set, by its ending."""
    return name.lower().endswith((".md", ".markdown"))


@reader
def read_section(path: Path) -> str:
    """A Markdown section."""
    try:
        check("section_bytes", path.stat().st_size, path)
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        remedy = "Check the name in custom_sections."
        raise InputError("it does not exist", source=path, field="custom_sections", remedy=remedy) from None
    except UnicodeDecodeError:
        remedy = "Save it as UTF-8."
        raise InputError("it is not in UTF-8", source=path, field="custom_sections", remedy=remedy) from None


@reader
def read_settings(source: ConfigSource, command: Command, *, compat: bool, folder: Path | None = None) -> Settings:
    """The values of a file, or of a mapping whose paths are seen from `folder`.

    InputError lists every mistake, each with its remedy. An option of another RSMTool command is a mistake; RSMTool
    drops it in silence, and so does `compat`.
    """
    file = None if isinstance(source, Mapping) else Path(source)
    given = dict(source) if isinstance(source, Mapping) else _content(Path(source))
    mistakes: list[Message] = []
    asked = given.pop(COMPAT, False)
    try:
        compat = yes_or_no(asked) or compat
    except BadValue as problem:
        mistakes.append(f"{COMPAT} must be {problem}, got {asked!r}.")
    mistakes += _misplaced(given, command, compat=compat)
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
    mistakes += _contradictions(values, command, compat=compat)
    if mistakes:
        parts = [f"cannot be used as an {command.name} configuration:"]
        for mistake in mistakes:
            parts += ["\n  - ", *((mistake,) if isinstance(mistake, str) else mistake)]
        raise InputError(tuple(parts), source=file.name if file else "", field="config")
    saved: dict[str, Any] = {}
    for name in [*(n for n in given if n in command.options), *command.options]:
        value = values[name] if command.options[name].as_read or given.get(name) is None else given[name]
        saved.setdefault(name, list(value) if isinstance(value, tuple) else value)
    if saved.get("min_n_per_group"):
        saved["min_n_per_group"] = per_group(values["min_n_per_group"], values["subgroups"])
    return Settings(command, values, saved, frozenset(given), file.parent if file else folder or Path(), compat)


def per_group(least: int | Mapping[str, int] | None, subgroups: Iterable[str]) -> dict[str, int]:
    """The least number of responses in each subgroup column."""
    if least is None:
        return {}
    return dict(least) if isinstance(least, Mapping) else dict.fromkeys(subgroups, least)


def _content(path: Path) -> dict[str, Any]:
    if path.suffix.lower() != ".toml":
        return read_json_object(path)
    refuse_pipe(path, field="config")
    try:
        check("toml_bytes", path.stat().st_size, path)
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        remedy = "Check the name and the folder."
        raise InputError("does not exist", source=path, field="config", remedy=remedy) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot be read as a text file: {problem}", source=path, field="config") from problem
    return parse_toml(text, source=path.name, field="config")


def _misplaced(given: Values, command: Command, *, compat: bool) -> Iterator[Message]:
    for name in given:
        if name in command.known:
            continue
        other = next((other.name for other in schema.COMMANDS if name in other.options), None)
        if other is None:
            near = difflib.get_close_matches(name, [*command.known, COMPAT], n=1, cutoff=0)
            yield f"There is no option {name}. Did you mean {near[0]}?"
        elif not compat:
            near = difflib.get_close_matches(name, list(command.known), n=1, cutoff=0.75)
            meant = f"Did you mean {near[0]}? " if near else ""
            problem = f"{name} is an option of {other}, not of {command.name}. {meant}Remove it, or ignore it with "
            yield problem, Field(COMPAT), "."


def _contradictions(values: Values, command: Command, *, compat: bool) -> Iterator[str]:
    """Options that do not go together, a sentence each."""
    trained = command in (schema.RSMTOOL, schema.RSMXVAL)
    folders, called = values.get("experiment_dirs"), values.get("experiment_names")
    if folders and called and len(folders) != len(called):
        yield f"experiment_names must name each of the {len(folders)} experiment_dirs, got {len(called)} names."
    if command is RSMEVAL:
        yield from _used_twice(values, tuple(schema.OWN_NAMES), compat=compat, reserved=schema.COUNT_NAMES)
    if trained:
        yield from _features(values)
        yield from _training_columns(values)
    if command is RSMPREDICT:
        yield from _used_twice(values, ("id_column", "human_score_column"))
    low, high = values.get("trim_min"), values.get("trim_max")
    if low is not None and high is not None and low >= high:
        yield f"trim_min ({low:g}) must be below trim_max ({high:g})."
    if values.get("min_items_per_candidate") and not values.get("candidate_column"):
        yield "min_items_per_candidate needs candidate_column: the column that says who wrote a response."
    least = values.get("min_n_per_group")
    if isinstance(least, dict) and "subgroups" in values and set(least) != set(values["subgroups"]):
        yield f"min_n_per_group must name the same columns as subgroups: {', '.join(values['subgroups']) or 'none'}."
    yield from _order(values, command)
    yield from _own_sections(values, command, compat=compat)
    if command is RSMCOMPARE:
        yield from _compared(values)
    samples = [name for name in ("sample_range", "sample_size", "sample_ids") if values.get(name) is not None]
    if len(samples) > 1:
        yield f"{' and '.join(samples)} exclude each other. Keep one."
    if trained and values.get("model"):
        yield from _model(values)


def _compared(values: Values) -> Iterator[str]:
    pairs = ("experiment_id_old", "experiment_dir_old", "experiment_id_new", "experiment_dir_new")
    given = [name for name in pairs if values.get(name)]
    if values.get("experiment_dirs"):
        if given:
            yield f"experiment_dirs and {given[0]} exclude each other. List all, or name an old and a new one."
        elif len(values["experiment_dirs"]) < 2:
            yield "experiment_dirs must list two or more folders to compare."
    elif len(given) < len(pairs):
        missing = ", ".join(name for name in pairs if name not in given)
        yield f"{missing} missing. rsmcompare needs an old and a new experiment, or a list of experiment_dirs."


def _order(values: Values, command: Command) -> Iterator[str]:
    """Sections that have a place but are not in the report. RSMTool asks for all of them; here some will do."""
    custom = [Path(name).stem for name in values.get("custom_sections") or ()]
    general = values.get("general_sections") or ("all",)
    for name in values.get("section_order") or ():
        if name not in command.sections and name not in custom:
            near = difflib.get_close_matches(name, [*command.sections, *custom], n=1, cutoff=0)
            yield f"section_order names {name!r}, which is no section. Did you mean {near[0]}?"
        elif "all" not in general and name not in general and name not in custom:
            yield f"section_order names {name!r}, which is not among general_sections. Add it there, or remove it here."


def _own_sections(values: Values, command: Command, *, compat: bool) -> Iterator[str]:
    names = values.get("custom_sections") or ()
    for name in names:
        if not compat and not is_markdown(name):
            what = "a Jupyter notebook, and notebooks are not run" if name.endswith(".ipynb") else "not Markdown"
            remedy = "Write the section as Markdown (.md), or remove it; with compat it is left out."
            yield f"custom_sections names {name!r}, which is {what}. {remedy}"
    stems = [Path(name).stem for name in names]
    for stem in dict.fromkeys(stems):
        if stem in command.sections or stems.count(stem) > 1:
            yield f"custom_sections has a section {stem!r}, and so does the report already. Rename the file."


def _features(values: Values) -> Iterator[str]:
    listed = values.get("features")
    for option in ("feature_subset_file", "feature_subset"):
        if listed and values.get(option):
            yield f"features and {option} cannot be used together. Keep one of them."
    for option in ("feature_subset", "sign"):
        if values.get(option) and not values.get("feature_subset_file"):
            yield f"{option} needs feature_subset_file: the table that says what it means."
    if values.get("use_truncation_thresholds") and not isinstance(listed, str):
        yield "use_truncation_thresholds needs a feature file in features, with columns min and max."


def _training_columns(values: Values) -> Iterator[str]:
    second = values.get("second_human_score_column")
    # the second human score is one of the evaluation responses: in training its column may be the label
    if second and second == values.get("test_label_column", values.get("train_label_column")):
        yield f"second_human_score_column and the label column are both {second!r}. Give each its own."
    # a candidate may be the response itself
    yield from _used_twice(values, ("id_column", "train_label_column", "length_column"))
    for option in ("train_label_column", "test_label_column"):
        if values.get(option) == "fake":
            yield f"{option} 'fake' stands for random labels in RSMTool and fails there. Name a column of human scores."
    listed = values.get("features")
    for option in ("length_column", "second_human_score_column"):
        if isinstance(listed, tuple) and values.get(option) in listed:
            yield f"{values[option]!r} is the {option} and cannot be a feature as well."


def _used_twice(
    values: Values, roles: tuple[str, ...], *, compat: bool = False, reserved: tuple[str, ...] = ()
) -> Iterator[str]:
    """Options that must name different columns, and do not; subgroups and flags that are something else already."""
    used: dict[str, str] = {}
    for role in roles:
        column = values.get(role)
        # RSMTool takes the system score for what it is, and leaves out the second human score
        excused = compat and (used.get(column or ""), role) == ("system_score_column", "second_human_score_column")
        if column in used and not excused:
            yield f"{role} and {used[column]} both name the column {column!r}. Give each its own."
        if column is not None:
            used.setdefault(column, role)
    own_names = {*reserved, *(schema.OWN_NAMES[role] for role in used.values() if reserved)}
    for role in (*MORE_ROLES, *roles):
        if values.get(role) is not None:
            used.setdefault(values[role], role)
    for role in ("subgroups", "flag_column", "flag_column_test"):
        for column in values.get(role) or ():
            if column in used:
                yield f"{role} names the column {column!r}, which is the {used[column]} already."
            elif column in own_names:
                yield f"{role} names the column {column!r}, but RSMTool's tables use this name. Rename the column."


def _model(values: Values) -> Iterator[str]:
    from assay.rsm.learners import estimators as models  # noqa: PLC0415 - learners are slow to import
    from assay.rsm.types import ExperimentPlan  # noqa: PLC0415

    expected = bool(values.get("predict_expected_scores"))
    try:
        models.check_model(ExperimentPlan(values["model"], predict_expected_scores=expected))
        objective = values.get("skll_objective")
        if objective and values["model"] in models.ESTIMATORS:
            models.check_objective(objective, classifier=models.ESTIMATORS[values["model"]].classifier)
    except InputError as problem:
        yield str(problem)
