"""From a table of ratings to a report, in pages."""

import re
from typing import Any

import pytest

from assay.web.pages.panels import ROWS_SHOWN
from tests.web.visits import Visit, table

WIDE = "id,human_1,human_2,human_3,gpt-4o,claude\n" + "".join(
    f"i{i},{1 + i % 5},{1 + (i + (i % 7 == 0)) % 5},{1 + i % 5},{1 + i % 5},{1 + (i * 3) % 5}\n" for i in range(60)
)
LONG = "item,rater,score\n" + "".join(
    f"i{i},{rater},{1 + (i + (place * i) % 11 // 9) % 5}\n"
    for i in range(40)
    for place, rater in enumerate(("ann", "bob", "cy", "gpt"))
)


def workspace_of(visit: Visit, ratings: str = WIDE, name: str = "ratings.csv") -> str:
    """A workspace with a table in it; its address."""
    answer = visit.send("/panels", files=table(ratings, name))
    return str(answer.url.path).removesuffix("/columns")


def chosen(**changes: Any) -> dict[str, Any]:
    raters = {"humans": ["human_1", "human_2", "human_3"], "judges": ["gpt-4o", "claude"]}
    return {"layout": "wide", "item": "id", **raters, "epsilon": "0.1", "margin": "0.05", **changes}


def test_roles_and_judges_are_guessed_and_the_first_rows_shown(visit: Visit) -> None:
    page = visit.page(workspace_of(visit) + "/columns")

    assert re.search(r'name="humans" value="human_1" checked', page)
    assert re.search(r'name="judges" value="gpt-4o" checked', page)
    assert page.count("<tr>") == ROWS_SHOWN + 1


def test_raters_of_a_long_table_are_listed_by_name(visit: Visit) -> None:
    page = visit.page(workspace_of(visit, LONG) + "/columns")

    assert re.search(r'name="humans" value="ann" checked', page)
    assert re.search(r'name="judges" value="gpt" checked', page)


def test_a_table_becomes_a_report_and_exports(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = workspace_of(visit)
    waiting = visit.send(f"{url}/columns", **chosen()).text
    visit.work()
    report = visit.page(f"{url}/report")

    assert "The report is being made" in waiting
    assert "May it replace a rater?" in report
    assert 'class="board"' in report
    files = re.findall(rf'href="({url}/exports/[^"?]+)"', visit.page(f"{url}/exports"))
    contents = {file.rpartition("/")[2]: visit.client.get(file) for file in files}
    assert contents["panel.json"].json()["schema"] == "assay.panel/1"
    assert contents["report.pdf"].content.startswith(b"%PDF")
    assert "judges can replace a rater" in visit.page("/panels") or "can replace a rater" in visit.page("/panels")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"judges": ["human_1"]}, "is chosen as a person too"),
        ({"humans": [], "judges": ["gpt-4o"]}, "Choose two or more raters."),
        ({"epsilon": "2"}, "Enter a number from 0 to below 1."),
        ({"epsilon": "x"}, "Enter a number such as 0.1."),
        ({"scale": "5-1"}, "5"),
        ({"kind": "ordered"}, "ordered words need their order"),
    ],
)
def test_a_choice_that_cannot_be_used_is_shown_again_with_the_reason(
    visit: Visit, changes: dict[str, Any], words: str
) -> None:
    url = workspace_of(visit)

    page = visit.send(f"{url}/columns", status=422, **chosen(**changes)).text

    assert words in page
    assert "Make the report" in page


def test_without_a_file_the_landing_page_asks_for_one(visit: Visit) -> None:
    assert "Choose a table first" in visit.send("/panels", status=422).text
