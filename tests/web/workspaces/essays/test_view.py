"""Figures over all essays are kept between requests, and never those of another state of the workspace."""

from datetime import timedelta

from assay.store.database import open_database
from assay.store.items import NewItem, put_items, put_result, remove_items
from assay.store.reviews import results_state
from assay.store.schema import Connection
from assay.store.workspaces import create_workspace
from assay.web.workspaces.essays.view import EssayTally, essay_tally
from tests.web.reviews import ENGINE, START


def keep_results(connection: Connection, workspace: str, digits: str, *, words: int = 100) -> list[int]:
    """An essay for each digit, with as many spelling slips as it says; their ids."""
    new = [NewItem(digit * 64, f"Writer {digit}", {}) for digit in digits]
    kept = put_items(connection, workspace, new, now=START)
    for item, digit in zip(kept, digits, strict=True):
        payload = {
            "types": {"spelling": int(digit)} if int(digit) else {},
            "advisories": [{"name": "too_short", "evidence": ""}] if digit == "0" else [],
            "shares": {"length": 0.5 * int(digit), "style": None},
            "words": words,
        }
        put_result(connection, item.id, ENGINE, payload=payload, score=3.0, files={}, now=START)
    return [item.id for item in kept]


def figures(tally: EssayTally) -> tuple[int, int, int, int, int, float]:
    spelling = tally.findings["spelling"], tally.with_finding["spelling"]
    return tally.essays, tally.words, *spelling, tally.doubts["too_short"], tally.shares["length"]


def test_new_results_are_added_and_changes_of_old_ones_are_seen(database_url: str) -> None:
    database = open_database(database_url)
    with database.writing() as connection:
        here = create_workspace(connection, "essays", "Class", author="you", now=START).id
        ids = keep_results(connection, here, "012")
        assert figures(essay_tally(connection, here, ENGINE)) == (3, 300, 3, 2, 1, 1.5)
        keep_results(connection, here, "34")
        assert figures(essay_tally(connection, here, ENGINE)) == (5, 500, 10, 4, 1, 5.0)
        remove_items(connection, here, [ids[2]], now=START)
        assert figures(essay_tally(connection, here, ENGINE)) == (4, 400, 8, 3, 1, 4.0)
        put_items(connection, here, [NewItem("2" * 64, "Back", {})], now=START)
        remove_items(connection, here, [ids[1]], now=START)
        assert figures(essay_tally(connection, here, ENGINE)) == (4, 400, 9, 3, 1, 4.5)
        keep_results(connection, here, "0", words=7)
        assert figures(essay_tally(connection, here, ENGINE))[:2] == (4, 307)
        assert essay_tally(connection, here, "another engine").essays == 0
    database.close()


def test_the_state_of_results_changes_with_each_of_them(database_url: str) -> None:
    database = open_database(database_url)
    with database.writing() as connection:
        here = create_workspace(connection, "essays", "Class", author="you", now=START).id
        states = [results_state(connection, here, ENGINE)]
        first, last = keep_results(connection, here, "12")
        states.append(results_state(connection, here, ENGINE))
        later = START + timedelta(seconds=1)
        put_result(connection, last, ENGINE, payload={}, score=1.0, files={}, now=later)
        states.append(results_state(connection, here, ENGINE))
        remove_items(connection, here, [first], now=later)
        states.append(results_state(connection, here, ENGINE))
        assert len(set(states)) == len(states)
        assert results_state(connection, here, ENGINE) == states[-1]
    database.close()
