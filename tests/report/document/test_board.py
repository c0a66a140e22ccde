from assay.metrics.intervals import Estimate
from assay.report.document.board import Board, BoardRow

ROW = BoardRow("gpt", "", Estimate(0.8, 0.7, 0.9), detail="2 of 3", below="rate 0.67", verdict="met", second="not met")
HEADS = ("Judge", "QWK", "Axis", "Alt-test", "Verdict")


def test_the_board_as_a_table_has_both_verdicts_where_there_are_two() -> None:
    two = Board("Judges", HEADS, (ROW,), second_title="With h2").table
    one = Board("Judges", HEADS, (ROW,)).table

    assert two.rows == (("gpt", ROW.estimate, "2 of 3, rate 0.67", "met", "not met"),)
    assert one.rows == (("gpt", ROW.estimate, "2 of 3, rate 0.67", "met"),)
