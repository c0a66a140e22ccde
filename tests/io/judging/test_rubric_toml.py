"""A rubric in TOML: what it holds, and every mistake at once."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.evaluation.judging.rubric import Criterion, Example, Prices, RubricLevel
from assay.io.judging.rubric_toml import MOST_LETTERS, judge_rubric_of, read_judge_rubric
from tests.paths import EXAMPLES

SHORT = b"""
task = "Judge answers."
separate = true
temperature = 0.5
most_tokens = 300
[prices]
input = 1
output = 2.5
[[criteria]]
name = "clarity"
scale = "1-3"
weight = 2
[[criteria.levels]]
score = 3
description = "clear"
[[criteria]]
name = "passes"
question = "Does it?"
levels = [{ label = "no" }, { label = "yes" }]
[[examples]]
text = "Hm."
scores = { clarity = 1, passes = "no" }
"""


def test_a_rubric_is_read_with_all_its_settings() -> None:
    rubric = judge_rubric_of(SHORT, name="r.toml")

    assert rubric.criteria == (
        Criterion("clarity", (RubricLevel(1.0), RubricLevel(2.0), RubricLevel(3.0, "clear")), weight=2),
        Criterion("passes", (RubricLevel("no"), RubricLevel("yes")), "Does it?"),
    )
    assert (rubric.task, rubric.separate, rubric.temperature, rubric.most_tokens) == ("Judge answers.", True, 0.5, 300)
    assert rubric.prices == Prices(1, 2.5, "USD")
    assert rubric.examples == (Example("Hm.", {"clarity": 1.0, "passes": "no"}),)
    assert rubric.name == "r.toml"


def test_the_example_is_a_rubric() -> None:
    rubric = read_judge_rubric(EXAMPLES / "rubric.toml")
    assert [criterion.name for criterion in rubric.criteria] == ["quality", "stays on topic"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("criteria = 3", r"write \[\[criteria\]\] above each"),
        ("criteria = [3]", "3 is not a table"),
        ("", "there are no criteria"),
        ("taks = 'x'\n[[criteria]]\nname='a'\nscale='1-2'", "Did you mean task"),
        ("task = 1", "1 is not a text in quotes"),
        ("separate = 'yes'", "not true or false"),
        ("temperature = 'hot'", "not a number"),
        ("temperature = nan\n[[criteria]]\nname='a'\nscale='1-2'", "between 0 and 2|not a number"),
        (f"temperature = {'9' * 400}", "not a number"),
        ("most_tokens = 1.5", "whole number"),
        ("prices = {input = 1}", "prices.output: give the price"),
        ("prices = 1", "prices: 1 is not a table"),
        ("[[criteria]]\nname='a'\nscale='one'", "cannot read the scale"),
        ("[[criteria]]\nname='a'\nscale='0-100000'", "more than 101"),
        ("[[criteria]]\nname='a'\nscale='1-2'\nlevels=[{score=9}]", "9.0 is not on the scale"),
        ("[[criteria]]\nname='a'\nlevels=[{score=1, label='x'}]", "a score or a label"),
        ("[[criteria]]\nname='a'\nlevels=[{}]", "a score or a label"),
        ("[[criteria]]\nname='a'\nlevels=3", "write"),
        ("[[criteria]]\nname='a'\nscale='1-2'\n[[examples]]\ntext='t'\nscores=3", "CRITERION = LEVEL"),
        ("[[criteria]]\nname='a'\nscale='1-2'\n[[examples]]\ntext='t'\nscores={a=[1]}", "CRITERION = LEVEL"),
        ("x = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_named_where_it_is(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        judge_rubric_of(text.encode(), name="r.toml")
    assert (caught.value.source, caught.value.field) == ("r.toml", "rubric")


def test_all_mistakes_are_listed_together() -> None:
    with pytest.raises(InputError, match=r"(?s)3 mistakes:.*criterai.*task.*separate"):
        judge_rubric_of(b"task = 1\nseparate = 2\ncriterai = []", name="r.toml")


def test_what_is_too_long_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sent with every request"):
        judge_rubric_of(SHORT + b"#" * MOST_LETTERS, name="r.toml")
    with pytest.raises(InputError, match="UTF-8"):
        judge_rubric_of(b"\xff\xfe", name="r.toml")
    with pytest.raises(InputError, match=r"deeply|valid TOML"):
        judge_rubric_of(b"a = " + b"[" * 50_000, name="r.toml")
    with pytest.raises(InputError, match=r"absent\.toml"):
        read_judge_rubric(tmp_path / "absent.toml")
