"""What a benchmark finds is kept, judged, compared with the last record, and makes the page."""

import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import benchmarks.__main__ as runner
from benchmarks import page as pages
from benchmarks.measure import Cost
from benchmarks.page import Effort, Figure, Page, Record, judged, plain


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pages, "RECORDED", tmp_path / "recorded")
    monkeypatch.setattr(runner, "DOCS", tmp_path / "benchmarks.md")
    return tmp_path


def shown(page: Page) -> None:
    page.heading("Speed")
    page.table("rows", "s")
    page.row(10, 0.5)
    page.row(20, None)
    page.end()
    page.grown("rows", 10, Cost(1.0, 0.5, 10**8))
    page.grown("rows", 1000, Cost(9.0, 5.0, 2 * 10**8))
    page.figure("times faster than before", 12.5, least=10)
    page.figure("peak memory, MB", 700, most=512)


def test_a_record_is_read_as_it_was_written() -> None:
    page = Page(Effort.TINY)
    shown(page)
    record = Record.of(page)
    record.write("speed")
    assert Record.read("speed") == record
    assert record.markdown == "### Speed\n\n| rows | s |\n| --- | --- |\n| 10 | 0.5 |\n| 20 |  |"
    assert Record.read("another") is None


def test_promises_are_judged_one_by_one() -> None:
    page = Page()
    shown(page)
    assert judged(page.figures)[2:] == [
        "| times faster than before | at least 10 | 12.5 | kept |",
        "| peak memory, MB | at most 512 | 700 | **not kept** |",
    ]
    assert judged([Figure("only said", 3.0)]) == []


def test_a_part_is_measured_recorded_and_written_to_the_page(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    monkeypatch.setattr(runner, "PARTS", {"speed": ("How fast", shown), "other": ("Never run", shown)})
    assert runner.main(["speed"]) == 1  # one promise is not kept
    text = (elsewhere / "benchmarks.md").read_text(encoding="utf-8")
    assert "## How fast\n\nMeasured on " in text
    assert "| peak memory, MB | at most 512 | 700 | **not kept** |" in text
    assert "Never run" not in text
    picture = fromstring((elsewhere / "images" / "growth-speed.svg").read_text(encoding="utf-8"))
    assert picture[0].text == "10 rows: 0.5 s, 100 MB; 1,000 rows: 5.0 s, 200 MB"
    assert "](images/growth-speed.svg)" in text


@pytest.mark.parametrize(("now", "code", "verdict"), [(9.9, 1, "SLOWER"), (11.0, 0, "|  |"), (20.0, 0, "|  |")])
def test_what_got_slower_since_the_last_record_is_shown(
    now: float, code: int, verdict: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    speed = 12.5

    def measure(page: Page) -> None:
        page.figure("times faster", speed, least=10)

    monkeypatch.setattr(runner, "PARTS", {"speed": ("How fast", measure)})
    assert runner.main(["--quick", "--record"]) == 0
    speed = now
    capsys.readouterr()
    assert runner.main(["--quick"]) == code
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| times faster"))
    assert "| 12.5 |" in row
    assert verdict in row


def test_less_is_better_where_a_most_was_promised() -> None:
    assert Figure("memory", 600, most=1000).worse_than(Figure("memory", 500, most=1000)) == pytest.approx(1.2)
    assert Figure("speed", 600, least=1).worse_than(Figure("speed", 500, least=1)) == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (132.4, "132"), (2.5, "2.5"), (0.1367, "0.137"), (3e-13, "3e-13"), (13_124.2, "13,124")],
)
def test_numbers_show_three_digits_that_count(number: float, text: str) -> None:
    assert plain(number) == text


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        runner.main(["speling"])
    assert "evaluation" in capsys.readouterr().err
