"""How often each score is given, and the bias at each level, in words."""

from dataclasses import replace

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import PairedBars
from assay.report.evaluation.distributions import bias_plot, bias_words, distribution_words, distributions_section
from tests.report.evaluation.evaluations import plain, rich
from tests.report.reading import charts_of


def test_scores_given_more_or_less_often_are_flagged_with_their_source() -> None:
    evaluation = rich()
    high = replace(evaluation.distribution[0], difference=Estimate(6.5, 3, 9))
    low = replace(evaluation.distribution[1], difference=Estimate(-7.25, -9, -3))

    assert distribution_words((high, low)) == (
        "The system gives 1 (+6.5) more often and 2 (−7.2) less often than raters do, by more than 5 percentage points "
        "(flagged as in RSMTool 12)."
    )
    assert distribution_words(()) == (
        "No score is given more than 5 percentage points more or less often by the system than by raters."
    )


def test_bias_by_level_tells_regression_to_the_mean_only_where_it_is() -> None:
    levels = rich().levels
    flat = tuple(replace(level, bias=Estimate(0.1, 0.0, 0.2)) for level in levels)

    assert bias_words(levels).endswith("it pulls to the middle.")
    assert bias_words(flat) == "The bias runs from +0.10 at 1 to +0.10 at 1."


def test_bars_and_levels_are_those_of_the_evaluation() -> None:
    evaluation = rich()
    charts = charts_of(distributions_section(evaluation))
    bias = bias_plot(evaluation)

    (bars,) = [chart for chart in charts.values() if isinstance(chart, PairedBars)]
    assert len(bars.points) == len(evaluation.distribution) == 6
    assert [level.estimate.value for level in bias.levels] == [level.bias.value for level in evaluation.levels]
    assert sum(level.n or 0 for level in bias.levels) == evaluation.n


def test_without_score_points_no_share_of_a_score_is_drawn() -> None:
    charts = charts_of(distributions_section(plain(scale=None)))

    assert not [chart for chart in charts.values() if isinstance(chart, PairedBars)]
