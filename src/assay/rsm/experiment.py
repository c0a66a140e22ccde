"""FRONT DOORS `train_experiment`, `cross_validate`: feature tables in, models and scores out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.feature_model import FeatureModel, Postprocessing, predict
from assay.rsm.filtering import Filtered, drawn_folds, filtered, sampled
from assay.rsm.learners.fitted import Trained
from assay.rsm.learners.train import train_model
from assay.rsm.preprocess import FeatureParameters, Preparation, learned, prepared
from assay.rsm.transformations import INVERTING, best_transformation
from assay.rsm.types import NO_HUMAN, REASONS, ExperimentPlan, FeatureSpec, FeatureTable, Partition, Scores


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Experiment(Trained):
    """Everything a training run yields."""

    plan: ExperimentPlan
    train: Partition
    test: Partition
    parameters: tuple[FeatureParameters, ...]
    """How each feature in use is prepared; learned on the training responses."""
    postprocessing: Postprocessing
    """Trimming and scaling of raw predictions."""
    train_predictions: Mapping[str, Scores]
    """raw, scale, raw_trim, raw_trim_round, scale_trim, scale_trim_round of the training responses used."""
    test_predictions: Mapping[str, Scores]
    dropped: tuple[str, ...] = ()
    """Features left out because they do not vary on the training responses."""
    notes: tuple[str, ...] = ()
    """What the user should know: a sentence each."""
    unscored: Partition | None = None
    """Evaluation responses without a human score; scored, but not evaluated."""
    unscored_predictions: Mapping[str, Scores] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The features in use."""
        return tuple(parameter.feature for parameter in self.parameters)


def train_experiment(train: FeatureTable, test: FeatureTable, plan: ExperimentPlan) -> Experiment:
    """Train a model on some responses and score others.

    `test` may be `train` itself. Raises InputError when no response or no feature is left, when a feature cannot be
    transformed as asked, and when the model cannot be trained.
    """
    filtered_as_planned = partial(
        filtered,
        exclude_zeros=plan.exclude_zero_scores,
        least_items=plan.min_items_per_candidate,
        keep_missing=plan.missing != "drop",
    )
    responses = filtered_as_planned(train, drop_constant=True)
    _check_features(responses, plan)
    how = Preparation(plan.standardize_features, plan.truncate_outliers, compat=plan.compat)
    columns = [
        learned(responses.used.column(spec.feature), spec, how, missing=plan.missing)
        for spec in _specs(responses.used, plan)
    ]
    parameters = tuple(parameter for parameter, _ in columns)
    matrix = np.column_stack([values for _, values in columns])
    partition = Partition(train, responses.reasons, responses.used, matrix, _filled(responses.used, parameters))
    if test is train:
        return _fitted(partition, partition, parameters, responses, plan)
    missing = [name for name in responses.used.names if name not in test.names]
    if missing:
        problem = f"the evaluation table has no column for these features: {', '.join(missing)}"
        raise InputError(problem, field="test_file")
    chosen = test.with_features(responses.used.names)
    left = filtered_as_planned(chosen, what="evaluation")
    matrix = prepared(left.used.matrix, parameters, how, strict=True)
    tested = Partition(chosen, left.reasons, left.used, matrix, _filled(left.used, parameters))
    return _fitted(partition, tested, parameters, responses, plan)


def feature_model(experiment: Experiment) -> FeatureModel:
    """The part of an experiment that scores further responses."""
    plan, chosen = experiment.plan, set(experiment.model.features)
    return FeatureModel(
        parameters=tuple(p for p in experiment.parameters if p.feature in chosen),
        preparation=Preparation(plan.standardize_features, plan.truncate_outliers, compat=plan.compat),
        model=experiment.model,
        postprocessing=experiment.postprocessing,
    )


@dataclass(frozen=True, eq=False, slots=True)
class CrossValidation:
    """A model trained once per fold on the responses of the others, and once on all."""

    folds: tuple[Experiment, ...]
    final: Experiment
    """Trained on all responses; its evaluation responses are a tenth of them and say nothing about the model."""

    def paired(self, variant: str = "raw_trim") -> tuple[Scores, Scores]:
        """Human and system score of every response used, each scored by the model that was not trained on it."""
        human = np.concatenate([fold.test.used.human for fold in self.folds])
        return human, np.concatenate([fold.test_predictions[variant] for fold in self.folds])


