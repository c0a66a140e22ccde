"""How well transparent essay models agree with people: `python -m accuracy.essay_models [--only asap|asap2|speed]`.

ASAP, prompt-specific: train on three of the four public folds (60 % of the corpus), test on the fourth; mean over
folds, then over the eight prompts. ASAP 2.0, generic, as in the paper: weights and cutoffs from all prompts but one,
tested on that one; mean over the five prompts. Its content vectors come from scored essays of its own (five folds, so
that no essay meets itself): they cannot be computed otherwise, as the paper says.

Pairs of words and the sharpness of max. cos. were chosen on folds 1-3 of ASAP, by models trained on two of them and
tested on the third; fold 0 played no part, and its figures are given by themselves.

Times are of one core with OMP_NUM_THREADS=1: for single essays more threads cost more than they bring.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accuracy.feature_cache import Corpus, corpus, there
from assay.essays.features.features import FEATURES
from assay.essays.models.cutoffs import signal_detection
from assay.essays.models.erater.equation import agreement, fit_equation
from assay.essays.models.erater.model import KIND_FEATURES, EssayModel, TrainingPlan, score_table
from assay.essays.models.erater.prompt_vocabulary import essay_vocabulary, vocabulary_out_of_fold
from assay.essays.models.erater.train import train_model
from assay.essays.models.feature_table import SHAPE_OF, EssayFeatures, model_values
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model
from assay.scale import ScoreScale
from assay.workflows.essays.score_essays import score_essays

Floats = NDArray[np.float64]

ASAP_SCALES = {
    "1": (2, 12),
    "2": (1, 6),
    "3": (0, 3),
    "4": (0, 3),
    "5": (0, 4),
    "6": (0, 4),
    "7": (0, 30),
    "8": (0, 60),
}
FOLDS = range(4)
METRICS = ("qwk", "kappa", "exact", "r")
TYPICAL = (300, 400)
"""Words of a typical essay of ASAP 2.0, whose median is 363."""
TIMED = 200
LENGTH_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)

SPECIFIC: Mapping[str, TrainingPlan] = {
    "least squares, nothing fixed": TrainingPlan(kind="specific", fixed={}, keep_wrong_signs=True),
    "... with curves": TrainingPlan(kind="specific", fixed={}, keep_wrong_signs=True, cutoffs="widened", curved=True),
    "e-rater's procedure, length .2": TrainingPlan(kind="specific"),
    "the paper's own recipe, length .2": TrainingPlan.paper("specific"),
}


def feature_table(essays: Corpus) -> EssayFeatures:
    """A corpus as the models take it."""
    table = essays.table
    names = tuple(FEATURES)
    return EssayFeatures(
        essay_ids=tuple(table["essay_id"].cast(str).to_list()),
        prompts=tuple(table["prompt"].cast(str).to_list()),
        names=names,
        values=np.column_stack([table[name].to_numpy().astype(np.float64) for name in names]),
        contents=tuple(essay_vocabulary(text) for text in table["text"].to_list()),
        human=HumanScores(table["score"].to_numpy().astype(np.float64)),
    )


def show_asap() -> None:
    """Prompt-specific models on ASAP."""
    essays = corpus("asap")
    table, fold = feature_table(essays), essays.table["fold"].to_numpy()
    print(f"\n### ASAP, prompt-specific, {len(table):,} essays\n")
    each_prompt = " | ".join(f"P{prompt}" for prompt in ASAP_SCALES)
    print(f"| model | {each_prompt} | mean QWK | fold 0 alone | kappa | exact | r |")
    print("|---" * (len(ASAP_SCALES) + 6) + "|")
    for name, plan in SPECIFIC.items():
        found = specific_on_asap(table, fold, plan)
        mean = {
            metric: float(np.mean([found[prompt].mean(axis=0)[i] for prompt in found]))
            for i, metric in enumerate(METRICS)
        }
        untouched = np.mean([found[prompt][0, 0] for prompt in found])
        each = " | ".join(f"{found[prompt][:, 0].mean():.3f}" for prompt in found)
        rest = f"{mean['kappa']:.3f} | {mean['exact']:.1f} % | {mean['r']:.3f}"
        print(f"| {name} | {each} | **{mean['qwk']:.4f}** | {untouched:.4f} | {rest} |", flush=True)


def specific_on_asap(table: EssayFeatures, fold: NDArray[np.integer], plan: TrainingPlan) -> dict[str, Floats]:
    """(folds, metrics) of each prompt."""
    prompts = np.array(table.prompts)
    found = {}
    for prompt, ends in ASAP_SCALES.items():
        own = np.flatnonzero(prompts == prompt)
        rows = []
        for number in FOLDS:
            train, test = own[fold[own] != number], own[fold[own] == number]
            model = train_model(table.at(train), plan, scale=ScoreScale(*ends))
            rows.append(figures(table.at(test), model))
        found[prompt] = np.array(rows)
    return found


def figures(test: EssayFeatures, model: EssayModel) -> list[float]:
    """Agreement with the human scores of essays the model has not seen, in the order of `METRICS`."""
    scores = score_table(test, model)
    raw, given = np.array([score.raw for score in scores]), np.array([score.score for score in scores])
    found = agreement(test.human.first, raw, given, step=model.scale.step)
    return [found[metric] for metric in METRICS]


def show_asap2() -> None:
    """Generic models on ASAP 2.0, leaving one prompt out, by the weight of length: Table 5 of the paper."""
    table = feature_table(corpus("asap2"))
    values = shaped_values(table)
    print(f"\n### ASAP 2.0, generic, one prompt left out, {len(table):,} essays; signal-detection cutoffs\n")
    print("| model | figure | " + " | ".join(f"length {w:g}" for w in LENGTH_WEIGHTS) + " | free |")
    print("|---" * (len(LENGTH_WEIGHTS) + 3) + "|")
    for kind in ("generic10", "generic12"):
        names = KIND_FEATURES[kind]
        places = [list(FEATURES).index(name) for name in names]
        each = [left_out(table, names, values[:, places], {"length": weight}) for weight in LENGTH_WEIGHTS]
        each.append(left_out(table, names, values[:, places], {}))
        for place, (metric, decimals) in enumerate({"qwk": 3, "kappa": 3, "exact": 1}.items()):
            print(
                f"| {kind} | {metric} | " + " | ".join(f"{one[place]:.{decimals}f}" for one in each) + " |", flush=True
            )


def shaped_values(table: EssayFeatures) -> Floats:
    """(essays, 12): features in the shapes of our recipe, vocabulary out of fold within each prompt."""
    vocabulary = np.full((len(table), 2), np.nan)
    prompts = np.array(table.prompts)
    for prompt in sorted(set(table.prompts)):
        rows = np.flatnonzero(prompts == prompt)
        vocabulary[rows] = vocabulary_out_of_fold([table.contents[row] for row in rows], table.human.first[rows])
    shapes = [SHAPE_OF.get(name, "as_measured") for name in FEATURES]
    return model_values(table, tuple(FEATURES), shapes, vocabulary)


def left_out(table: EssayFeatures, names: Sequence[str], values: Floats, fixed: Mapping[str, float]) -> Floats:
    """(metrics,): means over prompts, each scored by an equation from the others."""
    prompts, scores = np.array(table.prompts), table.human.first
    found = []
    for prompt in sorted(set(table.prompts)):
        train, test = prompts != prompt, prompts == prompt
        equation = fit_equation(
            names, values[train], scores[train], scores[train],
            scale=ScoreScale(1, 6), fixed=fixed, cutoffs=signal_detection, ridge=TrainingPlan().ridge,
        )  # fmt: skip
        raw = equation.weights.predict(values[test])
        one = agreement(scores[test], raw, equation.cutoffs.assign(raw))
        found.append([one[metric] for metric in METRICS])
    return np.asarray(np.mean(found, axis=0))


def show_speed() -> None:
    """Seconds to train on 2,000 essays from features, and milliseconds to score one in a warm process."""
    essays = corpus("asap2")
    table = feature_table(essays).at(np.arange(2000))
    plans = {kind: TrainingPlan(kind=kind) for kind in KIND_FEATURES}
    for kind, plan in (plans | {"generic12 with curves": TrainingPlan(fixed={}, curved=True)}).items():
        start = time.perf_counter(), time.process_time()
        train_model(table, plan)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        print(f"train {kind} on 2,000 essays: {spent[0]:.1f} s ({spent[1]:.1f} s of this process)", flush=True)
    texts = essays.table["text"].to_list()
    typical = [text for text in texts if TYPICAL[0] <= len(text.split()) <= TYPICAL[1]]
    one_by_one(texts[:TIMED])  # to warm up
    for what, chosen in (("{} to {} words".format(*TYPICAL), typical[-TIMED:]), ("of any length", texts[-TIMED:])):
        wall, own = np.percentile(one_by_one(chosen), [50, 95], axis=0).T
        print(f"score one essay {what}: {wall[0]:.0f} ms, 95th percentile {wall[1]:.0f} ms", end="")
        print(f" (of this process {own[0]:.0f} and {own[1]:.0f} ms)", flush=True)


def one_by_one(texts: Sequence[str]) -> Floats:
    """(essays, 2): milliseconds of each score by the bundled model, by the clock and of this process."""
    model, discourse = bundled_essay_model(), bundled_discourse_model()
    times = []
    for text in texts:
        start = time.perf_counter(), time.process_time()
        next(score_essays([Essay("1", text)], model, discourse))
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return 1000 * np.array(times)


def main() -> None:
    """Print Markdown tables for the corpora that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["asap", "asap2", "speed"], help="one part of it")
    only = parser.parse_args().only
    parts = {"asap": (show_asap, "asap"), "asap2": (show_asap2, "asap2"), "speed": (show_speed, "asap2")}
    for name, (show, needed) in parts.items():
        if only not in (None, name):
            continue
        if there(needed):
            show()
        else:
            print(f"{needed} is not here: {name} was not measured", file=sys.stderr)


if __name__ == "__main__":
    main()
