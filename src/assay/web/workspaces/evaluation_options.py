"""Options of an evaluation beyond its columns: as a form writes them, as they are kept, as the workflow takes them."""

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

from assay.errors import InputError
from assay.evaluation.plan import Plan
from assay.store.schema import Json
from assay.web.problems import FieldErrors, page_words
from assay.web.workspaces.stored_settings import EvaluationOptions

INTERVALS = ("jackknife", "bootstrap")
ZEROS = {"": None, "keep": True, "leave_out": False}
NUMBERS = {"min_items": "a whole number", "min_group": "a whole number", "seed": "a whole number"}
NUMBERS |= {"trim_tolerance": "a number such as 0.4998", "rater_error_variance": "a number such as 0.25"}
DEFAULTS = EvaluationOptions()


def form_texts(options: EvaluationOptions) -> dict[str, str]:
    """What the fields of the form hold."""
    values = options.model_dump()
    texts = {
        name: "" if value is None else str(value)
        for name, value in values.items()
        if name in EvaluationOptions.model_fields
    }
    texts["cuts"] = ", ".join(f"{cut:g}" for cut in options.cuts)
    texts["flag"] = "; ".join(options.flag)
    texts["keep_zeros"] = next(word for word, value in ZEROS.items() if value is options.keep_zeros)
    return texts


def options_of(typed: Mapping[str, str]) -> EvaluationOptions:
    """The options of a form; FieldErrors for what cannot be read."""
    values: dict[str, Any] = {"weights": typed.get("weights", ""), "intervals": typed.get("intervals", "")}
    errors: dict[str, str] = {}
    for name, takes in NUMBERS.items():
        text = typed.get(name, "").strip()
        if text:
            try:
                values[name] = int(text) if takes == "a whole number" else float(text)
            except ValueError:
                errors[name] = f"Write {takes}, not {text!r}."
    try:
        values["cuts"] = [float(cut) for cut in typed.get("cuts", "").replace(";", ",").split(",") if cut.strip()]
    except ValueError:
        errors["cuts"] = "Write numbers with commas between them, such as 3, 4.5."
    values["flag"] = [text.strip() for text in typed.get("flag", "").split(";") if text.strip()]
    values["keep_zeros"] = ZEROS.get(typed.get("keep_zeros", ""))
    values["intervals"] = values["intervals"] or DEFAULTS.intervals
    if errors:
        raise FieldErrors(errors)
    return EvaluationOptions.from_json(values)


def option_errors(options: EvaluationOptions, columns: Sequence[str]) -> dict[str, str]:
    """What cannot be used, by field."""
    errors = {}
    if options.weights and options.weights not in columns:
        errors["weights"] = f"The table has no column {options.weights!r}."
    for text in options.flag:
        column, equals, _ = text.partition("=")
        if not (column and equals):
            errors["flag"] = f"Write a condition as column=value, not {text!r}."
        elif column not in columns:
            errors["flag"] = f"The table has no column {column!r}."
    if options.intervals not in INTERVALS:
        errors["intervals"] = f"Choose {' or '.join(INTERVALS)}."
    for name in ("min_items", "min_group", "seed"):
        if getattr(options, name) < 0:
            errors[name] = "Write 0 or more."
    if options.rater_error_variance is not None and options.rater_error_variance < 0:
        errors["rater_error_variance"] = "A variance is 0 or more."
    try:
        Plan(None, trim_tolerance=options.trim_tolerance)
    except InputError as error:
        errors[error.field or "trim_tolerance"] = page_words(error)
    return errors


def changed_options(options: EvaluationOptions) -> Json:
    """The options that are not as they are without a word."""
    values = {name: getattr(options, name) for name in EvaluationOptions.model_fields}
    return {name: value for name, value in values.items() if value != getattr(DEFAULTS, name)}


def workflow_options(options: EvaluationOptions) -> dict[str, Any]:
    """The options as `evaluate` and `compare` take them."""
    values = {name: getattr(options, name) for name in EvaluationOptions.model_fields}
    return {**values, "weights": options.weights or None}


def option_words(options: EvaluationOptions) -> list[str]:
    """What the command line would need besides the columns."""
    words = []
    for name in EvaluationOptions.model_fields:
        value = getattr(options, name)
        if value == getattr(DEFAULTS, name):
            continue
        option = name.replace("_", "-")
        match value:
            case bool():
                words.append(f"--{option}" if value else "--leave-out-zeros")
            case list() if name == "flag":
                words += [f"--{option} {quote(text)}" for text in value]
            case list():
                words.append(f"--{option} {','.join(f'{cut:g}' for cut in value)}")
            case _:
                words.append(f"--{option} {quote(str(value))}")
    return words