def cross_validate(
    table: FeatureTable,
    plan: ExperimentPlan,
    folds: int | Sequence[NDArray[np.int64]] = 5,
    sample: NDArray[np.int64] | None = None,
) -> CrossValidation:
    """Each fold scored by a model of the other folds. Folds are drawn, or given by the places of their responses.

    `sample` are the places of responses that the final model, trained on all, is shown on: a tenth unless given.
    """
    sample = sampled(len(table)) if sample is None else sample
    experiments = []
    for fold in drawn_folds(len(table), folds) if isinstance(folds, int) else folds:
        rest = np.setdiff1d(np.arange(len(table)), fold)
        experiments.append(train_experiment(table.where(rest), table.where(np.sort(fold)), plan))
    return CrossValidation(tuple(experiments), train_experiment(table, table.where(sample), plan))


def _check_features(train: Filtered, plan: ExperimentPlan) -> None:
    asked = [spec.feature for spec in plan.features or ()]
    constant = [name for name in train.dropped if name in asked]
    if constant:
        problem = f"features asked for do not vary on the training responses: {', '.join(constant)}"
        remedy = "Take them out of the list of features and run the experiment again."
        raise InputError(problem, field="features", remedy=remedy)
    if not train.used.names:
        raise InputError("no feature is left: none of the columns varies on the training responses", field="train_file")


def _specs(used: FeatureTable, plan: ExperimentPlan) -> list[FeatureSpec]:
    if not plan.select_transformations:
        named = {spec.feature: spec for spec in plan.features or ()}
        return [FeatureSpec(name) if plan.features is None else named[name] for name in used.names]
    specs = []
    for name in used.names:
        values = used.column(name)
        present = np.isfinite(values)
        chosen = best_transformation(values[present], used.human[present])
        sign = plan.signs.get(name, 1.0) * (-1 if chosen in INVERTING else 1)
        specs.append(FeatureSpec(name, chosen, sign))
    return specs


def _filled(used: FeatureTable, parameters: Sequence[FeatureParameters]) -> int:
    filling = [number for number, parameter in enumerate(parameters) if parameter.fill is not None]
    return int(np.count_nonzero(~np.isfinite(used.matrix[:, filling])))


def _fitted(
    train: Partition,
    test: Partition,
    parameters: tuple[FeatureParameters, ...],
    responses: Filtered,
    plan: ExperimentPlan,
) -> Experiment:
    # the ends of the score scale: as given, or as seen in training. RSMTool takes a 0 that is given for nothing
    low, high = (None if plan.compat and not end else end for end in (plan.trim_min, plan.trim_max))
    low, high = (responses.lowest if low is None else low), (responses.highest if high is None else high)
    names = tuple(parameter.feature for parameter in parameters)
    trained = train_model(plan, names, train.preprocessed, train.used.human, points=(low, high))
    columns = trained.model.columns_of(names)
    raw = trained.model.predict(train.preprocessed[:, columns])
    after = Postprocessing.learned(train.used.human, raw, low=low, high=high, tolerance=plan.trim_tolerance)
    experiment = Experiment(
        **{field.name: getattr(trained, field.name) for field in fields(trained)},
        plan=plan,
        train=train,
        test=test,
        parameters=parameters,
        postprocessing=after,
        train_predictions=after.variants(raw),
        test_predictions=after.variants(trained.model.predict(test.preprocessed[:, columns])),
        dropped=responses.dropped,
        notes=_notes(train, test, responses.dropped, plan),
    )
    return experiment if plan.compat or test is train else _with_unscored(experiment)


def _with_unscored(experiment: Experiment) -> Experiment:
    places = np.flatnonzero(experiment.test.reasons == REASONS.index(NO_HUMAN))
    if not places.size:
        return experiment
    try:
        scored = predict(feature_model(experiment), experiment.test.read.where(places))
    except InputError:  # none of them has all features
        return experiment
    reasons = np.full(len(scored.table), -1, dtype=np.int8)
    partition = Partition(scored.table, reasons, scored.table, scored.preprocessed)
    return replace(experiment, unscored=partition, unscored_predictions=scored.variants)


def _notes(train: Partition, test: Partition, dropped: Sequence[str], plan: ExperimentPlan) -> tuple[str, ...]:
    notes = []
    if dropped:
        notes.append(f"Left out, since they do not vary on the training responses: {', '.join(dropped)}.")
    value = "0" if plan.missing == "zero" else f"the {plan.missing} of the feature in training"
    for what, partition in (("training", train), ("evaluation", test)):
        if partition.filled:
            were = "value of {} responses was" if partition.filled == 1 else "values of {} responses were"
            notes.append(f"{partition.filled} missing feature {were.format(what)} set to {value}.")
    if test is train:
        notes.append("The model is evaluated on the responses it was trained on: it will look better than it is.")
    return tuple(notes)
