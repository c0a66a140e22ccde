"""What is usual, and what a change counts for."""

from math import isnan

import pytest

from assay.essays.features.features import FEATURES
from assay.essays.feedback.norms import PAPER_WEIGHTS, FeatureNorms, Norm, reference_norms


def test_the_reference_has_a_norm_for_every_feature_that_needs_no_scored_essays() -> None:
    norms = reference_norms()

    assert norms.norms.keys() == FEATURES.keys() - {"max_cos", "cos_highest"}
    assert all(norm.sd > 0 and list(norm.deciles) == sorted(norm.deciles) for norm in norms.norms.values())
    assert "ASAP 2.0" in norms.source


def test_the_weights_are_those_of_table_9_and_add_up_to_one() -> None:
    assert sum(PAPER_WEIGHTS.values()) == pytest.approx(1.0)
    assert PAPER_WEIGHTS.keys() == FEATURES.keys()


def test_a_value_many_essays_share_ranks_in_their_middle() -> None:
    rate = Norm(0.01, 0.02, (0, 0, 0, 0, 0.01, 0.02, 0.03, 0.04, 0.05))

    assert rate.beaten(0.0, higher_is_better=False) == 75
    assert rate.beaten(0.1, higher_is_better=False) == 5


@pytest.mark.parametrize(("value", "higher", "lower"), [(6.5, 65, 35), (0, 5, 95), (99, 95, 5), (5, 50, 50)])
def test_a_value_is_ranked_among_a_hundred_essays(value: float, higher: float, lower: float) -> None:
    norm = Norm(5, 2, (1, 2, 3, 4, 5, 6, 7, 8, 9))

    assert norm.beaten(value, higher_is_better=True) == higher
    assert norm.beaten(value, higher_is_better=False) == lower


def test_without_deciles_or_value_there_is_no_rank() -> None:
    assert isnan(Norm(5, 2).beaten(3.0, higher_is_better=True))
    assert isnan(Norm(5, 2, (1, 2)).beaten(float("nan"), higher_is_better=True))


def test_a_change_counts_for_its_weight_in_standard_deviations_and_never_below_zero() -> None:
    norms = FeatureNorms({"length": Norm(300, 50), "style": Norm(1, 0.0)}, {"length": 0.2, "style": 0.1}, "a test")

    assert norms.better_by("length", 100) == pytest.approx(0.4)
    assert norms.better_by("length", -100) == 0
    assert norms.better_by("length", float("nan")) == 0
    assert norms.better_by("style", 1) == 0  # no spread
    assert norms.better_by("usage", 1) == 0  # no norm
    assert FeatureNorms({"length": Norm(300, 50)}, {}, "").better_by("length", 100) == 0


def test_a_rank_turns_round_where_less_is_better() -> None:
    norm = Norm(5, 2, (1, 2, 3, 4, 5, 6, 7, 8, 9))
    norms = FeatureNorms({"length": norm, "grammar": norm}, {}, "")

    assert (norms.beaten("length", 8.5), norms.beaten("grammar", 8.5)) == (85, 15)
    assert isnan(norms.beaten("usage", 1.0))
