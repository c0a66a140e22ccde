"""What sections ask an evaluation: each figure on the form it is meant for, groups by their shift."""

from dataclasses import replace

from assay.evaluation.ratings import NO_INFO
from assay.metrics.catalogue import PAIR_METRICS
from assay.report.evaluation.facts import (
    decisive,
    explained_table,
    group_name,
    judgements,
    main_figures,
    metric_columns,
    shifts,
    weighted,
)
from tests.report.evaluation.evaluations import plain, rich


def test_each_metric_is_taken_on_the_form_it_is_meant_for() -> None:
    evaluation = rich()
    figures, plan = decisive(evaluation), evaluation.plan
    assert plan.rounded is not None

    assert figures.keys() == PAIR_METRICS.keys()
    assert figures["exact_agreement"] == evaluation.variants[plan.rounded].metrics["exact_agreement"]
    assert figures["r"] == evaluation.variants[plan.trimmed].metrics["r"]
    assert main_figures(evaluation) is evaluation.variants[plan.trimmed]


def test_without_score_points_metrics_that_need_them_are_undefined_and_not_judged() -> None:
    evaluation = plain(scale=None, groups=2)

    needing = [estimate for name, estimate in decisive(evaluation).items() if PAIR_METRICS[name].on_points]
    assert {(e.defined, e.reason) for e in needing} == {(False, "the human scores lie on no regular points")}
    judged = judgements(evaluation)
    assert [judged[name].verdict for name in ("exact_agreement", "adjacent_agreement")] == [None, None]


def test_the_largest_group_difference_is_judged_only_where_groups_can_be_compared() -> None:
    assert "largest_dsm" in judgements(plain(groups=2))
    assert "largest_dsm" not in judgements(plain(groups=1))


def test_the_most_shifted_group_comes_first_and_small_ones_not_at_all() -> None:
    shifted = shifts(rich())

    assert [shift.name for shift in shifted][:2] == ["Vietnamese", "Tagalog"]
    assert [abs(s.dsm.value) for s in shifted] == sorted((abs(s.dsm.value) for s in shifted), reverse=True)
    assert "Mandarin" not in {shift.name for shift in shifted}
    assert shifts(plain(groups=1)) == ()


def test_weights_other_than_one_are_noticed() -> None:
    assert weighted(plain(weights=True))
    assert not weighted(plain())


def test_a_group_without_information_is_called_so() -> None:
    shift = shifts(rich())[0]

    assert group_name(NO_INFO) == "no information"
    assert replace(shift, group=replace(shift.group, name=NO_INFO)).name == "no information"
    assert group_name("Peru") == "Peru"


def test_figures_are_explained_in_the_order_of_the_words() -> None:
    evaluation = rich()
    table = explained_table("further", "Further", evaluation.further)

    assert len(table.rows) == len(evaluation.further) > 3
    assert all(row[3] for row in table.rows)
    assert [column.name for column in metric_columns(["qwk", "smd"])] == ["qwk", "smd"]
