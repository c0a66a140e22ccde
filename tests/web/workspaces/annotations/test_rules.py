"""Rules of annotations: inferred, edited by form, words or text; everything scored again at once."""

import re
from typing import Any

import pytest

from assay.annotations.rubric.rubric import CHOICES, Rubric
from assay.web.problems import FieldErrors
from assay.web.workspaces.annotations.rules import CHOICE_WORDS, families_in, label_rows, read_form
from assay.web.workspaces.annotations.scores import rules_of, workspace_truth
from tests.web.annotated import graded, scores
from tests.web.visits import Visit


def form_of(page: str) -> dict[str, Any]:
    """What the form of the rules would send as it stands."""
    sent: dict[str, Any] = {}
    for tag in re.findall(r'<input[^>]*form="rules"[^>]*>', page):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        assert name is not None
        if 'type="checkbox"' in tag:
            sent |= {name[1]: "on"} if " checked" in tag else {}
        else:
            sent[name[1]] = value[1] if value else ""
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*form="rules"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        first = re.search(r'<option(?: value="([^"]*)")?>([^<]*)', options)
        found = chosen or first
        assert found is not None
        sent[name] = found[1] if found[1] is not None else found[2]
    return sent


def test_the_rules_are_inferred_and_a_form_sent_unchanged_changes_nothing(visit: Visit) -> None:
    url = graded(visit)
    page = visit.page(f"{url}/rules")
    before = visit.client.get(f"{url}/rules/rules.toml").text
    visit.send(f"{url}/rules", **form_of(page))

    assert 'name="w_localisation" type="number"' in page
    assert re.search(r'<th scope="row">bus</th><td class="n">1</td>', page)
    assert visit.client.get(f"{url}/rules/rules.toml").text == before
    assert "With these rules the average is" in page


@pytest.mark.parametrize(
    ("changes", "student", "becomes"),
    [
        ({"w_localisation": "100", "w_label": "0", "w_attributes": "0"}, "cy", 100.0),
        ({"w_localisation": "0", "w_label": "100", "w_attributes": "0"}, "cy", 94.4),
        ({"w_quality": "100"}, "ben", 100.0),
        ({"beta": "2"}, "ben", 83.3),
        ({"label_mode": "require"}, "cy", 83.3),
        ({"k_1_0": "exact"}, "cy", 94.4),
        ({"u_1_0": None}, "cy", 98.6),
        ({"c_0": None}, "ben", 85.7),
        ({"match_key": "colour"}, "ada", 100.0),
    ],
)
def test_a_change_in_the_form_is_scored_at_once(
    visit: Visit, changes: dict[str, str | None], student: str, becomes: float
) -> None:
    url = graded(visit)
    form = form_of(visit.page(f"{url}/rules")) | changes
    answer = visit.send(f"{url}/rules", **{name: value for name, value in form.items() if value is not None})
    visit.work()

    assert answer.status_code == 200
    assert scores(visit, url)[student][0] == becomes


def test_the_effect_says_whose_score_changed(visit: Visit) -> None:
    url = graded(visit)
    form = form_of(visit.page(f"{url}/rules"))
    running = visit.send(f"{url}/rules", **{**form, "w_quality": "100"}).text
    visit.work()
    page = visit.page(f"{url}/rules")

    assert 'role="progressbar"' in running
    assert "<b>2 of 3</b> scores change" in page
    assert re.search(r'>ben</a></th><td class="n quiet">83\.3</td><td class="n">100\.0', page)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"beta": "0"}, "Give a number from 0.01 to 100."),
        ({"w_quality": "many"}, "Give a number from 0 to 100."),
        ({"t_box": "1.5"}, "Give a number from 0 to 1."),
        ({"l_0": "7"}, "Give a number from 0 to 1."),
        ({"a_1_0": "-1"}, "Give a number from 0 to 1e+06."),
        ({"w_localisation": "0", "w_label": "0", "w_attributes": "0"}, "all 0"),
        ({"label_mode": "perhaps"}, "choose one of"),
    ],
)
def test_a_mistake_is_told_beside_its_field_and_the_form_is_kept(
    visit: Visit, changes: dict[str, str], words: str
) -> None:
    url = graded(visit)
    form = form_of(visit.page(f"{url}/rules")) | {"near_miss": "0.2"} | changes
    page = visit.send(f"{url}/rules", status=422, **form).text

    assert words in page
    assert re.search(r'name="near_miss"[^>]*value="0.2"', page)
    assert scores(visit, url)["ben"] == (83.3, 83.3)


def test_an_instruction_is_said_in_words_before_it_applies(visit: Visit) -> None:
    url = graded(visit)
    words = "ignore colour and overlap at least 0.7"
    shown = visit.send(f"{url}/rules/instructions", instructions=words).text
    unchanged = visit.client.get(f"{url}/rules/rules.toml").text
    base = re.search(r'name="base" value="([^"]+)"', shown)
    assert base is not None
    visit.send(f"{url}/rules/instructions", instructions=words, base=base[1], apply="yes")
    visit.work()
    again = visit.send(f"{url}/rules/instructions", instructions=words, base=base[1], apply="yes").text

    assert "Boxes need a minimum overlap of 0.7 to match (before: 0.5)." in shown
    assert "box = 0.7" not in shown.split("The rules in words")[0]
    assert "Apply these changes" in shown
    assert "box = 0.5" in unchanged
    assert "box = 0.7" in visit.client.get(f"{url}/rules/rules.toml").text
    assert scores(visit, url)["cy"][0] == 98.6
    assert "The rules stay as they are" in again


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("instructions", {"instructions": " "}, "Say what should change"),
        ("text", {"toml": "beta = "}, "not valid TOML"),
        ("text", {"toml": "betta = 1"}, "Did you mean beta?"),
        ("profile", {"profile": "lenient"}, "There is no profile"),
    ],
)
def test_words_and_text_that_cannot_be_read_are_said(
    visit: Visit, path: str, fields: dict[str, str], words: str
) -> None:
    url = graded(visit)
    assert words in visit.send(f"{url}/rules/{path}", status=422, **fields).text


def test_the_rules_begin_again_on_another_profile(visit: Visit) -> None:
    url = graded(visit)
    visit.send(f"{url}/rules/profile", profile="strict-1.0")
    visit.work()
    assert 'profile = "strict-1.0"' in visit.client.get(f"{url}/rules/rules.toml").text
    assert scores(visit, url)["ada"] == (100.0, 100.0)


def test_every_choice_and_each_of_its_values_has_words() -> None:
    assert {name: set(words) for name, (_, words) in CHOICE_WORDS.items()} == {
        name: set(values) for name, values in CHOICES.items()
    }


def test_a_form_without_labels_or_with_wrong_numbers_is_refused_by_field(visit: Visit) -> None:
    context = visit.context(graded(visit))
    truth, rubric = workspace_truth(context.site, context.workspace.id), rules_of(context.workspace)

    with pytest.raises(FieldErrors) as wrong:
        read_form({"beta": "0", "near_miss": "much"}, rubric, rubric, truth)

    assert set(wrong.value.errors) == {"beta", "near_miss", "labels"}
    assert families_in(truth) == ["box"]


def test_a_label_is_listed_with_what_the_ground_truth_holds_of_it(visit: Visit) -> None:
    context = visit.context(graded(visit))
    rubric: Rubric = rules_of(context.workspace)
    rows = label_rows(rubric, workspace_truth(context.site, context.workspace.id))

    assert [(row["name"], row["objects"], row["kinds"], row["counts"]) for row in rows] == [
        ("bus", 1, "box", True),
        ("car", 2, "box", True),
    ]
