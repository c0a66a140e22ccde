"""The example essays: the file holds what the generator writes, and scores go with what was written."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.essays.models.resolution import resolved_score
from assay.metrics.kappa import quadratic_weighted_kappa
from examples.make_essays import PROMPTS, Skill, compose, example_essays, material, write_example_essays
from examples.writing_errors import CONFUSED, DISAGREEING, MISSPELLED, with_errors
from tests.paths import EXAMPLES


@pytest.fixture(scope="module")
def essays() -> pl.DataFrame:
    return example_essays()


def test_the_examples_are_those_that_the_generator_writes(tmp_path: Path) -> None:
    for path in write_example_essays(tmp_path):
        assert path.read_bytes() == (EXAMPLES / path.relative_to(tmp_path)).read_bytes(), path.name


def test_there_are_enough_essays_of_every_level_and_prompt_and_none_twice(essays: pl.DataFrame) -> None:
    assert essays.height >= 120
    assert set(essays["prompt"]) == set(PROMPTS)
    assert essays["text"].n_unique() == essays.height
    assert essays["score"].value_counts().sort("score")["score"].to_list() == [1, 2, 3, 4, 5, 6]
    assert essays["score"].value_counts()["count"].min() >= 10  # type: ignore[operator]


def test_every_candidate_answers_both_prompts_of_a_grade(essays: pl.DataFrame) -> None:
    by_candidate = essays.group_by("candidate").agg(pl.col("prompt").n_unique(), pl.col("program").n_unique())

    assert set(by_candidate["prompt"]) == {2}
    assert set(by_candidate["program"]) == {1}


def test_raters_agree_as_people_do_and_a_third_reads_where_they_do_not(essays: pl.DataFrame) -> None:
    first, second = essays["rating_1"].to_numpy(), essays["rating_2"].to_numpy()

    assert 0.75 < quadratic_weighted_kappa(first, second) < 0.85
    assert essays["rating_3"].is_not_null().to_list() == (np.abs(first - second) > 1).tolist()
    third = essays["rating_3"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    expected = resolved_score(first.astype(float), second.astype(float), third)
    halfway = np.abs(third - first) == np.abs(third - second)
    assert essays["score"].to_numpy()[~halfway].tolist() == expected[~halfway].tolist()


def test_better_essays_are_longer_better_worded_and_have_fewer_errors(essays: pl.DataFrame) -> None:
    errors = set(MISSPELLED.values()) | {"i", "dont", "cant"}
    words = pl.col("text").str.to_lowercase().str.extract_all(r"[a-z']+")
    by_score = (
        essays.select(
            "score",
            n=words.list.len(),
            letters=words.list.eval(pl.element().str.len_chars()).list.mean(),
            errors=words.list.eval(pl.element().is_in(list(errors))).list.mean(),
        )
        .group_by("score")
        .mean()
        .sort("score")
    )

    assert by_score["n"].is_sorted()
    assert by_score["letters"].is_sorted()
    assert by_score["errors"].is_sorted(descending=True)


def test_the_best_writers_make_next_to_no_errors_and_the_weakest_many() -> None:
    sentences = ["Every student should wear the same clothes because it is fair to all of their friends."] * 20
    clean = with_errors(sentences, 6.0, np.random.default_rng(1))
    marred = with_errors(sentences, 1.0, np.random.default_rng(1))

    assert clean.count(sentences[0]) >= 17
    assert marred.count(sentences[0]) <= 5


def test_errors_change_the_word_they_are_made_in() -> None:
    for table in (MISSPELLED, CONFUSED, DISAGREEING):
        assert all(right != wrong for right, wrong in table.items())


@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_sentence_of_the_material_is_one_sentence_and_used_once(prompt: str) -> None:
    own = material(prompt)
    said = [s for part in (own.plain, own.rich, *own.point) for sentences in part.values() for s in sentences]

    assert len(said) == len(set(said))
    for sentence in said:
        assert sentence[0].isupper() or sentence.startswith("{"), sentence
        assert sentence.endswith((".", "?")), sentence


def test_an_essay_names_one_friend_and_leaves_no_slot_open() -> None:
    for seed in range(30):
        text = compose(material("homework"), Skill(5.5, 5.5, 6.0), np.random.default_rng(seed))
        assert "{" not in text
        assert text.count("\n\n") >= 3
