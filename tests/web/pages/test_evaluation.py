"""From a table to a report, in pages: on both databases."""

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from assay.web.pages.evaluation import ROWS_SHOWN
from tests.web.visits import Visit, table

SCORES = "id,rater,engine,other,group\n" + "".join(
    f"r{i},{1 + i % 5},{1 + i % 5 + (i % 3 - 1) * 0.4:.1f},{1 + (i * 7) % 5},{'north' if i % 2 else 'south'}\n"
    for i in range(60)
)


def workspace_of(visit: Visit, scores: str = SCORES, name: str = "scores.csv") -> str:
    """A workspace with a table in it; its address."""
    answer = visit.send("/evaluation", files=table(scores, name))
    return str(answer.url.path).removesuffix("/columns")


def chosen(**changes: Any) -> dict[str, Any]:
    return {"human": ["rater"], "system": ["engine"], "groups": ["group"], "id": "id", "scale": "1-5", **changes}


def test_the_columns_are_guessed_and_the_first_rows_shown(visit: Visit) -> None:
    page = visit.page(workspace_of(visit) + "/columns")

    assert re.search(r'name="human" value="rater" checked', page)
    assert re.search(r'name="system" value="engine" checked', page)
    assert "r0" in page
    assert '<span class="rolechip human">human</span>' in page


