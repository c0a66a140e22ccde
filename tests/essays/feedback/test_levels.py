"""Who reads the feedback: each aim has words for everyone, and each level is known by name."""

from importlib.resources import files

import pytest

from assay.errors import InputError
from assay.essays.feedback.error_groups import GROUPS
from assay.essays.feedback.levels import EXPECTATIONS, LEVELS, aim_words, level_named

DEVELOPMENT = ("position", "position_question", "reasons", "support", "depth", "conclusion", "exact_words")


@pytest.mark.parametrize("level", LEVELS)
def test_every_aim_can_be_said_to_every_reader(level: str) -> None:
    for kind in (*GROUPS, *DEVELOPMENT, "proofreading"):
        title, do = aim_words(kind, level_named(level))
        assert title[0].isupper()
        assert not title.endswith(".")
        assert do.endswith((".", "?"))


def test_a_younger_reader_gets_fewer_aims_and_shorter_sentences() -> None:
    assert EXPECTATIONS["grade6"].aims < EXPECTATIONS["grade9"].aims == 3
    assert aim_words("spelling", "grade6") != aim_words("spelling", "grade9")
    assert aim_words("capitals", "grade6") == aim_words("capitals", "adult")


def test_learners_are_told_the_rule_with_an_example() -> None:
    for kind in ("sentences", "verbs", "nouns", "words"):
        assert "“" in aim_words(kind, "learner")[1]


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no level is called 'grade7'") as problem:
        level_named("grade7")

    assert problem.value.field == "level"
    assert "grade6, grade9, adult, learner" in problem.value.text()


def test_the_table_names_levels_that_exist() -> None:
    lines = files("assay.essays.feedback").joinpath("aims.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert {line.split("\t")[1] for line in lines} <= {"-", *LEVELS}
