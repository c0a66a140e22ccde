# mypy: ignore-errors
"""The experiments of make_rsm_eval.py: data and configuration, made from a seed.

Each function makes one case; its name is the name of the experiment.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Case:
    """One experiment: what it is about, its configuration and its files."""

    about: str
    rows: list
    config: dict = field(default_factory=dict)
    data_file: str = "predictions.csv"
    train: list | None = None
    config_text: str | None = None
    prefix: str = ""
    newline: str = "\n"


CASES = {}


def case(make):
    """Register a function that makes a case from a random generator."""
    CASES[make.__name__] = make
    return make


# -- data --------------------------------------------------------------------


def scores(rng, n, *, low=1, high=5, step=1.0, noise=0.6):
    """Two human scores on a scale and a system score with four decimals."""
    truth = rng.normal((low + high) / 2, (high - low) / 3.5, n)
    humans = []
    for _ in range(2):
        rating = np.round((truth + rng.normal(0, noise, n)) / step) * step
        humans.append(np.clip(rating, low, high))
    system = np.round(0.8 * truth + 0.2 * (low + high) / 2 + rng.normal(0, noise, n), 4)
    return humans[0], humans[1], system


def plain(value):
    """Give a whole number without the decimal point."""
    value = float(value)
    return int(value) if value.is_integer() else value


def table(rng, n, *, double=1.0, ids="R{:03d}", **options):
    """Rows with columns id, h1, h2 and system; h2 for a share of them."""
    first, second, system = scores(rng, n, **options)
    scored_twice = rng.permutation(n) < round(double * n)
    return [
        {
            "id": ids.format(number + 1),
            "h1": plain(first[number]),
            "h2": plain(second[number]) if scored_twice[number] else "",
            "system": float(system[number]),
        }
        for number in range(n)
    ]


def add(rng, rows, column, values, weights=None):
    """Add a column with values drawn at random."""
    weights = None if weights is None else np.array(weights) / sum(weights)
    drawn = rng.choice(len(values), size=len(rows), p=weights)
    for row, which in zip(rows, drawn, strict=True):
        row[column] = values[which]


def config(**options):
    """Configure the usual columns, scale 1 to 5 and no second score."""
    usual = {
        "predictions_file": "predictions.csv",
        "id_column": "id",
        "human_score_column": "h1",
        "system_score_column": "system",
        "trim_min": 1,
        "trim_max": 5,
    }
    return {**usual, **options}


# -- how scores are scaled ---------------------------------------------------


@case
def raw_default(rng):
    rows = table(rng, 60, double=0)
    rows = [{"spkitemid": row["id"], "sc1": row["h1"], "pred": row["system"]} for row in rows]
    settings = {
        "predictions_file": "predictions.csv",
        "system_score_column": "pred",
        "trim_min": 1,
        "trim_max": 5,
    }
    return Case("defaults only: raw scores, no H2, no subgroups", rows, settings)


@case
def asis_partial_h2(rng):
    rows = table(rng, 110, double=0.4, ids="{:05d}")
    add(rng, rows, "L1", ["Thai", "Igbo", "Tamil", ""], [5, 3, 2, 1])
    add(rng, rows, "gender", ["f", "m", "  "], [5, 5, 1])
    add(rng, rows, "note", ["x", "7", ""])
    return Case(
        "scale_with asis, list of subgroups with empty values, partial H2, ids with leading zeros",
        rows,
        config(scale_with="asis", subgroups=["L1", "gender"], second_human_score_column="h2"),
    )


@case
def scale_file(rng):
    rows = table(rng, 90, high=6)
    add(rng, rows, "L1", ["Thai", "Igbo", "Tamil"])
    add(rng, rows, "task", ["T1", "T2"])
    human, _, prediction = scores(rng, 70, high=6)
    train = [
        {"spkitemid": f"T{number}", "prediction": float(p), "sc1": plain(h)}
        for number, (h, p) in enumerate(zip(human, prediction, strict=True))
    ]
    return Case(
        "scale_with file (six score types), subgroups as comma string, full H2, "
        "comments in config, trim_tolerance, trim bounds as text, min_n_per_group number",
        rows,
        config(
            scale_with="train.csv",
            subgroups="L1 ,task",
            second_human_score_column="h2",
            trim_min="1",
            trim_max="6",
            trim_tolerance=0.3,
            min_n_per_group=25,
            description="see https://example.org/a",
        ),
        train=train,
        prefix="// the whole file may start with a comment\n/* or\n   with two */\n",
    )


@case
def scale_word_raw(rng):
    rows = table(rng, 60, double=0.5)
    add(rng, rows, "L1", ["Thai", "Igbo"])
    return Case(
        'scale_with "raw" (six score types, scale equals raw), rater_error_variance besides H2, '
        "min_n_per_group as dictionary",
        rows,
        config(
            scale_with="raw",
            subgroups=["L1"],
            second_human_score_column="h2",
            rater_error_variance=0.2,
            min_n_per_group={"L1": 100},
        ),
    )


@case
def scale_file_constant(rng):
    rows = table(rng, 30, double=0)
    train = [{"prediction": 3, "sc1": score} for score in (1, 2, 3, 4, 5)]
    return Case(
        "scale_with file whose predictions are constant (sd 0)",
        rows,
        config(scale_with="train.csv"),
        train=train,
    )


@case
def scale_file_missing_values(rng):
    rows = table(rng, 40, double=0)
    train = [{"prediction": p, "sc1": h} for p, h in [(1.5, 1), (2.2, ""), (3.1, 3), ("", 4), (3.3, 4), (4.9, 5)]]
    return Case("scale_with file with empty cells", rows, config(scale_with="train.csv"), train=train)


# -- the score scale ---------------------------------------------------------


@case
def half_points(rng):
    rows = table(rng, 80, step=0.5, double=0.6)
    for row, value in zip(rows, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, -1, 9, 4.4998, 0.5002], strict=False):
        row["system"] = value
    add(rng, rows, "L1", ["Thai", "Igbo", "Tamil"])
    return Case(
        "half-point human scores, system scores exactly on .5, fractional trim bounds",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2", trim_min=1.5, trim_max=4.5),
    )


@case
def zeros_kept(rng):
    rows = table(rng, 70, low=0, high=3, double=0.7)
    add(rng, rows, "L1", ["Thai", "Igbo"])
    rows[0]["system"] = 0
    rows[1]["h1"], rows[2]["h1"], rows[3]["system"] = "", "n/a", "none"
    rows[4]["h1"], rows[4]["system"] = 0, "bad"
    return Case(
        "exclude_zero_scores false, zeros in H1, H2 and system, some rows excluded",
        rows,
        config(
            subgroups=["L1"],
            second_human_score_column="h2",
            trim_min=0,
            trim_max=3,
            exclude_zero_scores=False,
        ),
    )


@case
def human_outside_trim(rng):
    rows = table(rng, 50, high=7)
    return Case(
        "human scores outside the trim range, trim_tolerance 0",
        rows,
        config(second_human_score_column="h2", trim_min=3, trim_max=4, trim_tolerance=0),
    )


@case
def constant_human(rng):
    rows = table(rng, 40)
    for row in rows:
        row["h1"] = 3
    add(rng, rows, "L1", ["Thai", "Igbo"])
    return Case(
        "constant first human score",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


@case
def constant_all(rng):
    rows = table(rng, 30)
    for row in rows:
        row["h1"] = row["h2"] = row["system"] = 3
    add(rng, rows, "L1", ["Thai", "Igbo"])
    return Case(
        "both human scores and the system constant and equal",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


# -- second human score and true score ---------------------------------------


@case
def error_variance_large(rng):
    return Case(
        "rater_error_variance above the variance of the scores, no H2",
        table(rng, 40, double=0),
        config(rater_error_variance=5),
    )


@case
def h2_all_empty(rng):
    rows = table(rng, 40, double=0)
    add(rng, rows, "L1", ["Thai", "Igbo"])
    return Case(
        "second human score column without any value",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


@case
def h2_missing_in_a_group(rng):
    rows = table(rng, 60, double=0.6)
    add(rng, rows, "L1", ["Thai", "Igbo", "Tamil"])
    for row in rows:
        if row["L1"] == "Igbo":
            row["h2"] = ""
    one = next(row for row in rows if row["L1"] == "Tamil")
    for row in rows:
        if row["L1"] == "Tamil":
            row["h2"] = ""
    one["h2"] = 3
    return Case(
        "one group without H2 and one group with a single H2",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


# -- subgroups ---------------------------------------------------------------


@case
def odd_groups(rng):
    rows = table(rng, 70, double=0.8)
    add(rng, rows, "L1", ["Thai", "Igbo", ""], [4, 4, 1])
    rows[0]["L1"] = "alone"
    for row in rows[1:7]:
        row.update(L1="same human", h1=4)
    for row in rows[7:12]:
        row.update(L1="same system", system=2.75)
    for row in rows[12:16]:
        row.update(L1="same all", h1=3, h2=3, system=3)
    rows[16].update(L1="pair", h1=2, system=2.1)
    rows[17].update(L1="pair", h1=3, system=2.9)
    return Case(
        "a group of one, of two, with constant human, constant system, all constant, empty names",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


@case
def group_all_data(rng):
    rows = table(rng, 50, double=0.8)
    add(rng, rows, "L1", ["Thai", "All data", "Abui"])
    return Case(
        'a group literally named "All data"',
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


@case
def group_numeric(rng):
    rows = table(rng, 100, double=0.5)
    add(rng, rows, "form", ["1", "2", "10", "11"])
    add(rng, rows, "level", ["1.5", "2", "10.25"], [1, 2, 1])
    add(rng, rows, "padded", ["01", "02", "10"])
    add(rng, rows, "native", ["True", "False"])
    return Case(
        "subgroup values that look like integers, floats, padded integers and booleans",
        rows,
        config(
            subgroups=["form", "level", "padded", "native"],
            second_human_score_column="h2",
        ),
    )


@case
def group_nullish(rng):
    rows = table(rng, 60, double=0)
    add(rng, rows, "L1", ["NA", "nan", "None", "Thai", ""], [3, 2, 2, 4, 1])
    add(rng, rows, "form", ["1", "2", ""], [4, 4, 1])
    return Case(
        "subgroup values NA, nan and None, and integers with empty cells",
        rows,
        config(subgroups=["L1", "form"]),
    )


@case
def group_odd_names(rng):
    rows = table(rng, 60, double=0.5)
    add(rng, rows, "school name", ["St. Mary", "St. John", "U.S. [east]", 'Ño, "x"'])
    add(rng, rows, "group", ["g1", "g2"])
    for row in rows:
        row["id"] = f"ключ {row['id']}"
    return Case(
        'dots, brackets, commas and quotes in group names; subgroup called "group" after another '
        "one; column name with a space; byte order mark and CRLF in the data",
        rows,
        config(subgroups=["school name", "group"], second_human_score_column="h2"),
        newline="\r\n",
    )


@case
def group_collinear(rng):
    rows = table(rng, 50, double=0)
    for row in rows:
        row["L1"] = "low" if row["h1"] <= 2 else "mid" if row["h1"] == 3 else "high"
    return Case(
        "groups determined by the human score: the conditional model has no full rank",
        rows,
        config(subgroups=["L1"], scale_with="asis"),
    )


@case
def group_saturated(rng):
    rows = table(rng, 6, double=0)
    for number, row in enumerate(rows):
        row["L1"] = f"g{number % 4}"
        row["h1"] = number % 5 + 1
    return Case(
        "six rows, four groups, five scores: no degrees of freedom left",
        rows,
        config(subgroups=["L1"]),
    )


# -- rows that are left out --------------------------------------------------


@case
def bad_values(rng):
    rows = table(rng, 80, double=0.7)
    add(rng, rows, "L1", ["Thai", "Igbo", ""], [4, 4, 1])
    add(rng, rows, "words", [120, 80.5, "", "many"])
    texts = ["", "TD", "NA", "1,5", "4 ", " 3", "1e0", "True", "-", "#N/A", "0", 0, "0.0"]
    for row, text in zip(rows, texts, strict=False):
        row["h1"] = text
    for row, text in zip(rows[20:], texts[:10], strict=False):
        row["system"] = text
    for row, text in zip(rows[40:], texts, strict=False):
        row["h2"] = text
    rows[60]["h1"] = rows[60]["system"] = "gone"
    rows[61].update(h1=0, system="gone")
    return Case(
        "text, blanks, numbers in text and zeros in H1, H2 and system",
        rows,
        config(subgroups=["L1"], second_human_score_column="h2"),
    )


@case
def excluded_types(rng):
    rows = table(rng, 40, low=0, high=4, double=0)
    for number, row in enumerate(rows):
        row["person"] = number // 4
    add(rng, rows, "whole", [1, 20])
    add(rng, rows, "truth", ["True", "False"])
    add(rng, rows, "flag", [0, 1], [5, 1])
    rows[0]["h1"], rows[5]["system"], rows[9]["h1"] = "x", "y", ""
    return Case(
        "types of other columns among excluded rows, zeros kept, candidates left out",
        rows,
        config(
            trim_min=0,
            trim_max=4,
            exclude_zero_scores=False,
            candidate_column="person",
            min_items_per_candidate=3,
            flag_column={"flag": 0},
        ),
    )


@case
def infinite_human(rng):
    rows = table(rng, 30, double=0)
    rows[3]["h1"] = "inf"
    return Case("an infinite human score", rows, config())


@case
def flags(rng):
    rows = table(rng, 80, double=0.5)
    add(rng, rows, "flag", [0, "1.0", "ok", "", "bad"], [6, 3, 3, 1, 1])
    add(rng, rows, "review", ["no", "yes"], [6, 1])
    add(rng, rows, "L1", ["Thai", "Igbo"])
    rows[0]["h1"] = rows[1]["system"] = "x"
    return Case(
        "two flag columns: a list of numbers and text, and a single text",
        rows,
        config(
            subgroups=["L1"],
            second_human_score_column="h2",
            flag_column={"flag": ["0", 1, "ok"], "review": "no"},
        ),
    )


@case
def candidates(rng):
    rows = table(rng, 90, double=0.5)
    for row in rows:
        row["person"] = f"{rng.integers(1, 30):04d}"
    add(rng, rows, "L1", ["Thai", "Igbo"])
    add(rng, rows, "Aside", ["q", ""])
    for row, text in zip(rows, ["", "x", 0, 0, "inf"], strict=False):
        row["h1"] = text
    for row, text in zip(rows[5:], ["", "x", "inf"], strict=False):
        row["system"] = text
    rows[8]["person"] = ""
    return Case(
        "candidate_column with min_items_per_candidate, bad and infinite values besides",
        rows,
        config(
            subgroups=["L1"],
            second_human_score_column="h2",
            candidate_column="person",
            min_items_per_candidate=3,
        ),
    )


# -- files and columns -------------------------------------------------------


@case
def tsv_in_and_out(rng):
    rows = table(rng, 40, double=0.6, ids="{:04d}")
    for number, row in enumerate(rows):
        row["person"] = f"{number // 3:03d}"
    add(rng, rows, "L1", ["Thai, north", "Igbo"])
    rows[0]["h1"] = "x"
    return Case(
        "tsv read and written; candidate_column without min_items_per_candidate",
        rows,
        config(
            predictions_file="predictions.tsv",
            file_format="tsv",
            subgroups=["L1"],
            candidate_column="person",
            second_human_score_column="h2",
        ),
        data_file="predictions.tsv",
    )


@case
def xlsx_in_and_out(rng):
    rows = table(rng, 40, double=0, ids="{:04d}")
    add(rng, rows, "form", [1, 2, ""], [4, 4, 1])
    rows[0]["h1"], rows[1]["system"], rows[2]["id"] = "x", "", 77
    return Case(
        "xlsx read (text ids with leading zeros, one number; numeric group cells) and written",
        rows,
        config(predictions_file="predictions.xlsx", file_format="xlsx", subgroups=["form"]),
        data_file="predictions.xlsx",
    )


@case
def jsonlines_nested(rng):
    rows = table(rng, 40, double=0)
    add(rng, rows, "form", [1, 2])
    add(rng, rows, "created_at", ["2024-01-05", "2024-02-06"])
    rows = [
        {
            "id": f"{number:03d}",
            "scores": {"h1": row["h1"], "system": row["system"]},
            "form": row["form"],
            "created_at": row["created_at"],
        }
        for number, row in enumerate(rows)
    ]
    rows[0]["scores"]["h1"] = None
    return Case(
        "jsonlines with one level of nesting, text ids with leading zeros, a date column",
        rows,
        config(predictions_file="predictions.jsonlines", subgroups=["form"]),
        data_file="predictions.jsonlines",
    )


@case
def jsonlines_flat(rng):
    rows = table(rng, 40)
    add(rng, rows, "form", [1, 2, None], [4, 4, 1])
    add(rng, rows, "L1", ["Thai", "Igbo", None, ""], [4, 4, 1, 1])
    add(rng, rows, "extra", [True, False])
    for number, row in enumerate(rows):
        row["id"] = number + 1
        row["h1"] = str(row["h1"]) if number % 2 else row["h1"]
        row["h2"] = row["h2"] if number % 3 else None
    rows[0]["id"], rows[1]["h1"], rows[2]["system"] = "007", "x", None
    del rows[4]["extra"]
    return Case(
        "jsonlines with numbers as ids, null group values, numbers in text, a missing key",
        rows,
        config(
            predictions_file="predictions.jsonlines",
            subgroups=["form", "L1"],
            second_human_score_column="h2",
        ),
        data_file="predictions.jsonlines",
    )


@case
def jsonl_extension(rng):
    return Case(
        "jsonl is not a known extension",
        table(rng, 30, double=0),
        config(predictions_file="predictions.jsonl"),
        data_file="predictions.jsonl",
    )


@case
def reserved_names(rng):
    rows = table(rng, 50, double=0.5)
    add(rng, rows, "sc1", [1, 2])
    add(rng, rows, "raw", [0.5, "x"])
    add(rng, rows, "sc2", [7])
    add(rng, rows, "length", [100, 200])
    add(rng, rows, "candidate", ["c"])
    add(rng, rows, "spkitemid", ["s"])
    add(rng, rows, "scale", [9])
    add(rng, rows, "raw_trim", [8])
    rows[0]["h1"] = "x"
    return Case(
        "columns with reserved names besides the chosen ones",
        rows,
        config(second_human_score_column="h2"),
    )


@case
def subgroup_named_length(rng):
    rows = table(rng, 30, double=0)
    add(rng, rows, "length", ["short", "long"])
    return Case('a subgroup called "length"', rows, config(subgroups=["length"]))


@case
def tiny_one_row(rng):
    return Case("one row", table(rng, 1, double=0), config())
