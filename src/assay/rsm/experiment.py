"""FRONT DOORS `train_experiment`, `predict`, `cross_validate`: feature tables in, models and scores out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.feature_model import FeatureModel, Predicted
from assay.rsm.filtering import Filtered, filtered
from assay.rsm.folds import drawn_folds, sampled
from assay.rsm.learners.train import train_model
from assay.rsm.plan import ExperimentPlan, FeatureSpec
from assay.rsm.postprocess import Postprocessing
from assay.rsm.preprocess import FeatureParameters, Preparation, learned, prepared
from assay.rsm.transformations import INVERTING, best_transformation
from assay.rsm.types import NO_HUMAN, REASONS, Experiment, FeatureTable, Matrix, Partition, Scores


def train_experiment(train: FeatureTable, test: FeatureTable, plan: ExperimentPlan) -> Experiment:
    """Train a model on some responses and score others.

    `test` may be `train` itself. Raises InputError when no response or no feature is left, when a feature cannot be
    transformed as asked, and when the model cannot be trained.
    """
    filtered_train = filtered(
        train,
        exclude_zeros=plan.exclude_zero_scores,
        least_items=plan.min_items_per_candidate,
        drop_constant=True,
        keep_missing=plan.missing != "drop",
    )
    _check_features(filtered_train, plan)
    preparation = Preparation(plan.standardize_features, plan.truncate_outliers, compat=plan.compat)
    parameters, matrix = _learned(filtered_train.used, plan, preparation)
    used = Partition(
        train, filtered_train.reasons, filtered_train.used, matrix, _count_filled(filtered_train.used, parameters)
    )
    tested = used if test is train else _tested(test, filtered_train.used.names, parameters, preparation, plan)
    return _fitted(used, tested, parameters, filtered_train, plan)


def predict(
    model: FeatureModel,
    table: FeatureTable,
    *,
    raw: Callable[[FeatureModel, Matrix], Scores] = FeatureModel.raw,
    part: bool = False,
) -> Predicted:
    """Scores of responses from their raw features; responses without a usable feature value are left out.

    `raw` works out the raw scores of prepared features; where it can be spread over many, a caller gives its own.
    Raises InputError when the table lacks a feature of the model, and when no response can be scored, unless these are
    `part` of the responses only.
    """
    names = model.names
    missing = [name for name in names if name not in table.names]
    if missing:
        raise InputError(f"the table lacks features that the model needs: {', '.join(missing)}", field="features")
    values = table.matrix[:, [table.names.index(name) for name in names]]
    fills = np.array([parameter.fill is not None for parameter in model.parameters])
    present = np.isfinite(values)
    whole = (present | fills).all(axis=1)
    if not whole.any() and not part:
        raise InputError("no response has a number for every feature of the model, so none can be scored")
    matrix = np.full(values.shape, np.nan)
    if whole.any():
        matrix[whole] = prepared(values[whole], model.parameters, model.preparation, strict=False)
    usable = np.isfinite(matrix)
    keep = usable.all(axis=1)
    if not keep.any() and not part:
        raise InputError("no response has a value for every feature once it is transformed, so none can be scored")
    return Predicted(
        table=table.where(keep),
        preprocessed=matrix[keep],
        # learners refuse a table without rows
        forms=model.postprocessing.forms(raw(model, matrix[keep]) if keep.any() else np.empty(0)),
        left_out=_by_first_gap(present | fills, usable, whole, keep),
        filled=int(np.count_nonzero(~present[keep])),
    )


def feature_model(experiment: Experiment) -> FeatureModel:
    """The part of an experiment that scores further responses."""
    chosen = set(experiment.model.features)
    return FeatureModel(
        parameters=tuple(p for p in experiment.parameters if p.feature in chosen),
        preparation=Preparation(
            experiment.plan.standardize_features, experiment.plan.truncate_outliers, compat=experiment.plan.compat
        ),
        model=experiment.model,
        postprocessing=experiment.postprocessing,
    )


@dataclass(frozen=True, eq=False, slots=True)
class CrossValidation:
    """A model trained once per fold on the responses of the others, and once on all."""

    folds: tuple[Experiment, ...]
    final: Experiment
    """Trained on all responses; its evaluation responses are a tenth of them and say nothing about the model."""

    def paired(self, form: str = "raw_trim") -> tuple[Scores, Scores]:
        """Human and system score of every response used, each scored by the model that was not trained on it."""
        human = np.concatenate([fold.test.used.human for fold in self.folds])
        return human, np.concatenate([fold.test_predictions[form] for fold in self.folds])


def cross_validate(
    table: FeatureTable,
    plan: ExperimentPlan,
    folds: int | Sequence[NDArray[np.int64]] = 5,
    sample: NDArray[np.int64] | None = None,
) -> CrossValidation:
    """Each fold scored by a model of the other folds. Folds are drawn, or given by the places of their responses.

    `sample` are the places of responses that the final model, trained on all, is shown on: a tenth unless given.
    """
    places = np.arange(len(table))
    sample = sampled(len(table)) if sample is None else sample
    experiments = []
    for fold in drawn_folds(len(table), folds) if isinstance(folds, int) else folds:
        rest = np.setdiff1d(places, fold)
        experiments.append(train_experiment(table.where(rest), table.where(np.sort(fold)), plan))
    return CrossValidation(tuple(experiments), train_experiment(table, table.where(sample), plan))


def _check_features(train: Filtered, plan: ExperimentPlan) -> None:
    asked = [spec.feature for spec in plan.features or ()]
    constant = [name for name in train.dropped if name in asked]
    if constant:
        raise InputError(
            f"features asked for do not vary on the training responses: {', '.join(constant)}",
            field="features",
            remedy="Take them out of the list of features and run the experiment again.",
        )
    if not train.used.names:
        problem = "no feature is left: none of the columns varies on the training responses"
        raise InputError(problem, field="train_file")


def _specs(used: FeatureTable, plan: ExperimentPlan) -> list[FeatureSpec]:
    """How each feature in use is to be prepared."""
    if plan.features is not None and not plan.select_transformations:
        return [_named(plan.features, name) for name in used.names]
    if not plan.select_transformations:
        return [FeatureSpec(name) for name in used.names]
    specs = []
    for name in used.names:
        values = used.column(name)
        present = np.isfinite(values)
        chosen = best_transformation(values[present], used.human[present])
        sign = plan.signs.get(name, 1.0) * (-1 if chosen in INVERTING else 1)
        specs.append(FeatureSpec(name, chosen, sign))
    return specs


def _named(specs: Sequence[FeatureSpec], name: str) -> FeatureSpec:
    return next(spec for spec in specs if spec.feature == name)


def _learned(
    used: FeatureTable, plan: ExperimentPlan, preparation: Preparation
) -> tuple[tuple[FeatureParameters, ...], Matrix]:
    parameters, columns = [], []
    for spec in _specs(used, plan):
        parameter, values = learned(used.column(spec.feature), spec, preparation, missing=plan.missing)
        parameters.append(parameter)
        columns.append(values)
    return tuple(parameters), np.column_stack(columns)


def _tested(
    test: FeatureTable,
    names: tuple[str, ...],
    parameters: tuple[FeatureParameters, ...],
    preparation: Preparation,
    plan: ExperimentPlan,
) -> Partition:
    missing = [name for name in names if name not in test.names]
    if missing:
        problem = f"the evaluation table has no column for these features: {', '.join(missing)}"
        raise InputError(problem, field="test_file")
    chosen = test.with_features(names)
    filtered_test = filtered(
        chosen,
        exclude_zeros=plan.exclude_zero_scores,
        least_items=plan.min_items_per_candidate,
        keep_missing=plan.missing != "drop",
        what="evaluation",
    )
    matrix = prepared(filtered_test.used.matrix, parameters, preparation, strict=True)
    return Partition(
        chosen, filtered_test.reasons, filtered_test.used, matrix, _count_filled(filtered_test.used, parameters)
    )


def _count_filled(used: FeatureTable, parameters: Sequence[FeatureParameters]) -> int:
    """How many missing values were filled in."""
    filling = [number for number, parameter in enumerate(parameters) if parameter.fill is not None]
    return int(np.count_nonzero(~np.isfinite(used.matrix[:, filling])))


def _fitted(
    train: Partition,
    test: Partition,
    parameters: tuple[FeatureParameters, ...],
    responses: Filtered,
    plan: ExperimentPlan,
) -> Experiment:
    low, high = _trim_range(responses, plan)
    names = tuple(parameter.feature for parameter in parameters)
    trained = train_model(plan, names, train.preprocessed, train.used.human, points=(low, high))
    model = trained.model
    columns = model.columns_of(names)
    raw = model.predict(train.preprocessed[:, columns])
    after = Postprocessing.learned(train.used.human, raw, low=low, high=high, tolerance=plan.trim_tolerance)
    experiment = Experiment(
        plan=plan,
        train=train,
        test=test,
        parameters=parameters,
        model=model,
        fit=trained.fit,
        postprocessing=after,
        train_predictions=after.forms(raw),
        test_predictions=after.forms(model.predict(test.preprocessed[:, columns])),
        dropped=responses.dropped,
        notes=_notes(train, test, responses.dropped, plan),
        objective=trained.objective,
        used=trained.used,
        listed=trained.listed,
    )
    return experiment if plan.compat or test is train else _with_unscored(experiment)


def _trim_range(train: Filtered, plan: ExperimentPlan) -> tuple[float, float]:
    """The ends of the score scale: as given, or as seen in training. RSMTool takes a 0 that is given for nothing."""
    low, high = (None if plan.compat and not end else end for end in (plan.trim_min, plan.trim_max))
    return (train.lowest if low is None else low), (train.highest if high is None else high)


def _with_unscored(experiment: Experiment) -> Experiment:
    """Score evaluation responses without a human score too."""
    test = experiment.test
    places = np.flatnonzero(test.reasons == REASONS.index(NO_HUMAN))
    if not places.size:
        return experiment
    try:
        scored = predict(feature_model(experiment), test.read.where(places))
    except InputError:  # none of them has all features
        return experiment
    partition = Partition(
        scored.table, np.full(len(scored.table), -1, dtype=np.int8), scored.table, scored.preprocessed
    )
    return replace(experiment, unscored=partition, unscored_predictions=scored.forms)


def _notes(train: Partition, test: Partition, dropped: Sequence[str], plan: ExperimentPlan) -> tuple[str, ...]:
    notes = []
    if dropped:
        notes.append(f"Left out, since they do not vary on the training responses: {', '.join(dropped)}.")
    for what, partition in (("training", train), ("evaluation", test)):
        if partition.filled:
            were = "value of {} responses was" if partition.filled == 1 else "values of {} responses were"
            notes.append(f"{partition.filled} missing feature {were.format(what)} set to {_words(plan)}.")
    if test is train:
        notes.append("The model is evaluated on the responses it was trained on: it will look better than it is.")
    return tuple(notes)


def _words(plan: ExperimentPlan) -> str:
    return "0" if plan.missing == "zero" else f"the {plan.missing} of the feature in training"


def _by_first_gap(
    present: NDArray[np.bool_], usable: NDArray[np.bool_], whole: NDArray[np.bool_], keep: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Places of responses left out: those with a missing value first, each kind by its first such feature."""
    out = np.flatnonzero(~keep)
    first_missing, first_unusable = (np.argmin(ok[out], axis=1) for ok in (present, usable))
    first = np.where(whole[out], first_unusable, first_missing)
    return out[np.lexsort((out, first, whole[out]))]
