"""The model in the report of an experiment: coefficients, fit, and whether its errors look as they should."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from assay.metrics.intervals import Estimate
from assay.report.charts.feature_charts import Scatter, SignedBar, SignedBars
from assay.report.document.document import Block, Note, Paragraph, Section, Subheading
from assay.report.document.values import INTEGER, PERCENT, Code, Column, Number, Table, columns_of
from assay.report.document.wording import counted, listed, p_words
from assay.rsm.experiment import Experiment
from assay.rsm.learners.fitted import INTERCEPT, LinearFit
from assay.rsm.types import Scores

MOST_POINTS = 500
MOST_DRAWN = 40


def model_section(experiment: Experiment) -> Section:
    """What was learned."""
    model, fit = experiment.model, experiment.fit
    kind = "linear" if model.linear else "not linear: it has no coefficients"
    words = (Code(model.name), f", {kind}, with {counted(len(model.features), 'feature')}.")
    blocks: list[Block] = [Paragraph(words)]
    if experiment.objective:
        blocks.append(Paragraph(("Its parameters were chosen by grid search for ", Code(experiment.objective), ".")))
    if fit is not None:
        columns = columns_of(
            ("Training responses", INTEGER), ("Coefficients", INTEGER), ("R²", Number(3)), ("R², adjusted", Number(3))
        )
        row = (fit.n, len(fit.names) - 1, Estimate(fit.r2), Estimate(fit.adjusted_r2))
        blocks.append(Table("model_fit", "Fit on the training responses", columns, (row,)))
    if model.linear:
        betas = standardised(experiment)
        blocks += [coefficients_table(experiment, betas), betas_chart(betas)]
        negative = [name for name, beta in betas.items() if beta < 0]
        if negative:
            caution = (
                f"{listed(negative, 4, 'feature')} {'has' if len(negative) == 1 else 'have'} a negative coefficient: "
                "more of it lowers the score. Relative weights are then hard to interpret, since they do not add up."
            )
            blocks.append(Note(caution, "caution"))
    else:
        blocks.append(Paragraph(("What each feature does in such a model: ", Code("assay rsm explain"), ".")))
    # whether the errors on training responses are normal, and alike for low and high scores
    fitted = experiment.train_predictions["raw"]
    errors = experiment.train.used.human - fitted
    if len(errors) >= 3 and np.ptp(errors) != 0:
        blocks += [Subheading("Errors on training responses"), residual_plot(fitted, errors), normal_plot(errors)]
    return Section("Model", tuple(blocks))


def standardised(experiment: Experiment) -> dict[str, float]:
    """Each coefficient times the sd of its prepared feature over that of the human scores."""
    model = experiment.model
    assert model.coefficients is not None
    spread = experiment.train.preprocessed[:, model.columns_of(experiment.names)].std(axis=0, ddof=1)
    human = float(experiment.train.used.human.std(ddof=1))
    return dict(zip(model.features, (model.coefficients * spread / human).tolist(), strict=True))


def coefficients_table(experiment: Experiment, betas: dict[str, float]) -> Table:
    """Coefficients with intervals, standardised and relative weights."""
    weights, fit = experiment.model.weights(), experiment.fit
    errors = {} if fit is None else _errors(fit, weights)
    total = sum(abs(beta) for beta in betas.values())
    signed = Number(3, signed=True)
    columns = [Column("Feature"), Column("Coefficient", "estimate", signed)]
    columns += [Column("p")] if errors else []
    columns += [Column("Standardised", "number", signed), Column("Relative weight", "number", PERCENT)]
    rows = []
    for name in (INTERCEPT, *sorted(betas, key=lambda n: -abs(betas[n]))):
        value, beta = weights[name], betas.get(name)
        reach, p = errors.get(name, (float("nan"), float("nan")))
        relative = None if beta is None or not total else beta / total
        estimate = Estimate(value, value - reach, value + reach)
        rows.append((name, estimate, *([p_words(p)] if errors else []), beta, relative))
    return Table("coefficients", "Coefficients of the prepared features", tuple(columns), tuple(rows))


def _errors(fit: LinearFit, by_name: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Reach of the 95 % interval and p by name; empty when the model is not the least squares fit itself."""
    own = dict(zip(fit.names, fit.estimates.tolist(), strict=True))
    if any(
        not np.isclose(own.get(name, np.nan), value, rtol=1e-9, atol=1e-12) for name, value in by_name.items() if value
    ):
        return {}
    error, _, p = fit.tests()
    reach = stdtrit(fit.residual_df, 0.975) * error if fit.residual_df > 0 else error
    return {name: (float(r), float(q)) for name, r, q in zip(fit.names, reach, p, strict=True)}


def betas_chart(betas: dict[str, float]) -> SignedBars:
    """Standardised coefficients, the largest first."""
    order = sorted(betas, key=lambda name: -abs(betas[name]))
    total = sum(abs(beta) for beta in betas.values()) or 1.0
    says = f"{order[0]} weighs most: {100 * abs(betas[order[0]]) / total:.0f} % of all weights."
    return SignedBars(
        name="betas",
        title="Standardised coefficients",
        says=says,
        alt=f"Bars for {counted(len(order), 'feature')}, the largest first. {says}",
        bars=tuple(SignedBar(name, (betas[name],)) for name in order[:MOST_DRAWN]),
        series=("Standardised coefficient",),
        axis_title="Standard deviations of the human score per standard deviation of the feature",
    )


def residual_plot(fitted: Scores, errors: Scores) -> Scatter:
    """Errors against scores."""
    order = np.argsort(fitted, kind="stable")
    low, high = (float(np.sqrt(np.mean(errors[part] ** 2))) for part in np.array_split(order, 2))
    says = f"The typical error is {low:.2f} for the lower half of the scores and {high:.2f} for the upper half."
    return Scatter(
        name="residuals",
        title="Errors against raw scores",
        says=says,
        alt=f"A cloud of {counted(len(errors), 'response')} around zero. {says}",
        points=tuple((float(fitted[i]), float(errors[i])) for i in evenly_chosen(order, MOST_POINTS)),
        x_title="Raw score",
        y_title="Human minus raw score",
        line=((float(fitted.min()), 0.0), (float(fitted.max()), 0.0)),
    )


def normal_plot(errors: Scores) -> Scatter:
    """Errors against those of a normal distribution."""
    ordered = np.sort((errors - errors.mean()) / errors.std(ddof=1))
    n = len(ordered)
    expected = ndtri((np.arange(1, n + 1) - 0.5) / n)
    first, last = float(expected[0]), float(expected[-1])
    ends = max(abs(ordered[0] - first), abs(ordered[-1] - last))
    says = "The errors are about normal." if ends < 1 else "The largest errors stray from a normal distribution."
    return Scatter(
        name="normal_errors",
        title="Errors against a normal distribution",
        says=says,
        alt=f"{counted(n, 'error')} in order against normal quantiles, which would lie on a line. {says}",
        points=tuple((float(expected[i]), float(ordered[i])) for i in evenly_chosen(np.arange(n), MOST_POINTS)),
        x_title="Expected of a normal distribution",
        y_title="Standardised error",
        line=((first, first), (last, last)),
    )


def evenly_chosen(order: NDArray[np.intp], most: int) -> list[int]:
    """At most so many places, evenly along an order."""
    chosen = order if len(order) <= most else order[np.linspace(0, len(order) - 1, most).astype(int)]
    return [int(place) for place in chosen]
