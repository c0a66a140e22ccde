"""A table of scores -> ratings, whole or in parts."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.io.tables import ratings_table
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.scale import ScoreScale
from tests.paths import EXAMPLES

COLUMNS = ScoreColumns(
    ("human", "human_2"),
    ("engine_a",),
    id="id",
    groups=("first_language", "first_language*gender"),
    length="words",
    candidate="candidate",
)


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    pl.read_csv(EXAMPLES / "scores.csv").write_parquet(tmp_path / "scores.parquet", row_group_size=100)
    return tmp_path / "scores.parquet"


def test_a_streamed_table_gives_the_figures_of_a_whole_one(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(ScoreScale(1, 6))
    whole = evaluate_engine(RatingsTable(parquet, COLUMNS).parts(scale=None, zeros_count=False), plan)
    monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)
    monkeypatch.setattr(ratings_table, "PART_ROWS", 70)

    table = RatingsTable(parquet, COLUMNS)
    parts = list(table.parts(scale=None, zeros_count=False))
    streamed = evaluate_engine(iter(parts), plan)

    assert len(parts) > 3
    assert [len(ids) for ids in table.response_ids()] == [len(part) for part in parts]
    figures = whole.figures(), streamed.figures()
    assert figures[0].keys() == figures[1].keys()
    for name, estimate in figures[0].items():
        other = figures[1][name]
        for end in ("value", "low", "high"):
            assert getattr(estimate, end) == pytest.approx(getattr(other, end), abs=1e-9, nan_ok=True), name


def test_groups_within_groups_are_named_by_both(parquet: Path) -> None:
    table = RatingsTable(parquet, COLUMNS)
    (part,) = table.parts(scale=None, zeros_count=False)
    both = part.groups[1]

    names = np.array(both.levels)[both.codes]

    frame = pl.read_csv(EXAMPLES / "scores.csv")
    assert names.tolist() == [f"{a} × {b}" for a, b in zip(frame["first_language"], frame["gender"], strict=True)]


def test_a_column_whose_own_name_holds_a_star_is_that_column(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2], "m": [1, 2], "a*b": ["x", None]}).write_csv(tmp_path / "t.csv")

    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h",), ("m",), groups=("a*b",)))

    assert table.group_levels["a*b"] == ("No info", "x")


def test_only_responses_every_engine_scored_are_compared(parquet: Path) -> None:
    table = RatingsTable(parquet, ScoreColumns(("human",), ("engine_a", "engine_b")))

    (first,) = table.parts("engine_a", scale=None, zeros_count=False)
    (second,) = table.parts("engine_b", scale=None, zeros_count=False)

    assert np.isnan(first.system).sum() == 3
    np.testing.assert_array_equal(np.isnan(first.system), np.isnan(second.system))


def test_a_flag_keeps_only_the_values_named(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2, 3], "m": [1, 2, 3], "flag": ["0", "1", None]}).write_csv(tmp_path / "t.csv")

    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h",), ("m",), flags={"flag": ("0",)}))
    (part,) = table.parts(scale=None, zeros_count=False)

    assert part.flagged is not None
    assert part.flagged.tolist() == [False, True, True]


def test_candidates_get_the_same_number_in_every_part(parquet: Path) -> None:
    table = RatingsTable(parquet, COLUMNS)
    (part,) = table.parts(scale=None, zeros_count=False)
    assert part.candidate is not None

    assert (part.candidate[0::2] == part.candidate[1::2]).all(), "two responses of each candidate"
    assert len(set(part.candidate.tolist())) == 300


def test_a_score_off_the_scale_names_row_and_column(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2], "h2": [1, 9], "m": [1, 2]}).write_csv(tmp_path / "t.csv")
    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h", "h2"), ("m",)))

    with pytest.raises(InputError, match=r"t\.csv, row 3, column 'h2': 9 is not a point of the scale 1 to 6"):
        list(table.parts(scale=ScoreScale(1, 6), zeros_count=False))


def test_a_table_knows_its_number_of_responses_where_no_reading_is_needed(
    parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pl.read_parquet(parquet).height
    assert RatingsTable(parquet, COLUMNS).known_count == rows
    assert RatingsTable(parquet, COLUMNS).spans(70) is None
    monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)
    assert RatingsTable(parquet, COLUMNS).known_count == rows
    spans = RatingsTable(parquet, COLUMNS).spans(70)
    assert spans is not None
    assert (spans[0], spans[-1], sum(count for _, count in spans)) == ((0, 70), (rows // 70 * 70, rows % 70), rows)
    assert RatingsTable(EXAMPLES / "scores.csv", COLUMNS).known_count is None


def test_scores_off_the_scale_are_counted_in_all_or_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.csv"
    path.write_text("id,h,s\na,2,2\nb,7,2\nc,9,2\nd,2.5,1\n", encoding="utf-8")
    columns = ScoreColumns(("h",), ("s",), id="id")

    def refused(scale: ScoreScale) -> InputError:
        with pytest.raises(InputError) as caught:
            list(RatingsTable(path, columns).parts(scale=scale, zeros_count=False))
        return caught.value

    whole = refused(ScoreScale(1, 6))
    assert (whole.source, whole.row, whole.column, whole.field) == ("s.csv", 3, "h", "scale")
    assert "7 is not a point of the scale 1 to 6 (3 such in all)" in str(whole)
    assert "Correct the score, or declare a scale that holds it" in str(whole)
    steps = refused(ScoreScale(1, 9))
    assert (steps.row, "Declare the step of the scale" in str(steps), "1-9:0.5, for example" in str(steps)) == (
        5,
        True,
        True,
    )
    monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)
    monkeypatch.setattr(ratings_table, "PART_ROWS", 2)
    assert "so far" in str(refused(ScoreScale(1, 6)))


def scores(folder: Path, **columns: list[object]) -> Path:
    pl.DataFrame(columns, strict=False).write_csv(folder / "t.csv")
    return folder / "t.csv"


def test_columns_are_named_after_the_arguments_that_ask_for_them() -> None:
    columns = ScoreColumns(
        ("a", "b", "c"), ("d", "e"), id="f", weights="g", length="h", candidate="i", flags={"j": ("1",)}
    )
    assert columns.by_field() == [
        *(("human", "a"), ("second_human", "b"), ("second_human", "c"), ("system", "d"), ("system", "e")),
        *(("id", "f"), ("weights", "g"), ("length", "h"), ("candidate", "i"), ("flag", "j")),
    ]
    assert ScoreColumns(("a",), ("d",)).by_field() == [("human", "a"), ("system", "d")]


def test_every_column_is_read_into_its_place(tmp_path: Path) -> None:
    path = scores(tmp_path, h=[1, 2], m=[3, 4], w=[0.5, 2], n=[10, 20], c=["x", "y"], f=["1", "2"])
    columns = ScoreColumns(("h",), ("m",), weights="w", length="n", candidate="c", flags={"f": ("1", "2")})
    (part,) = RatingsTable(path, columns).parts(scale=None, zeros_count=False)
    assert (part.human.tolist(), part.system.tolist(), part.first_row) == ([[1], [2]], [3, 4], 0)
    assert part.weights is not None
    assert part.length is not None
    assert part.candidate is not None
    assert part.flagged is not None
    assert (part.weights.tolist(), part.length.tolist(), part.flagged.tolist()) == ([0.5, 2], [10, 20], [False, False])
    assert len(set(part.candidate.tolist())) == 2
    assert (part.candidate >= 0).all()
    (bare,) = RatingsTable(path, ScoreColumns(("h",), ("m",))).parts(scale=None, zeros_count=False)
    assert (bare.weights, bare.length, bare.candidate, bare.flagged, bare.groups) == (None, None, None, None, ())


def test_a_table_without_rows_or_with_repeated_ids_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,h,m\n", encoding="utf-8")
    columns = ScoreColumns(("h",), ("m",), id="id")
    with pytest.raises(InputError, match=r"t\.csv: a header but no rows") as caught:
        RatingsTable(path, columns)
    assert caught.value.remedy == "Give a table with a row per response."
    path.write_text("id,h,m\na,1,1\na,2,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="repeats ids, 1 too many: 'a' in rows 2, 3"):
        RatingsTable(path, columns)
    assert RatingsTable(path, columns, check_ids=False).known_count == 2


def test_groups_known_before_are_not_looked_for(tmp_path: Path) -> None:
    path = scores(tmp_path, h=[1, 2], m=[1, 2], a=["x", "y"], b=["p", None])
    columns = ScoreColumns(("h",), ("m",), groups=("a * b", "b"))
    table = RatingsTable(path, columns)
    assert table.group_levels == {"a * b": ("x × No info", "x × p", "y × No info", "y × p"), "b": ("No info", "p")}
    (part,) = table.parts(scale=None, zeros_count=False)
    assert [group.codes.tolist() for group in part.groups] == [[1, 2], [1, 0]]
    known = RatingsTable(path, columns, levels={"a": ("x", "y", "z"), "b": ("No info", "p")})
    assert len(known.group_levels["a * b"]) == 6


def test_as_many_groups_as_allowed_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_table, "MOST_GROUPS", 3)
    columns = ScoreColumns(("h",), ("m",), groups=("a",))
    assert RatingsTable(scores(tmp_path, h=[1] * 3, m=[1] * 3, a=["x", "y", "z"]), columns).group_levels
    with pytest.raises(InputError, match="'a' has 4 groups, more than 3") as caught:
        RatingsTable(scores(tmp_path, h=[1] * 4, m=[1] * 4, a=["x", "y", "z", "w"]), columns).group_levels  # noqa: B018
    assert (caught.value.field, caught.value.source) == ("groups", "t.csv")


def test_human_values_are_distinct_finite_and_ascending(tmp_path: Path) -> None:
    path = scores(tmp_path, h=["3", "1", "inf", "", "3"], m=[1] * 5)
    assert RatingsTable(path, ScoreColumns(("h",), ("m",))).human_values.tolist() == [1, 3]


def test_zeros_are_judged_only_where_they_count(tmp_path: Path) -> None:
    table = RatingsTable(scores(tmp_path, h=[0, 2], m=[1, 2]), ScoreColumns(("h",), ("m",)))
    assert len(list(table.parts(scale=ScoreScale(1, 6), zeros_count=False))) == 1
    with pytest.raises(InputError, match="row 2, column 'h': 0 is not a point of the scale 1 to 6"):
        list(table.parts(scale=ScoreScale(1, 6), zeros_count=True))


def test_spans_give_rows_ids_and_numbers_from_the_middle(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)
    table = RatingsTable(parquet, COLUMNS)
    (part,) = table.parts(scale=None, zeros_count=False, span=(100, 50))
    assert (len(part), part.first_row) == (50, 100)
    (ids,) = table.response_ids((100, 50))
    assert ids.to_list() == pl.read_parquet(parquet)["id"][100:150].to_list()
