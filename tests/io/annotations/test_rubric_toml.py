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
            LabelRule("Person", weight=2.0, miss_cost=0.0, extra_cost=0.5),
        ),
        extra_cost=0.0,
        full_overlap=0.9,
        pass_mark=70.0,
        label_credits=(("Car", "Person", 0.5),),
        ignore_where=(("occluded", "true"),),
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


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("zzz = 1", "line 1, zzz: there is no such setting. Possible are: profile, only_labels, match_key"),
        ('profile = "?"', "line 1, profile: there is no profile '?'. Choose one of annotator-ai-1.0, strict-1.0."),
        ("profile = 3", "there is no profile 3."),
        ("beta = true", "line 1, beta: True is not a number."),
        ('match_key = " "', "line 1, match_key: ' ' is not a text. Leave the line out if there is none."),
        ("match_key = 3", "line 1, match_key: 3 is not a text."),
        ('only_labels = ["a", 1]', "line 1, only_labels: ['a', 1] is not a list of texts, such as"),
        ('label_mode = "zz"', "label_mode: 'zz' is not possible. Choose one of ignore, tiebreak, prefer, require."),
        ("weights = 3", "line 1, weights: 3 is not a table: write [weights] and the settings below it."),
        ("[sigmas]\nnose = true", "line 2, sigmas.nose: True is not a number."),
        ("[labels]\ncar = 3", "line 2, labels.car: 3 is not a table: write [labels.car] and the settings below it."),
        ("[labels.car]\nleast = 'x'", "line 2, labels.car.least: 'x' is not a number."),
        ("[labels.car]\nattributes = 3", "labels.car.attributes: 3 is not a table"),
        ("[labels.car]\nleats = 1", "line 2, labels.car.leats: there is no such setting. Did you mean least?"),
        ("\n# beta = 2\n\nbeta = 0", "beta is 0.0: give a number above 0"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_to_write(text: str, mistake: str) -> None:
    with pytest.raises(InputError) as caught:
        read_rubric(text)
    assert str(caught.value).startswith("rules.toml: 1 mistake:\n")
    assert mistake in str(caught.value)
    assert caught.value.field == "rules"


def test_a_setting_that_is_not_stated_has_no_line_in_the_text() -> None:
    lines = rubric_toml(Rubric()).splitlines()
    assert not [line for line in lines if line.startswith(("match_key", "[sigmas]", "least"))]
    assert "beta = 0.5" in lines
    assert "key_anywhere = true" in lines
    assert "across_families = false" in lines
    assert 'profile = "annotator-ai-1.0"' in lines
    assert "localisation = 50" in lines
    assert "only_labels = []" in lines


def test_an_attribute_is_written_in_one_word_unless_more_is_said_of_it() -> None:
    rules = (
        AttributeRule("a", "exact"),
        AttributeRule("b", "number", tolerance=0.5),
        AttributeRule("c", weight=0.0, values=("x",)),
    )
    lines = rubric_toml(Rubric(labels=(LabelRule("Car", rules, 0.7),))).splitlines()
    start = lines.index('[labels."Car"]')
    assert lines[start + 1 :] == [
        "least = 0.7",
        'attributes."a" = "exact"',
        'attributes."b" = { compare = "number", tolerance = 0.5 }',
        'attributes."c" = { compare = "text", weight = 0, values = ["x"] }',
    ]


@pytest.mark.parametrize("sign", ["\x00", "\x1f", "\x7f", "\t", "\r", " ", "\u0080", "~"])
def test_any_letter_in_a_name_comes_back(sign: str) -> None:
    rubric = Rubric(labels=(LabelRule(f"a{sign}b"),))
    assert read_rubric(rubric_toml(rubric)).labels[0].name == f"a{sign}b"


@pytest.mark.parametrize("number", [1e15, 1e14, 0.1, 3.0, 1e-9, 999999999999999.0])
def test_numbers_come_back_to_the_last_digit(number: float) -> None:
    assert read_rubric(rubric_toml(Rubric(beta=number))).beta == number


def test_rules_nested_too_deeply_are_refused() -> None:
    with pytest.raises(InputError, match=r"mine\.toml: nests lists or tables too deeply"):
        read_rubric("beta = " + "[" * 50_000, source="mine.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("beta = " + "1" * 5000, "is not valid TOML"),
        ("beta = " + "[" * 5000 + "]" * 5000, "too deeply"),
        ("beta = 1" + "0" * 400, "line 1, beta: 1.*0 is not a number"),
        ('[labels.car.attributes]\ncolor = { compare = "text", weight = inf }', "tolerance and weight are 0 or more"),
        ("[sigmas]\nnose = inf", "give a number above 0"),
    ],
)
def test_numbers_and_nesting_beyond_all_bounds_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_rubric(text)


@pytest.mark.parametrize(
    ("number", "text"),
    [(2.0, "2"), (0.5, "0.5"), (999999999999999.0, "999999999999999"), (1e15, "1000000000000000.0"), (1e16, "1e+16")],
)
def test_whole_numbers_are_written_as_such_up_to_fifteen_digits(number: float, text: str) -> None:
    assert f"beta = {text}" in rubric_toml(Rubric(beta=number)).splitlines()


def test_letters_that_toml_does_not_hold_are_escaped() -> None:
    text = rubric_toml(Rubric(labels=(LabelRule("a\x1f\x7f \t\u0080"),)))
    assert '[labels."a\\u001f\\u007f \\t\u0080"]' in text.splitlines()


def test_lines_of_mistakes_are_those_of_tables_and_keys() -> None:
    text = """# labels.car.least = 1

[labels.car]
attributes.a.b = 1
[labels."big car"]  # a comment
least = "x"
[weights]
quality = "y"
"""
    with pytest.raises(InputError) as caught:
        read_rubric(text)
    lines = str(caught.value).splitlines()
    assert "  line 6, labels.big car.least: 'x' is not a number." in lines
    assert "  line 8, weights.quality: 'y' is not a number." in lines
    assert lines[0] == "rules.toml: 3 mistakes:"


def test_an_attribute_may_leave_its_comparator_open() -> None:
    text = '[labels.car]\nleast = 0.5\n[labels.car.attributes]\na = { weight = 2 }\nb = { values = ["x"] }\n'
    (rule,) = read_rubric(text).labels
    assert rule == LabelRule("car", (AttributeRule("a", weight=2.0), AttributeRule("b", values=("x",))), 0.5)
