"""Branches are counted where a line has several ways out, and seen when an input takes one."""

from pathlib import Path

from fuzz.branches import OUT, BranchTrace, branches_of


def test_each_way_out_of_a_line_is_a_branch(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    body = ["def f(x):", "    if x:", "        y = 1", "    else:", "        y = 2"]
    loop = ["    for _ in range(y):", "        x += 1", "    return x", ""]
    file.write_text("\n".join([*body, *loop]), encoding="utf-8")
    assert branches_of(str(file)) == {(str(file), *ends) for ends in ((2, 3), (2, 5), (6, 7), (6, 8))}


def test_a_function_that_only_writes_has_none_to_take(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("def write(x):\n    if x:\n        return 1\n    return 2\n", encoding="utf-8")
    assert branches_of(str(file)) == set()


def test_branches_taken_are_seen() -> None:
    from assay.scale import ScoreScale

    trace = BranchTrace(("scale",))
    with trace:
        ScoreScale(1, 6).points()
    before, of = trace.share
    with trace:
        try:
            ScoreScale(1, 1e15).points()
        except Exception:
            assert any(to == OUT for _, _, to in trace.reached)
    assert before < trace.share[0] <= of
