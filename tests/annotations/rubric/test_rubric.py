"""Rules: profiles, and mistakes in them."""

from dataclasses import replace

import pytest

from assay.annotations.rubric.rubric import (
    PROFILES,
    AttributeRule,
    LabelRule,
    Rubric,
    Thresholds,
    Weights,
    profile,
)
from assay.errors import InputError


def test_the_default_is_the_scoring_plan_under_its_name_and_version() -> None:
    assert Rubric() == PROFILES["annotator-ai-1.0"] == profile("annotator-ai")


def test_the_strict_profile_says_what_it_changes() -> None:
    strict = profile("strict")
    assert strict.profile == "strict-1.0"
    assert strict.departures() == ()
    assert replace(strict, beta=1.0).departures() == ("beta",)


def test_an_unknown_profile_is_named_with_those_that_exist() -> None:
    with pytest.raises(InputError, match=r"no profile 'lenient'.*annotator-ai-1\.0, strict-1\.0"):
        profile("lenient")


def test_all_mistakes_of_a_rubric_are_reported_together() -> None:
    with pytest.raises(InputError) as caught:
        Rubric(
            weights=Weights(label=-1),
            beta=0,
            thresholds=Thresholds(box=1.5),
            labels=(LabelRule("Car"), LabelRule("car"), LabelRule("Bus", (AttributeRule("a"), AttributeRule("A ")))),
        )
    message = str(caught.value)
    for part in ("Weight label is -1", "beta is 0", "thresholds.box is 1.5", "'car' is listed twice", "'a' of label"):
        assert part in message


def test_attributes_are_found_however_the_label_is_written() -> None:
    rubric = Rubric(labels=(LabelRule("Traffic Light", (AttributeRule("state"),)),))
    assert rubric.attributes_of("traffic  light")[0].name == "state"
    assert rubric.attributes_of("car") == ()
