"""The form of a training: what was typed becomes options, and what is wrong is said beside its field."""

import re
from io import BytesIO

import pytest

from assay.web.pages.essay_model import SHARED, TrainingForm
from assay.web.problems import FieldErrors
from assay.web.workspaces.stored_settings import EssaySettings, TrainingOptions
from tests.web.visits import Visit

ROWS = "\n".join(f"w{n},{'A text about dogs and snow. ' * 4}{n},{n % 4 + 1},{n % 3 + 1}" for n in range(20))
COLUMNS = {"text": "text", "id": "id", "score": "score"}


@pytest.fixture
def url(visit: Visit) -> str:
    """A workspace of essays with a table to train on."""
    api = visit.another()
    made = api.post("/api/v1/workspaces", json={"kind": "essays", "name": "Class 9"}).json()["id"]
    table = {"files": ("scored.csv", BytesIO(f"id,text,score,grade\n{ROWS}\n".encode()))}
    assert api.post(f"/api/v1/workspaces/{made}/uploads/training", files=table).status_code == 201
    return f"/essays/{made}"


def test_a_form_left_alone_has_the_choices_we_advise() -> None:
    assert TrainingForm().options() == TrainingOptions(kind="generic10", length_weight=0.2, fix={}, scale="")


def test_what_was_typed_becomes_options() -> None:
    shares = ["0.1" if name == "grammar" else "0" if name == "style" else "" for name in SHARED]
    form = TrainingForm(fix=shares, length_free=True, cutoffs="qwk", curves=True, paper=False, scale=" 1-6 ")

    options = form.options()

    assert (options.fix, options.length_weight) == ({"grammar": 0.1, "style": 0.0}, None)
    assert (options.cutoffs, options.curves, options.scale) == ("qwk", True, "1-6")


def test_a_share_that_is_no_number_is_said_beside_its_field() -> None:
    with pytest.raises(FieldErrors) as wrong:
        TrainingForm(length_weight="much", fix=["", "1,5"]).options()

    assert set(wrong.value.errors) == {"length_weight", "fix"}
    assert "'1,5' is not a number" in wrong.value.errors["fix"]


def test_the_common_choices_come_first_and_the_rest_is_folded(visit: Visit, url: str) -> None:
    page = visit.page(f"{url}/training")
    first, more = page.split('<details class="more">')

    for name in ("text", "score", "second_score", "prompt", "id", "scale", "kind"):
        assert f'name="{name}"' in first
    for name in ("program", "third_score", "cutoffs", "length_weight", "length_free", "fix", "curves", "paper"):
        assert f'name="{name}"' in more
    assert more.count('name="fix"') == len(SHARED)


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"length_weight": "2"}, "fix", "the fixed weight of length is 2"),
        ({"fix": ["0.9"]}, "fix", "leave nothing for the other features"),
        ({"cutoffs": "guess"}, "cutoffs", "no cutoffs called"),
        ({"curves": "yes", "paper": "yes"}, "curves", "without paper"),
        ({"kind": "huge"}, "kind", "no model is called"),
        ({"program": "nothing"}, "program", "nothing"),
        ({"third_score": "id"}, "third_score", "not a number"),
    ],
)
def test_a_choice_that_cannot_be_is_said_beside_its_field_and_kept(
    visit: Visit, url: str, typed: dict[str, str], field: str, words: str
) -> None:
    page = visit.send(f"{url}/training", status=422, **COLUMNS, **typed).text

    assert re.search(rf'id="{field}-wrong">.*?<span>[^<]*{words}', page), re.findall(r'-wrong">.*?</p>', page)
    assert field == "kind" or '<details class="more" open>' in page
    assert EssaySettings.of(visit.context(url).workspace).training is None
