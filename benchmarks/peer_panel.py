"""Run by another environment's Python: figures of panels by the packages people use, on tables given as a file.

    python peer_panel.py TABLES.npz

Prints JSON: for each figure its values on all tables and the processor seconds it took, imports not counted. lme4 is
asked where R has it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
sys.modules["coverage"] = None  # type: ignore[assignment] # an old one, which numba would stumble over

LMER = """
suppressMessages(library(lme4)); d <- read.csv(commandArgs(TRUE)[1])
for (k in c("t", "i", "j")) d[[k]] <- factor(d[[k]])
for (t in levels(d$t)) {
  m <- lmer(y ~ 1 + (1 | i) + (1 | j), droplevels(d[d$t == t, ]),
            control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12)))
  v <- as.data.frame(VarCorr(m)); rownames(v) <- v$grp
  cat(format(c(v["i", "vcov"], v["j", "vcov"], v["Residual", "vcov"]), digits = 15), "\\n")
}
"""


def main(path: str) -> None:
    import numpy as np

    tables = dict(np.load(path))
    figures: dict[str, Any] = {}
    for name, figure in FIGURES.items():
        prepared = figure(tables)
        start = time.process_time()
        values = prepared()
        figures[name] = {"values": values, "cpu": time.process_time() - start}
    components = lme4(tables)
    if components is not None:
        figures["variance components (lme4)"] = components
    os.write(1, json.dumps(figures).encode())


def krippendorff_alphas(tables: dict[str, Any]) -> Callable[[], Any]:
    import krippendorff

    levels = ("nominal", "ordinal", "interval")
    return lambda: [
        [krippendorff.alpha(reliability_data=table.T, level_of_measurement=level) for level in levels]
        for table in tables["levels"]
    ]


def gwet(tables: dict[str, Any]) -> Callable[[], Any]:
    import pandas as pd
    from irrCAC.raw import CAC

    frames = [pd.DataFrame(table) for table in tables["levels"]]
    return lambda: [[CAC(frame, digits=12).gwet()["est"]["coefficient_value"]] for frame in frames]


def pass_or_fail(tables: dict[str, Any]) -> Callable[[], Any]:
    from judgekeeper.metrics import agreement

    words = [
        (["pass" if score >= 3 else "fail" for score in human], ["pass" if score >= 3 else "fail" for score in judge])
        for human, judge in zip(tables["human"], tables["judge"], strict=True)
    ]

    def figures(human: list[str], judge: list[str]) -> list[float]:
        measured = agreement(human, judge, "pass", "fail")
        return [measured[name] for name in ("kappa", "accuracy", "tpr", "tnr")]

    return lambda: [figures(*pair) for pair in words]


def consensus(kind: str) -> Callable[[dict[str, Any]], Callable[[], Any]]:
    def prepare(tables: dict[str, Any]) -> Callable[[], Any]:
        import numpy as np
        import pandas as pd
        from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene

        # its own rule stops before the maximum: as many rounds as it takes
        model = (DawidSkene if kind == "full" else OneCoinDawidSkene)(n_iter=400, tol=-1e9)

        def posterior(table: Any) -> Any:
            item, rater = np.nonzero(~np.isnan(table))
            frame = pd.DataFrame({"task": item, "worker": rater, "label": table[item, rater].astype(int)})
            return model.fit(frame).probas_.sort_index().sort_index(axis=1).to_numpy().ravel().tolist()

        return lambda: [posterior(table) for table in tables["labels"]]

    return prepare


def strengths(tables: dict[str, Any]) -> Callable[[], Any]:
    import choix

    def fit(wins: Any) -> Any:
        values = choix.opt_pairwise(int(wins.max()) + 1, [tuple(pair) for pair in wins], alpha=0, tol=1e-12)
        return (values - values.mean()).tolist()

    return lambda: [fit(wins) for wins in tables["wins"]]


def corrected_means(tables: dict[str, Any]) -> Callable[[], Any]:
    import ppi_py

    def interval(human: Any, judge: Any, others: Any, power: float | None) -> list[float]:
        return [float(end[0]) for end in ppi_py.ppi_mean_ci(human, judge, others, alpha=0.05, lam=power)]

    rows = list(zip(tables["human"], tables["judge"], tables["others"], strict=True))
    return lambda: [[end for power in (None, 1, 0) for end in interval(*row, power)] for row in rows]


def ordered_logits(tables: dict[str, Any]) -> Callable[[], Any]:
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    def fit(human: Any, judge: Any) -> list[float]:
        model = OrderedModel(human, judge[:, None], distr="logit")
        first = model.fit(method="newton", maxiter=200, disp=0)
        best = model.fit(start_params=first.params, method="bfgs", gtol=1e-9, disp=0)
        return [float(best.params[0]), float(best.llf)]

    return lambda: [fit(*pair) for pair in zip(tables["human"], tables["judge"], strict=True)]


def odds_ratios(tables: dict[str, Any]) -> Callable[[], Any]:
    from statsmodels.stats.contingency_tables import StratifiedTable

    def fit(strata: Any) -> list[float]:
        table = StratifiedTable(list(strata.astype(float)))
        n = strata.sum(axis=(1, 2))
        apart = abs(float((strata[:, 0, 0] - strata[:, 0].sum(axis=1) * strata[:, :, 0].sum(axis=1) / n).sum()))
        # it takes off one half even from less, which makes the statistic grow again; R and we stop at 0
        chi_square = table.test_null_odds(correction=True).statistic if apart >= 0.5 else 0.0
        return [table.oddsratio_pooled, table.logodds_pooled_se, chi_square]

    return lambda: [fit(strata) for strata in tables["strata"]]


def isotonic(tables: dict[str, Any]) -> Callable[[], Any]:
    from sklearn.isotonic import IsotonicRegression

    rows = list(zip(tables["human"], tables["judge"], tables["weights"], strict=True))
    return lambda: [
        IsotonicRegression(out_of_bounds="clip").fit(judge, human, weights).predict(judge).tolist()
        for human, judge, weights in rows
    ]


def lme4(tables: dict[str, Any]) -> Any:
    """Components of items, raters and the rest; None where R or lme4 is missing."""
    import numpy as np

    if not shutil.which("Rscript"):
        return None
    rows = [
        (number, item, rater, table[item, rater])
        for number, table in enumerate(tables["scores"])
        for item, rater in zip(*np.nonzero(~np.isnan(table)), strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path, script = Path(folder) / "scores.csv", Path(folder) / "fit.R"
        path.write_text("t,i,j,y\n" + "\n".join(f"{t:03d},{i},{j},{float(y)!r}" for t, i, j, y in rows), "utf-8")
        script.write_text(LMER, "utf-8")
        done = subprocess.run(["Rscript", script, path], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    values = [[float(cell) for cell in line.split()] for line in done.stdout.splitlines() if line.strip()]
    return {"values": values, "cpu": None}


FIGURES: dict[str, Callable[[dict[str, Any]], Callable[[], Any]]] = {
    "alpha, nominal, ordinal, interval (krippendorff)": krippendorff_alphas,
    "AC1 (irrCAC)": gwet,
    "kappa, accuracy, TPR, TNR of pass or fail (judgekeeper)": pass_or_fail,
    "Dawid-Skene (crowd-kit)": consensus("full"),
    "one coin (crowd-kit)": consensus("coin"),
    "Bradley-Terry (choix)": strengths,
    "corrected means (ppi-python)": corrected_means,
    "cumulative logit (statsmodels)": ordered_logits,
    "Mantel-Haenszel (statsmodels)": odds_ratios,
    "isotonic, weighted (scikit-learn)": isotonic,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
