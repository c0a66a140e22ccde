"""Designs that leave little to see: each is a clear error or a named caution, and a report all the same."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.workflows.evaluation.panel import PanelResult, panel

ITEMS = 60
RNG = np.random.default_rng(1)
TRUE = RNG.integers(1, 6, ITEMS)
RATERS = {"humans": ["h1", "h2", "h3"], "judges": ["gpt"]}


def scores(*, gaps: slice | None = None) -> np.ndarray:
    column: np.ndarray = np.clip(TRUE + RNG.integers(-1, 2, ITEMS), 1, 5).astype(float)
    if gaps is not None:
        column[gaps] = np.nan
    return column


def made(h1: object, h2: object, h3: object, gpt: object) -> PanelResult:
    result = panel({"item": list(range(ITEMS)), "h1": h1, "h2": h2, "h3": h3, "gpt": gpt}, **RATERS)  # type: ignore[arg-type]
    assert result.document().sections
    assert result.json()
    return result


def test_a_rater_with_one_score_is_named() -> None:
    lone = np.full(ITEMS, np.nan)
    lone[3] = 4
    cautions = made(scores(), scores(), lone, scores()).panel.cautions

    assert "1 rater gave one rating (h3): nothing can be said of them." in cautions


def test_a_rater_without_a_score_is_named() -> None:
    result = made(scores(), scores(), np.full(ITEMS, np.nan), scores())

    assert "No rating by h3: the column is empty." in result.panel.notices
    assert result.panel.design.people == ("h1", "h2")


def test_nothing_but_gaps_is_an_error_that_says_so() -> None:
    with pytest.raises(InputError, match="every cell of every rater is empty"):
        panel({"item": [1, 2], "h1": [None, None], "gpt": [None, None]}, humans=["h1"], judges=["gpt"])


def test_raters_who_share_no_item_are_said_to_be_apart() -> None:
    first, second = slice(30, None), slice(None, 30)
    result = made(scores(gaps=first), scores(gaps=first), scores(gaps=second), scores(gaps=second))

    assert "The raters form 2 groups that share no item" in " ".join(result.panel.cautions)
    assert "The raters form 2 groups" in result.panel.models.rasch.cautions[0]


def test_equal_ratings_give_no_verdict() -> None:
    result = made(*[np.full(ITEMS, 3.0)] * 4)

    assert "All ratings are equal: nothing tells a good rater from a bad one." in result.panel.cautions
    assert [(j.verdict, j.reason) for j in result.panel.replacement.judges] == [(None, "all ratings are equal")]


def test_comparisons_that_are_all_ties_say_so() -> None:
    table = {"item": list(range(20)), "a": ["x"] * 20, "b": ["y"] * 20, "winner": ["tie"] * 20}

    assert "Every comparison is a tie: nothing tells a good rater from a bad one." in panel(table).panel.cautions


def test_one_item_gives_no_verdict() -> None:
    table = {"item": [1], "h1": [3], "h2": [4], "gpt": [4]}
    result = panel(table, humans=["h1", "h2"], judges=["gpt"])

    assert "There is one item: no interval and no verdict can be given." in result.panel.cautions
    assert result.panel.replacement.judges[0].verdict is None


def test_labels_with_stray_case_and_spaces_are_merged_and_named() -> None:
    table = {"item": list(range(6)), "h1": ["Cat", "cat ", "DOG"] * 2, "gpt": [" cat", "cat", "dog"] * 2}
    result = panel(table, humans=["h1"], judges=["gpt"])

    assert len(result.panel.labels.levels) == 2
    assert "differ only in case or spaces were merged" in result.panel.notices[-1]


def test_ten_thousand_raters_are_compared_and_what_is_left_out_is_named() -> None:
    rng = np.random.default_rng(2)
    item, rater = rng.integers(0, 2000, 20_000), np.arange(20_000) % 10_000
    quality = rng.normal(3, 1, 2000)
    table = {
        "item": np.concatenate([item, np.arange(2000)]),
        "rater": [*(f"w{r}" for r in rater), *["gpt"] * 2000],
        "score": np.clip(np.rint(np.concatenate([quality[item], quality])), 1, 5),
    }
    result = panel(table, judges=["gpt"])

    assert len(result.panel.design.people) == 10_000
    assert result.panel.models.rasch.reason == "there are 10,001 raters, more than 200"
    assert result.panel.agreement.matrix.left_out == 10_001 - 60
    assert result.panel.replacement.judges[0].reason
