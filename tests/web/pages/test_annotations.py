"""From files to grades, in pages: on both databases."""

import csv
import json
import re
import zipfile
from io import BytesIO, StringIO

import pytest

from assay.web.pages.annotations import COLUMNS
from tests.web.annotated import ADA, BEN, EVERYONE, TRUTH, coco, fields, graded, item_of, override, png, scores, zipped
from tests.web.visits import Visit


def test_files_become_grades_an_override_and_exports(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = graded(visit)
    before = visit.page(f"{url}/submissions")
    ben = item_of(visit, url, "ben")
    page = visit.page(f"{url}/submissions/{ben}?image=2&finding=2")
    (accept,) = re.findall(r'value="([^"]*\|100\|extra:2)"', page)
    visit.send(f"{url}/submissions/{ben}/decisions", choice=accept, reason="it is a car", image=2, finding=2)
    after = visit.page(f"{url}/submissions")
    csv_file = visit.client.get(f"{url}/exports/all/summary.csv").text
    rows = {row["student"]: row for row in csv.DictReader(StringIO(csv_file.removeprefix("\ufeff")))}

    assert "0 of 3 are reviewed" in before
    assert accept.startswith("95.5|")
    assert scores(visit, url) == {"ada": (100.0, 100.0), "ben": (83.3, 95.5), "cy": (95.3, 95.3)}
    assert re.search(r"83\.3</s> <b><span class=\"vh\">final score </span>95\.5", after)
    assert "1 with overrides" in after
    assert float(rows["ben"]["system_score"]) == pytest.approx(83.333, abs=0.001)
    assert float(rows["ben"]["final_score"]) == pytest.approx(95.4545, abs=0.001)
    assert rows["ben"]["reasons"] == "it is a car"
    assert (rows["ada"]["place"], rows["ben"]["place"]) == ("1", "2")


def test_every_export_can_be_had_and_tells_original_and_final(visit: Visit) -> None:
    url = graded(visit)
    ben = item_of(visit, url, "ben")
    override(visit, url, "ben", "miss:2", 100, "hidden by a tree")
    page = visit.page(f"{url}/exports")
    files = {file: visit.client.get(file) for file in re.findall(rf'href="({url}/exports/[^"?]+)"', page)}
    by_name = {f"{p[-2]}/{p[-1]}": answer for p, answer in ((f.split("/"), a) for f, a in files.items())}
    api = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/exports").json()["exports"]

    assert all(answer.status_code == 200 for answer in files.values())
    assert {file["path"] for file in api} == set(by_name)
    one = json.loads(by_name[f"{ben}/ben-result.json"].content)
    assert (round(one["system_score"], 1), round(one["final_score"], 1)) == (83.3, 85.7)
    assert one["decisions"][0]["reason"] == "hidden by a tree"
    assert b"System score 83.3, final score 85.7 after 1 override" in by_name[f"{ben}/ben-report.html"].content
    assert by_name[f"{ben}/ben-report.pdf"].content.startswith(b"%PDF")
    assert by_name["all/report.pdf"].content.startswith(b"%PDF")
    assert "xl/workbook.xml" in zipfile.ZipFile(BytesIO(by_name["all/grades.xlsx"].content)).namelist()
    everyone = json.loads(by_name["all/grades.json"].content)["students"]
    assert [s["final_score"] is not None for s in everyone] == [True] * 3
    assert "hidden by a tree" in by_name["all/overrides.csv"].text
    assert "The report of all was made before the last overrides" in page


def test_the_report_of_all_is_made_again_with_the_overrides(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "extra:2", 100)
    stale = visit.page(f"{url}/insights")
    visit.send(f"{url}/insights")
    visit.work()
    fresh = visit.page(f"{url}/insights")
    everything = json.loads(visit.client.get(f"{url}/exports/all/everything.json").content)
    of_ben = next(s for s in everything["students"] if s["student"] == "ben")

    assert "There are new decisions" in stale
    assert "There are new decisions" not in fresh
    assert "with the overrides of 1 submission" in fresh
    assert (of_ben["score"], round(of_ben["original_score"], 1)) == (95, 83.3)
    assert re.search(rf'href="{url}/submissions/by/[0-9a-f]{{64}}"', fresh)
    assert all(name not in visit.page(f"{url}/submissions") for name in ("All submissions</a>",))


def test_a_zip_of_all_students_is_taken_apart_and_a_broken_file_does_not_stop_the_others(visit: Visit) -> None:
    inside = {"ada/annotations.json": coco(ADA), "ben.json": coco(BEN), "cut.json": coco(ADA)[:80]}
    url = graded(visit, {"group b.zip": zipped(inside)})
    page = visit.page(f"{url}/submissions")
    cut = item_of(visit, url, "cut")

    assert scores(visit, url) == {"ada": (100.0, 100.0), "ben": (83.3, 83.3), "cut": (None, None)}
    assert "could not be scored" in page
    assert "group b.zip" in page
    assert "0 of 2 reviewed, 1 not scored" in page
    assert "cut could not be scored" in visit.page(f"{url}/submissions/{cut}")


def test_images_may_come_later_and_change_no_score_and_no_decision(visit: Visit) -> None:
    url = graded(visit)
    ben = item_of(visit, url, "ben")
    override(visit, url, "ben", "miss:2", 100)
    plain = visit.page(f"{url}/submissions/{ben}")
    visit.send(f"{url}/files", files=fields(images={"pictures.zip": zipped({"img/one.png": png()}), "two.png": png()}))
    visit.work()
    shown = visit.page(f"{url}/submissions/{ben}")
    picture = visit.client.get(f"{url}/images/0")

    assert "drawn on a plain canvas" in plain
    assert f'href="{url}/images/0"' in shown
    assert (picture.headers["content-type"], picture.content) == ("image/png", png())
    assert visit.client.get(f"{url}/images/7").status_code == 404
    assert scores(visit, url)["ben"] == (83.3, 85.7)


def test_a_picture_that_is_none_is_not_served(visit: Visit) -> None:
    evil = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    url = graded(visit, images={"one.png": evil, "two.png": png()})

    assert visit.client.get(f"{url}/images/0").status_code == 404
    assert visit.client.get(f"{url}/images/1").status_code == 200


def test_a_file_of_the_same_name_replaces_the_earlier_one_and_inherits_nothing(visit: Visit) -> None:
    url = graded(visit)
    ben = item_of(visit, url, "ben")
    override(visit, url, "ben", "miss:2", 100)
    visit.send(f"{url}/files", files=fields(submissions={"ben.json": coco(BEN[:2])}))
    visit.work()

    assert scores(visit, url)["ben"] == (95.5, 95.5)
    assert item_of(visit, url, "ben") != ben
    assert len(scores(visit, url)) == 3


def test_two_who_hand_in_the_same_file_are_two(visit: Visit) -> None:
    url = graded(visit, {"ada.json": coco(BEN), "ben.json": coco(BEN)})
    assert scores(visit, url) == {"ada": (83.3, 83.3), "ben": (83.3, 83.3)}


def voc(image: str, label: str, box: tuple[int, int, int, int]) -> bytes:
    """A Pascal VOC file: one image."""
    names = ("xmin", "ymin", "xmax", "ymax")
    edges = "".join(f"<{name}>{edge}</{name}>" for name, edge in zip(names, box, strict=True))
    size = "<size><width>200</width><height>120</height><depth>3</depth></size>"
    thing = f"<object><name>{label}</name><bndbox>{edges}</bndbox></object>"
    return f"<annotation><filename>{image}</filename>{size}{thing}</annotation>".encode()


def test_a_ground_truth_of_a_file_for_each_image_is_one(visit: Visit) -> None:
    truth = {"one.xml": voc("one.png", "car", (10, 10, 50, 40)), "two.xml": voc("two.png", "bus", (10, 60, 70, 100))}
    files = fields(truth=truth, submissions={"ada.json": coco([TRUTH[0], TRUTH[2]])})
    url = str(visit.send("/annotations", files=files).url.path).removesuffix("/submissions")
    visit.work()
    several = fields(truth={"a.json": coco(TRUTH), "b.json": coco(ADA)})

    assert scores(visit, url) == {"ada": (100.0, 100.0)}
    assert "holds 2 sets of annotations" in visit.send("/annotations", files=several, status=422).text


def test_the_first_steps_explain_themselves(visit: Visit) -> None:
    door = visit.page("/annotations")
    nothing = visit.send("/annotations", status=422).text
    answer = visit.send("/annotations", files=fields(truth={"truth.json": coco(TRUTH)}))
    url = str(answer.url.path).removesuffix("/submissions")

    assert "Drop the ground truth" in door
    assert "Choose the ground truth" in nothing
    assert "No submissions yet" in answer.text
    for tab, words in (("rules", "What a match is worth"), ("insights", "No insights yet"), ("exports", "Nothing to")):
        assert words in visit.page(f"{url}/{tab}")


@pytest.mark.parametrize(
    ("role", "name", "content", "words"),
    [
        ("truth", "truth.json", b"{", "truth.json"),
        ("truth", "empty.json", coco([]), "nothing to score by"),
        ("images", "note.txt", b"hello", "holds no images"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_beside_its_field(
    visit: Visit, role: str, name: str, content: bytes, words: str
) -> None:
    page = visit.send("/annotations", files=fields(**{role: {name: content}}), status=422).text

    assert words in page
    assert str(visit.settings.cache) not in page
    assert visit.client.get("/api/v1/workspaces").json() == {"workspaces": []}


def test_the_same_from_a_program(visit: Visit) -> None:
    client = visit.another()
    made = client.post("/api/v1/workspaces", json={"kind": "annotations", "name": "Group B"}).json()["id"]
    for role, files in (("truth", {"truth.json": coco(TRUTH)}), ("submissions", EVERYONE)):
        sent = [("files", (name, BytesIO(content))) for name, content in files.items()]
        assert client.post(f"/api/v1/workspaces/{made}/uploads/{role}", files=sent).status_code == 201
    wrong = client.post(f"/api/v1/workspaces/{made}/jobs", json={"settings": {"rules": "beta = -1"}})
    job = client.post(f"/api/v1/workspaces/{made}/jobs", json={"settings": {}}).json()["job"]
    visit.work()

    assert "beta" in wrong.json()["errors"]["rules"]
    assert job["total"] == 3
    assert scores(visit, f"/annotations/{made}")["ben"] == (83.3, 83.3)


def test_names_labels_and_values_are_shown_and_never_obeyed(visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)>"
    truth = coco(
        [(0, evil, (10, 10, 40, 30), {evil: evil}), (1, "bus", (10, 60, 60, 40), {})], [f"{evil}.png", "b.png"]
    )
    drawn = coco(
        [(0, f"{evil}2", (10, 10, 40, 30), {evil: "no"}), (1, evil, (90, 9, 9, 9), {})], [f"{evil}.png", "b.png"]
    )
    answer = visit.send(
        "/annotations", files=fields(truth={f"{evil}.json": truth}, submissions={f"{evil}.json": drawn}), name=evil
    )
    url = str(answer.url.path).removesuffix("/submissions")
    visit.work()
    item = re.search(rf'{url}/submissions/(\d+)"', visit.page(f"{url}/submissions"))
    assert item is not None
    pages = ["", "/submissions", "/rules", "/insights", "/exports", "/history", "/files", f"/submissions/{item[1]}"]
    pages += [f"/submissions/{item[1]}?image=2", f"/submissions/{item[1]}/finding?image=1&finding=1"]
    visit.send(f"{url}/rules/instructions", instructions=f"ignore {evil}")

    for path in pages:
        page = visit.page(url + path)
        assert "<img" not in page, path
        assert "&lt;img src=x" in page, path
    files = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/exports").json()["exports"]
    for file in (f["path"] for f in files if f["path"].endswith(".html")):
        assert b"<img" not in visit.client.get(f"{url}/exports/{file}").content


def test_every_column_of_the_list_can_be_sorted_by(visit: Visit) -> None:
    url = graded(visit)

    for column in COLUMNS:
        assert f"sort={column}" in visit.page(f"{url}/submissions?sort={column}&order=up")


def test_files_that_no_reader_copes_with_fail_alone_and_the_others_are_scored(visit: Visit) -> None:
    point = (
        b'{"imagePath":"one.png","imageHeight":9,"imageWidth":9,"shapes":[{"label":"car","points":[[1,1e999],[2,1]]}]}'
    )
    hostile = {"deep.json": b"[" * 200_000, "infinite.json": point, "broken.zip": b"PK\x03\x04 no ZIP"}
    url = graded(visit, {"ada.json": coco(ADA), **hostile})

    assert scores(visit, url)["ada"] == (100.0, 100.0)
    page = visit.page(f"{url}/submissions")
    assert all(name in page for name in ("deep", "infinite", "broken"))
    assert "Assay failed on this item" not in page
