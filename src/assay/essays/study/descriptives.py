"""Table 1 of the paper: how many essays and prompts there are, and how they were scored."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from assay.essays.study.corpus import PreparedCorpus, Rows
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import quadratic_weighted_kappa


@dataclass(frozen=True, slots=True)
class ProgramDescription:
    """The essays of one program; standard deviations are those of a sample (n - 1)."""

    program: str
    essays: int
    prompts: int
    essays_per_prompt: float
    mean_ahs: float
    sd_ahs: float
    words: float
    """Mean length."""
    human_r: float
    human_qwk: float
    """Between the first two raters; NaN with one."""


def describe(prepared: PreparedCorpus) -> tuple[ProgramDescription, ...]:
    """A row per program and, where there are several, one for all."""
    rows = [_described(prepared, program, own) for program, own in prepared.program_rows()]
    if len(rows) > 1:
        overall = _described(prepared, "Overall", np.arange(len(prepared.average)))
        rows.append(overall if prepared.one_scale else _without_scores(overall))
    return tuple(rows)


def _without_scores(overall: ProgramDescription) -> ProgramDescription:
    """The row of all programs where their scales differ: means and agreement over them have no meaning."""
    return replace(overall, mean_ahs=nan, sd_ahs=nan, human_r=nan, human_qwk=nan)


def _described(prepared: PreparedCorpus, program: str, rows: Rows) -> ProgramDescription:
    scores = prepared.average[rows]
    prompts = sum(1 for _ in prepared.prompt_rows(rows))
    human = prepared.corpus.table.human
    both = (np.array([]), np.array([]))
    if human.second is not None:
        twice = rows[np.isfinite(human.first[rows]) & np.isfinite(human.second[rows])]
        both = human.first[twice], human.second[twice]
    known = len(both[0]) > 1
    return ProgramDescription(
        program=program,
        essays=len(rows),
        prompts=prompts,
        essays_per_prompt=len(rows) / prompts,
        mean_ahs=float(scores.mean()),
        sd_ahs=float(scores.std(ddof=1)) if len(scores) > 1 else float("nan"),
        words=float(prepared.corpus.table.column("length")[rows].mean()),
        human_r=pearson_r(*both) if known else float("nan"),
        human_qwk=quadratic_weighted_kappa(*both) if known else float("nan"),
    )
