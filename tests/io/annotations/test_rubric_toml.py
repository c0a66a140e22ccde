"""Rules as TOML: written with comments, read back the same, every mistake reported at once."""

import tomllib
from dataclasses import replace

import pytest

from assay.annotations.rubric.rubric import PROFILES, AttributeRule, LabelRule, Rubric, Thresholds, Weights, profile
from assay.errors import InputError
from assay.io.annotations.rubric_toml import COMMENTS, TOP, read_rubric, rubric_toml


def edited() -> Rubric:
    """A rubric that departs from its profile everywhere."""
    return replace(
        profile("strict"),
        labels=(
            LabelRule("Car", (AttributeRule("color", "exact", values=("red", 'dark "blue"')),), least=0.75),
            LabelRule('odd "name".with\\signs\n', (AttributeRule("Größe [m]", "number", tolerance=0.25, weight=2.0),)),
            LabelRule("Person"),
        ),
        only_labels=("Car", "Person"),
        match_key="Annotation No",
        weights=Weights(70, 15, 15, 90, 10),
        thresholds=Thresholds(box=0.4, line=1 / 3),
        beta=2.0,
        label_mode="prefer",
        across_families=True,
        sigmas={"nose": 0.026, "left eye": 0.025},
    )


@pytest.mark.parametrize("rubric", [*PROFILES.values(), edited()])
def test_rules_come_back_as_they_were_written(rubric: Rubric) -> None:
    assert read_rubric(rubric_toml(rubric)) == rubric


def test_every_setting_has_a_comment() -> None:
    assert set(COMMENTS) == set(TOP)


def test_what_is_not_stated_is_as_in_the_profile() -> None:
    assert read_rubric('profile = "strict"\nbeta = 1') == replace(profile("strict"), beta=1.0)
    assert read_rubric("") == Rubric()


def test_an_attribute_can_be_written_in_one_word() -> None:
    rubric = read_rubric('[labels.Car.attributes]\ncolor = "exact"\nage = { compare = "number", tolerance = 2 }')
    assert rubric.labels == (
        LabelRule("Car", (AttributeRule("color", "exact"), AttributeRule("age", "number", tolerance=2.0))),
    )


def test_all_mistakes_are_reported_with_their_lines_and_the_nearest_names() -> None:
    text = "\n".join(
        [
            'profile = "annotater-ai-1.0"',
            'beta = "half"',
            'label_mod = "prefer"',
            'resized_images = "scael"',
            "key_anywhere = 1",
            "[weights]",
            "lable = 3",
            "[labels.Car]",
            'attributes.color = "exct"',
            'attributes.size = { compare = "text", values = 3 }',
        ]
    )
    with pytest.raises(InputError) as caught:
        read_rubric(text, source="mine.toml")
    lines = str(caught.value).splitlines()
    assert lines[0] == "mine.toml: 8 mistakes:"
    assert "line 1, profile: there is no profile 'annotater-ai-1.0'. Did you mean 'annotator-ai-1.0'?" in lines[1]
    assert "line 2, beta: 'half' is not a number." in lines[2]
    assert "line 3, label_mod: there is no such setting. Did you mean label_mode" in lines[3]
    assert "line 4, resized_images: 'scael' is not possible. Did you mean 'scale'?" in lines[4]
    assert "line 5, key_anywhere: 1 is not true or false" in lines[5]
    assert "line 7, weights.lable: there is no such setting. Did you mean label" in lines[6]
    assert "line 9, labels.Car.attributes.color: 'exct' is not possible. Did you mean 'exact'?" in lines[7]
    assert "labels.Car.attributes.size.values: 3 is not a list of texts" in lines[8]


def test_values_out_of_range_are_reported_together() -> None:
    with pytest.raises(InputError) as caught:
        read_rubric("beta = -1\n[thresholds]\nbox = 7\n[weights]\nquality = 0\ncompleteness = 0\n")
    message = str(caught.value)
    assert "3 mistakes" in message
    assert "thresholds.box is 7.0" in message


def test_broken_toml_is_said_to_be_so_with_its_place() -> None:
    with pytest.raises(InputError, match=r"mine\.toml: is not valid TOML: .*line 1"):
        read_rubric("label_mode = prefer", source="mine.toml")


def test_a_byte_order_mark_does_no_harm() -> None:
    assert read_rubric("\ufeffbeta = 1").beta == 1


def test_the_text_is_toml_with_the_rules_in_words_on_top() -> None:
    text = rubric_toml(edited())
    assert tomllib.loads(text)["weights"]["quality"] == 90
    assert text.startswith("# Rules for scoring annotations.")
    assert "#   score = 90 % quality + 10 % completeness" in text
