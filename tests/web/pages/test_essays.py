"""Essays in the web app: paste, upload, read the reasons, decide, take away."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from assay.essays.data_files import has_non_commercial
from assay.essays.models.scoring_model import score_each
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model
from assay.web.pages.essays import COLUMNS
from tests.web.essayed import ESSAY, HOSTILE, Essays, document, essay_table, table_file, zipped
from tests.web.visits import Visit

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")


@pytest.fixture(scope="module")
def essays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Essays]:
    made = Essays(tmp_path_factory.mktemp("essays"))
    yield made
    made.visit.close()


def pasted(visit: Visit, **fields: Any) -> tuple[str, str]:
    """Address and page of an essay that was pasted and scored."""
    answer = visit.send("/essays/paste", **({"text": ESSAY} | fields))
    visit.work()
    return answer.url.path, visit.page(answer.url.path)


def test_a_pasted_essay_is_scored_and_explained(visit: Visit) -> None:
    _, page = pasted(visit, writer="Nora", question="Should school start later?")

    assert re.search(r'class="big">[1-6]<', page)
    assert "Should school start later?" in page
    assert re.search(r'class="err m" href="#f\d+" id="e\d+">freinds', page)
    assert re.search(r'class="lab key" title="[^"]+">(Thesis|Main point|Conclusion)', page)
    assert page.index("What works") < page.index("What to work on") < page.index("nine in ten")


def test_everything_works_on_both_databases(visit_on_both: Visit) -> None:
    path, page = pasted(visit_on_both, writer="Nora")
    url = path.rsplit("/submissions", 1)[0]
    other = "5.0" if 'class="big">5<' not in page else "4.0"
    seen = re.search(
        r'name="shown" value="([^"]+)"', visit_on_both.send(f"{path}/override", value=other, reason="x").text
    )
    assert seen is not None
    visit_on_both.send(f"{path}/override", value=other, reason="x", shown=seen[1])

    assert "the system gave" in visit_on_both.page(path)
    for sort in ("name", "final", "raw", "words", "errors", "doubts"):
        assert "Nora" in visit_on_both.page(f"{url}/submissions?sort={sort}")
    assert "Common errors" in visit_on_both.page(f"{url}/insights")
    assert "1 of 1 reviewed" in visit_on_both.page(f"{url}/model")


def test_the_score_is_that_of_the_engine_and_its_shares_add_up(essays: Essays) -> None:
    first = essays.results()[0]
    model = bundled_essay_model()
    assert model is not None
    text = dict(essay_table().select("id", "text").iter_rows())[first["item"]["name"]]
    score = next(score_each([Essay("1", text)], model, bundled_discourse_model()))

    assert first["score"] == score.score
    assert first["payload"]["raw"] == score.raw
    assert sum(first["payload"]["shares"].values()) + first["payload"]["average"] == pytest.approx(score.raw, abs=1e-4)


def test_the_points_on_the_page_add_up_to_the_raw_score(essays: Essays) -> None:
    first = essays.results()[0]
    page = essays.essay(first["item"]["id"])
    table = page[page.index("Average essay") :]
    points = [float(cell.replace("−", "-")) for cell in re.findall(r'<td class="n">([+−]?[\d.]+)</td>', table)]

    assert sum(points[:-1]) == pytest.approx(points[-1], abs=0.06)  # each is rounded to two decimals
    assert points[-1] == pytest.approx(first["payload"]["raw"], abs=0.006)


def test_columns_are_guessed_and_shown_with_the_first_rows(essays: Essays) -> None:
    assert re.search(r'<span class="rolechip">text</span><br>text', essays.first_page)
    assert re.search(r"<option selected>id</option>", essays.first_page)
    assert re.search(r"<option selected>score</option>", essays.first_page)


def test_the_class_can_be_sorted_filtered_and_paged(essays: Essays) -> None:
    names = re.findall(r'<th scope="row"><a href="[^"]+">(E\d+)</a>', essays.page("/submissions?sort=name&order=up"))
    one = re.findall(r'<th scope="row"><a href="[^"]+">(E\d+)</a>', essays.page(f"/submissions?find={names[3]}"))
    raw = [
        float(x)
        for x in re.findall(
            r'<td class="n hide-s">(-?[\d.]+)</td><td class="n hide-s">\d', essays.page("/submissions?sort=raw")
        )
    ]

    assert names == sorted(names)
    assert len(names) == 14
    assert one == [names[3]]
    assert raw == sorted(raw, reverse=True)
    assert "No essay fits" in essays.page("/submissions?find=nobody")
    assert essays.page("/submissions?sort=payload&state=x&page=99")


def test_insights_count_the_errors_of_all(essays: Essays) -> None:
    page = essays.page("/insights")
    spelled = [r["payload"]["types"].get("spelling", 0) for r in essays.results()]
    row = re.search(r"Spelling .*?nowrap\">(\d+) .*?<td class=\"n\">(\d+)</td>", page, re.DOTALL)

    assert row is not None
    assert (int(row[1]), int(row[2])) == (sum(n > 0 for n in spelled), sum(spelled))


def test_an_override_is_shown_before_it_is_saved_and_can_be_undone(essays: Essays) -> None:
    item = essays.results()[1]
    id_, was = item["item"]["id"], item["score"]
    becomes = 6.0 if was != 6 else 5.0

    asked = essays.visit.send(f"{essays.url}/submissions/{id_}/override", value=str(becomes), reason="Strong voice.")
    untouched = essays.api(f"/results/{id_}")["final_score"]
    essays.override(id_, becomes, "Strong voice.")
    saved, page = essays.api(f"/results/{id_}"), essays.essay(id_)
    undo = re.search(r'action="([^"]+/undo)"', page)
    assert undo is not None
    essays.visit.send(undo[1])

    assert f"The score was <b>{was:g}</b> and becomes <b>{becomes:g}</b>" in asked.text
    assert untouched == was
    assert (saved["score"], saved["final_score"]) == (was, becomes)
    assert f"final score; the system gave {was:g}" in page
    assert "Strong voice." in page
    assert essays.api(f"/results/{id_}")["final_score"] == was
    assert "Undone" in essays.essay(id_)


def test_a_confirmation_is_a_review(essays: Essays) -> None:
    item = essays.results()[2]
    page = essays.visit.send(f"{essays.url}/submissions/{item['item']['id']}/confirm").text

    assert "confirmed by" in page
    onward = re.search(r'href="[^"]*/submissions/(\d+)"[^>]*>Next to review<', page)
    assert onward is not None
    assert not essays.api(f"/results/{onward[1]}")["reviewed"]
    assert essays.api(f"/results/{item['item']['id']}")["final_score"] == item["score"]


def test_the_last_decision_of_a_class_says_that_nothing_waits(visit: Visit) -> None:
    address, _ = pasted(visit)
    answer = visit.send(f"{address}/confirm")
    assert "Nothing here waits for a review any more." in answer.text
    assert "Next to review" not in answer.text
    assert re.search(r'id="decided" tabindex="-1">Confirmed at \d by ', answer.text)


@pytest.mark.parametrize(
    ("value", "reason", "wrong"),
    [("5", "", "Say why"), ("9", "x", "no score point"), ("", "x", "Choose the score"), ("nan", "x", "no score point")],
)
def test_an_override_that_cannot_be_is_said_beside_the_field(
    essays: Essays, value: str, reason: str, wrong: str
) -> None:
    id_ = essays.results()[3]["item"]["id"]
    answer = essays.visit.send(
        f"{essays.url}/submissions/{id_}/override", value=value, reason=reason, shown="x", status=422
    )
    assert wrong in answer.text
    field = "reason" if "Say why" in wrong else "value"
    assert re.search(rf'id="{field}"[^>]* aria-describedby="value-wrong" aria-invalid="true" autofocus>', answer.text)
    assert len([d for d in essays.api("/decisions")["decisions"] if d["item_id"] == id_]) == 0


def test_exports_hold_the_system_and_the_final_score(essays: Essays) -> None:
    item = essays.results()[4]
    id_, name = item["item"]["id"], item["item"]["name"]
    becomes = 4.0 if item["score"] != 4 else 3.0
    essays.override(id_, becomes, "=1+1 looks like a formula")

    rows = {
        row["essay"]: row for row in csv.DictReader(io.StringIO(essays.export("all/scores.csv").decode("utf-8-sig")))
    }
    everything = json.loads(essays.export("all/scores.json"))
    own = json.loads(essays.export(f"{id_}/{name.lower()}-essay.json"))
    page = essays.export(f"{id_}/{name.lower()}-report.html").decode()

    assert (float(rows[name]["system_score"]), float(rows[name]["final_score"])) == (item["score"], becomes)
    assert not rows[name]["reason"].startswith("=")
    assert {e["name"]: e["final_score"] for e in everything["essays"]}[name] == becomes
    assert (own["system_score"], own["final_score"]) == (item["score"], becomes)
    assert f"System score {item['score']:g}, final score {becomes:g}" in page


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("all/report.html", b"<!doctype html"),
        ("all/report.pdf", b"%PDF"),
        ("all/scores.xlsx", b"PK"),
        ("all/decisions.csv", b""),
        ("{id}/{name}-report.pdf", b"%PDF"),
        ("{id}/{name}-findings.csv", b""),
        ("{id}/{name}-essay.xlsx", b"PK"),
    ],
)
def test_every_format_can_be_had(essays: Essays, path: str, start: bytes) -> None:
    item = essays.results()[0]["item"]
    content = essays.export(path.format(id=item["id"], name=item["name"].lower()))
    assert content.lower().startswith(start.lower())
    assert len(content) > 50


def test_a_file_that_is_not_there_is_a_404(essays: Essays) -> None:
    for path in ("all/scores.exe", "999999/x-essay.json", "..%2f/x"):
        assert essays.visit.client.get(f"{essays.url}/exports/{path}").status_code == 404


def test_hostile_names_and_texts_are_only_ever_text(visit: Visit) -> None:
    path, page = pasted(visit, text=f"{ESSAY}\n\n{HOSTILE} {HOSTILE}", writer=HOSTILE, question=HOSTILE)
    url = path.rsplit("/submissions", 1)[0]
    pages = [page, *(visit.page(url + tab) for tab in ("/submissions", "/insights", "/model", "/exports", "/history"))]
    reports = [
        visit.client.get(link).text for link in re.findall(r'href="([^"]+report\.html)"', visit.page(f"{url}/exports"))
    ]

    assert len(reports) == 2
    for text in [*pages, *reports]:
        assert "<script>alert" not in text
        assert "<img src=x" not in text
    assert "&lt;script&gt;alert" in page


def test_documents_are_scored_each_by_itself(visit: Visit) -> None:
    inside = {"cars/Ada.txt": ESSAY.encode(), "cars/broken.docx": b"PK\x03\x04 broken", "notes.xls": b"x"}
    answer = visit.send("/essays", files=[document("pile.zip", zipped(inside)), document("Ben.txt", ESSAY.encode())])
    visit.work()
    page = visit.page(answer.url.path)

    assert re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', page) == ["Ada", "Ben", "broken"]
    assert "broken.docx: it is not a complete ZIP" in page
    assert "0 of 2 reviewed, 1 not scored" in page


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.exe", b"x", "no kind of file that holds essays"),
        ("a.zip", zipped({"readme.md": b"x"}), "holds none of .txt, .md, .docx, .odt, .pdf"),
        ("a.zip", zipped({"../../evil.txt": b"x"}), "leads out of the ZIP"),
    ],
)
def test_files_without_essays_are_refused_with_a_reason(visit: Visit, name: str, content: bytes, why: str) -> None:
    answer = visit.send("/essays", files=[document(name, content)], status=422)
    assert why in answer.text


def test_nothing_given_is_said_beside_the_field(visit: Visit) -> None:
    assert "Paste or write an essay first" in visit.send("/essays/paste", text=" ", status=422).text
    assert "Choose a table or documents first" in visit.send("/essays", status=422).text


def test_a_table_without_the_chosen_column_keeps_the_choice(visit: Visit) -> None:
    url = visit.send("/essays", files=[table_file(essay_table(4))]).url.path.rsplit("/", 1)[0]
    assert "Choose the column that holds the essays" in visit.send(f"{url}/columns", status=422).text
    answer = visit.send(f"{url}/columns", text="text", id="prompt", question="Why?", status=422)
    assert "id-wrong" in answer.text
    assert 'value="Why?"' in answer.text


def test_an_essay_without_words_gets_no_score_but_a_person_may_give_one(visit: Visit) -> None:
    frame = essay_table(2).with_columns(text=essay_table(2)["text"].scatter([1], [""]))
    url = visit.send("/essays", files=[table_file(frame)]).url.path.rsplit("/", 1)[0]
    visit.send(f"{url}/columns", text="text", id="id")
    visit.work()
    page = visit.page(f"{url}/submissions?sort=words&order=up")
    item = re.findall(r'href="([^"]+/submissions/\d+)"', page)[0]

    assert "The system gives this essay no score" in visit.page(item)
    shown = visit.send(f"{item}/override", value="1.0", reason="Empty.")
    assert "The score was <b>none</b> and becomes <b>1</b>" in shown.text


def test_essays_added_later_join_those_that_are_scored(visit: Visit) -> None:
    path, _ = pasted(visit, writer="Nora")
    url = path.rsplit("/submissions", 1)[0]
    visit.send(f"{url}/essays", text=ESSAY.replace("sleep", "rest"), writer="Omar")
    visit.work()
    page = visit.page(f"{url}/submissions")
    assert {"Nora", "Omar"} <= set(re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', page))
    assert "0 of 2 reviewed" in page


def test_every_column_of_the_class_can_be_sorted_by(essays: Essays) -> None:
    for column in COLUMNS:
        assert f"sort={column}" in essays.page(f"/submissions?sort={column}&order=up")
