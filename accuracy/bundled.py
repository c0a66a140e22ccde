"""How the bundled models do on prompts they have not seen: `python -m accuracy.bundled [--draws 20]`.

Each prompt of ASAP 2.0 is left out in turn, cutoffs and intervals among what is learned from the others; then 30 of its
essays are scored and the model calibrated. `erater-2005` was learned from no essays, so it is measured on all of them.
Groups: essays by length. SMD is the mean of system minus human, in human standard deviations of the prompt; DSM is the
mean error of the group, so standardised, minus that of all essays of the prompt.
"""

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accuracy.essay_models import feature_table
from accuracy.feature_cache import corpus
from accuracy.hybrid_cache import essays, measured
from assay.essays.models.calibrated.calibrate import calibrated_generic
from assay.essays.models.calibrated.choice import calibration_helps, left_out_points
from assay.essays.models.erater.equation import agreement
from assay.essays.models.erater.model import score_table
from assay.essays.models.erater.published import published_model
from assay.essays.models.generic import GenericModel, fit_generic
from assay.essays.models.hybrid.reading import LOG_WORDS
from assay.essays.models.scoring_model import ErrorBand, TrainingSummary, placed_score
from assay.scale import ScoreScale

Floats = NDArray[np.float64]
SCALE = ScoreScale(1, 6)
LABELS = 30
GROUPS = ((0, 250), (250, 350), (350, 500), (500, 10_000))
"""Words."""


def figures(human: Floats, points: Floats) -> dict[str, float]:
    agreed = agreement(human, points, points)
    smd = float((points.mean() - human.mean()) / human.std())
    return {"kappa": agreed["kappa"], "exact": agreed["exact"], "QWK": agreed["qwk"], "SMD": smd}


def kappa(human: Floats, points: Floats) -> float:
    return agreement(human, points, points)["kappa"]


def within(human: Floats, raw: Floats, errors: ErrorBand, model: GenericModel) -> float:
    """The share of human scores inside the interval of their essay."""
    ends = [placed_score(r, model.cutoffs, model.percentiles, errors, SCALE)[1:3] for r in raw.tolist()]
    return float(np.mean([low <= h <= high for h, (low, high) in zip(human.tolist(), ends, strict=True)]))


def drawn(model: GenericModel, values: Floats, human: Floats, rng: np.random.Generator) -> tuple[float, float, bool]:
    """Kappa before and after a calibration with 30 essays, on the rest, and whether calibration was taken."""
    chosen = rng.permutation(len(human))[:LABELS]
    known = np.full(len(human), np.nan)
    known[chosen] = human[chosen]
    rest = np.setdiff1d(np.arange(len(human)), chosen)
    new = calibrated_generic(model, values, known, SCALE)

    def points(some_known: Floats) -> Floats:
        other = calibrated_generic(model, values[chosen], some_known[chosen], SCALE)
        out = np.full(len(human), np.nan)
        out[chosen] = other.cutoffs.assign(other.raw(values[chosen]))
        return out

    before = model.cutoffs.assign(model.raw(values))
    taken = calibration_helps(known[np.sort(chosen)], before[np.sort(chosen)], left_out_points(points, known))
    after = new.cutoffs.assign(new.raw(values)) if taken else before
    return kappa(human[rest], before[rest]), kappa(human[rest], after[rest]), taken


def left_out(values: Floats, scores: Floats, prompts: NDArray[np.str_]) -> Iterator[tuple[str, GenericModel]]:
    for prompt in sorted(set(prompts.tolist())):
        others = prompts != prompt
        training = TrainingSummary(int(others.sum()), (), {}, "", "")
        names = prompts[others].tolist()
        yield prompt, fit_generic(values[others], scores[others], names, scale=SCALE, training=training)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    draws = parser.parse_args().draws
    table, values = essays("asap2"), measured("asap2")
    scores, prompts = table["score"].to_numpy().astype(np.float64), table["prompt"].to_numpy().astype(np.str_)
    words, rng = np.expm1(values[:, LOG_WORDS]), np.random.default_rng(0)
    rows, errors = [], np.empty(len(scores))
    for prompt, model in left_out(values, scores, prompts):
        own = prompts == prompt
        raw, human = model.raw(values[own]), scores[own]
        points = model.cutoffs.assign(raw)
        errors[own] = (points - human) / human.std()
        row = {**figures(human, points), "interval": within(human, raw, model.errors, model)}
        trials = [drawn(model, values[own], human, rng) for _ in range(draws)]
        before, after, taken = (np.array(column, dtype=np.float64) for column in zip(*trials, strict=True))
        row |= {"kappa of 30": after.mean(), "taken": taken.mean(), "worse": float((after < before - 1e-9).sum())}
        rows.append(row)
        print(prompt[:24], {name: round(float(value), 3) for name, value in row.items()}, flush=True)
    print("mean", {name: round(float(np.mean([row[name] for row in rows])), 3) for name in rows[0]})
    print("mean absolute SMD", round(float(np.mean([abs(row["SMD"]) for row in rows])), 3))
    for low, high in GROUPS:
        group = (words >= low) & (words < high)
        by_prompt = [errors[group & (prompts == p)].mean() - errors[prompts == p].mean() for p in set(prompts.tolist())]
        print(f"{low} to {high} words: {group.sum()}, SMD {errors[group].mean():.3f}, DSM {np.nanmean(by_prompt):.3f}")
    published = score_table(feature_table(corpus("asap2")), published_model())
    points = np.array([score.score for score in published])
    for prompt in [*sorted(set(prompts.tolist())), ""]:
        own = (prompts == prompt) | (prompt == "")
        r = np.corrcoef(scores[own], [s.raw for s, o in zip(published, own, strict=True) if o])[0, 1]
        inside = [s.low <= h <= s.high for s, h, o in zip(published, scores, own, strict=True) if o]
        both = {**figures(scores[own], points[own]), "r": r, "interval": np.mean(inside)}
        print("erater-2005", prompt[:24] or "all", {name: round(float(value), 3) for name, value in both.items()})


if __name__ == "__main__":
    main()