def test_a_table_becomes_a_report_and_exports(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = workspace_of(visit)
    waiting = visit.send(f"{url}/columns", **chosen()).text
    visit.work()
    report = visit.page(f"{url}/report")

    assert "The report is being made" in waiting
    assert "Agreement with human scores" in report
    assert "60 responses" in report
    files = re.findall(rf'href="({url}/exports/[^"?]+)"', visit.page(f"{url}/exports"))
    ends = sorted(file.rpartition(".")[2] for file in files)
    assert ends == ["html", "json", "pdf", "xlsx", "zip"]
    contents = {file.rpartition("/")[2]: visit.client.get(file) for file in files}
    assert contents["report.pdf"].content.startswith(b"%PDF")
    assert contents["evaluation.json"].json()["n"] == 60
    assert "eval.csv" in zipfile.ZipFile(BytesIO(contents["tables.zip"].content)).namelist()
    assert all("attachment" in answer.headers["content-disposition"] for answer in contents.values())


def test_further_options_reach_the_report_and_come_back_in_the_form(visit: Visit) -> None:
    url = workspace_of(visit)
    wrong = visit.send(f"{url}/columns", status=422, **chosen(cuts="three")).text
    visit.send(f"{url}/columns", **chosen(cuts="3", intervals="bootstrap", seed="5", keep_zeros="keep"))
    visit.work()
    page = visit.page(f"{url}/columns")

    assert "Write numbers with commas between them" in wrong
    assert '<details class="more section" open>' in page
    assert re.search(r'id="cuts" name="cuts" type="text" value="3"', page)
    assert '<option value="bootstrap" selected>' in page
    assert "--cuts 3 --keep-zeros --intervals bootstrap --seed 5" in visit.page(f"{url}/report")


def test_a_second_engine_is_compared_on_the_same_responses(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    before = visit.page(f"{url}/engines")
    visit.send(f"{url}/engines", system="other")
    visit.work()
    after = visit.page(f"{url}/engines")

    assert "One engine so far" in before
    assert "2 engines against human scores" in after
    assert "“engine”" in after
    assert "“other”" in after


SECOND = "response,engine\n" + "".join(f"r{i},{1 + (i * 3) % 5}\n" for i in range(5, 70))


def second(text: str = SECOND, name: str = "judge.csv") -> dict[str, tuple[str, BytesIO]]:
    return {"other": (name, BytesIO(text.encode()))}


def test_an_engine_from_a_second_table_is_joined_by_id_and_named_in_the_provenance(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.send(f"{url}/engines/table", files=second())
    visit.work()
    page = visit.page(f"{url}/engines")
    exported = visit.client.get(f"{url}/exports/table/table.csv").text.splitlines()
    made = re.search(rf"{url}/exports/\d+/comparison.json", visit.page(f"{url}/exports"))
    assert made is not None
    inputs = visit.client.get(made[0]).json()["provenance"]["inputs"]

    assert "2 engines against human scores" in page
    assert "“engine (judge)”" in page
    assert exported[0] == "id,rater,engine,other,group,engine (judge)"
    assert [line.rpartition(",")[2] for line in exported[1:7]] == ["", "", "", "", "", "1"]
    assert set(inputs) == {"scores.csv", "judge.csv"}


@pytest.mark.parametrize(
    ("text", "fields", "words"),
    [
        ("response,engine\nx1,2\nx2,3\n", {}, "nothing can be joined"),
        ("response,engine\nr1,2\nr1,3\n", {"other_id": "response"}, "'r1' more than once"),
        (SECOND, {"other_id": "nowhere"}, "has no column 'nowhere'. It has: response, engine."),
        (SECOND, {"other_system": "nowhere"}, "has no column 'nowhere'"),
        ("response,words\nr1,ab\nr2,cd\n", {}, "looks like a system score"),
        ("", {}, "judge.csv"),
    ],
)
def test_a_second_table_that_does_not_fit_is_refused_beside_its_field(
    visit: Visit, text: str, fields: dict[str, str], words: str
) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())

    page = visit.send(f"{url}/engines/table", files=second(text), status=422, **fields).text

    assert words in page.replace("&#39;", "'")
    assert visit.page(f"{url}/columns").count('name="system" value=') == 5


def test_a_second_table_needs_the_id_of_the_first(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen(id=""))
    page = visit.send(f"{url}/engines/table", files=second(), status=422).text
    none = visit.send(f"{url}/engines/table", status=422).text

    assert "which column of scores.csv names the responses" in page
    assert "Choose the table with the scores of the other engine first" in none


def test_a_program_adds_an_engine_from_a_second_table(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    here = f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    answer = visit.another().post(f"{here}/uploads/engine", files={"files": ("judge.csv", BytesIO(SECOND.encode()))})
    settings = {"system": ["engine", "engine (judge)"]}
    job = visit.another().post(f"{here}/jobs", json={"settings": settings})
    visit.work()

    assert (answer.status_code, job.status_code) == (201, 202)
    assert [r["item"]["name"] for r in visit.client.get(f"{here}/results").json()["results"]] == [
        *settings["system"],
        "Comparison",
    ]


def test_the_home_page_shows_state_and_trust(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    running = visit.page("/")
    visit.work()
    done = visit.page("/")

    assert 'role="progressbar"' in running
    assert "thresholds met" in done
    assert re.search(r"QWK 0\.\d\d", done)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"human": []}, "Choose the column with the human score."),
        ({"system": []}, "Choose the column with the system score."),
        ({"system": ["rater"]}, "is chosen as a human score too"),
        ({"scale": "six"}, "cannot read the scale"),
        ({"human": ["group"]}, "is not a number"),
        ({"id": "group"}, "repeats ids"),
        ({"id": "nowhere"}, "The table has no column"),
    ],
)
def test_a_mistake_is_told_beside_its_field_and_the_choice_is_kept(
    visit: Visit, changes: dict[str, Any], words: str
) -> None:
    url = workspace_of(visit)

    page = visit.send(f"{url}/columns", status=422, **chosen(**changes)).text

    assert words in page.replace("&#39;", "'")
    assert 'aria-invalid="true"' in page
    assert 'name="groups" value="group" checked' in page


def test_a_score_off_the_scale_fails_the_job_with_its_row_and_the_file_name_its_owner_knows(visit: Visit) -> None:
    url = workspace_of(visit, SCORES + "r99,9,3,3,north\n", "my scores.csv")
    visit.send(f"{url}/columns", **chosen())
    visit.work()

    page = visit.page(f"{url}/report")

    assert "The table could not be evaluated" in page
    assert "my scores.csv, row 62, column &#39;rater&#39;: 9 is not a point" in page


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", "", "empty"),
        ("table.xlsx", "not a workbook", "table.xlsx"),
    ],
)
def test_a_file_that_is_no_table_is_refused_beside_the_field(visit: Visit, name: str, content: str, words: str) -> None:
    page = visit.send("/evaluation", files=table(content, name), status=422).text

    assert words in page
    assert "No such" not in page
    assert visit.client.get("/api/v1/workspaces").json() == {"workspaces": []}


