"""Submissions are scored and put together only while somebody wants it."""

from typing import Any, cast

import pytest

from assay.errors import Cancelled
from assay.web.worker.annotations import ObservedScores, prepare
from assay.web.worker.worker import Outcome, Tools
from tests.web.annotated import EVERYONE, TRUTH, coco, fields
from tests.web.visits import Visit
from tests.web.worker.stopping import StoppingObserver, leased_pieces


def done(visit: Visit, what: str, observer: StoppingObserver) -> Outcome:
    """What becomes of the piece that holds one submission, or all of them."""
    visit.send("/annotations", files=fields(truth={"truth.json": coco(TRUTH)}, submissions=EVERYONE), name="Group B")
    piece = next(piece for piece in leased_pieces(visit) if piece.task["is"] == what)
    return prepare(piece, Tools(visit.site.database, visit.settings.cache, observer))(piece)


def test_a_submission_has_its_score_and_the_report_of_all_its_files(visit: Visit) -> None:
    one, everything = (done(visit, what, StoppingObserver()) for what in ("submission", "batch"))

    assert one.score == 100.0
    assert one.payload["matched"] == len(TRUTH)
    assert everything.payload["submissions"] == len(EVERYONE)
    assert {"page.html", "report.html", "everything.json"} <= set(everything.files)


def test_the_report_of_all_stops_wherever_it_is(visit: Visit) -> None:
    whole = StoppingObserver()
    done(visit, "batch", whole)

    assert whole.asked > 4 * len(EVERYONE)  # while they are scored, and many times while the report is made
    for at in (1, len(EVERYONE) + 1, whole.asked // 2, whole.asked - 1, whole.asked):
        stopping = StoppingObserver(at)
        with pytest.raises(Cancelled):
            done(visit, "batch", stopping)
        assert stopping.asked == at


def test_a_submission_of_a_cancelled_job_is_not_scored(visit: Visit) -> None:
    with pytest.raises(Cancelled):
        done(visit, "submission", StoppingObserver(1))


def test_going_through_scores_asks_each_time_and_counting_them_does_not() -> None:
    observer, known = StoppingObserver(), cast(Any, {"ada": 1, "ben": 2})
    scores = ObservedScores(known, observer)

    assert (len(scores), list(scores), observer.asked) == (2, ["ada", "ben"], 0)
    assert list(scores.values()) == list(known.values())
    assert observer.asked == 2