def test_a_workbook_with_one_stray_cell_far_away_is_refused_and_the_app_goes_on(visit: Visit, tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "scores.xlsx") as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["id", "human", "system"])
        sheet.write(1_048_575, 16_383, 1)
    files = {"table": ("scores.xlsx", BytesIO((tmp_path / "scores.xlsx").read_bytes()))}

    page = visit.send("/evaluation", files=files, status=422).text

    assert "Delete what stands far from the table" in page
    assert workspace_of(visit)


def test_a_table_that_ends_its_reader_is_refused_and_the_app_goes_on(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_CHILD_MEMORY", "1M")  # whatever asks for memory gets none
    rows = "".join(f"r{i},{i % 6},{i % 5}\n" for i in range(200_000))
    page = visit.send("/evaluation", files=table(f"id,human,system\n{rows}", "big.csv"), status=422).text

    assert "big.csv" in page
    assert "memory" in page
    monkeypatch.delenv("ASSAY_LIMIT_CHILD_MEMORY")
    assert workspace_of(visit)


def test_no_file_at_all_is_said_beside_the_field(visit: Visit) -> None:
    assert "Choose a table first" in visit.send("/evaluation", status=422).text


def test_names_of_files_columns_and_cells_are_shown_and_never_obeyed(visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)>"
    rows = "".join(f"{evil}{i},{1 + i % 5},{1 + i % 4},{evil if i % 2 else 'b'}\n" for i in range(40))
    url = workspace_of(visit, f'id,"rater {evil}",engine,"group {evil}"\n' + rows, f"{evil}.csv")
    human, group = f"rater {evil}", f"group {evil}"
    visit.send(f"{url}/columns", human=[human], system=["engine"], groups=[group], id="id")
    visit.work()

    for path in ("/", f"{url}/columns", f"{url}/report", f"{url}/exports", f"{url}/history", f"{url}/engines"):
        page = visit.page(path)
        assert "<img" not in page
        assert "&lt;img src=x" in page


def test_the_same_choice_again_is_answered_from_what_was_made_before(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    visit.send(f"{url}/columns", **chosen(scale="1-6"))
    visit.work()
    page = visit.send(f"{url}/columns", **chosen()).text

    assert "Agreement with human scores" in page
    assert "scale 1 to 5" in page


def test_a_removed_workspace_can_be_brought_back(visit: Visit) -> None:
    url = workspace_of(visit)
    id_ = url.rpartition("/")[2]
    page = visit.send(f"/workspaces/{id_}/remove").text
    gone = visit.client.get(url).status_code
    visit.send(f"/workspaces/{id_}/restore")

    assert "Bring it back" in page
    assert (gone, visit.client.get(url).status_code) == (404, 200)


def test_the_example_opens_and_one_click_removes_it(visit: Visit) -> None:
    visit.send("/example")
    visit.work()
    assert "Three engines, 600 responses" in visit.page("/")
    visit.send("/example/remove")
    assert "Three engines" not in visit.page("/")


def test_a_table_without_scores_that_replaces_another_breaks_no_page(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    api = f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    other = {"files": ("other.csv", BytesIO(b"name,remark\nann,fine\nben,late\n"))}
    sent = visit.another().post(f"{api}/uploads/scores", files=other)
    pages = ("columns", "report", "engines", "trust", "exports", "history")
    answers = {page: visit.client.get(f"{url}/{page}") for page in pages} | {"api": visit.client.get(f"{api}/trust")}

    assert sent.status_code == 201
    assert {page: answer.status_code for page, answer in answers.items() if answer.status_code >= 500} == {}
    assert "which column holds human scores" in answers["api"].json()["detail"]


def test_a_long_table_is_shown_by_its_first_rows_only(visit: Visit) -> None:
    lines = "".join(f"r{number},{number % 4 + 1},{number % 3 + 1}\n" for number in range(ROWS_SHOWN + 3))
    page = visit.page(f"{workspace_of(visit, 'id,human,engine' + chr(10) + lines)}/columns")

    assert f"r{ROWS_SHOWN - 1}<" in page
    assert f"r{ROWS_SHOWN}<" not in page
