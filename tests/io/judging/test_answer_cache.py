"""Answers by what was asked: on disk at once, whole after a crash, never from a file that is none."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.judging.answer_cache import AnswerCache, request_key
from assay.io.language_model import Completion

KEYS = [request_key({"n": n}) for n in range(4)]


def test_an_answer_is_there_again_in_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.jsonl"
    first = AnswerCache(path)
    first.put(KEYS[0], Completion("one", 5, 7))
    first.put(KEYS[1], Completion("zw\u00f6lf \u2028 \ud800", None, None, cut=True))
    # not closed: a crash would not do so either

    again = AnswerCache(path)
    assert (again.get(KEYS[0]), again.get(KEYS[2])) == (Completion("one", 5, 7), None)
    assert again.get(KEYS[1]) == Completion("zw\u00f6lf \u2028 \ud800", None, None, cut=True)
    assert (len(again), KEYS[1] in again, again.damaged) == (2, True, 0)
    first.close()


def test_half_a_line_of_a_killed_run_costs_that_answer_only(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    cache = AnswerCache(path)
    cache.put(KEYS[0], Completion("one"))
    cache.close()
    path.write_bytes(path.read_bytes() + b'{"key": "ab')

    second = AnswerCache(path)
    assert (len(second), second.damaged) == (1, 1)
    second.put(KEYS[1], Completion("two"))
    second.close()

    third = AnswerCache(path)
    assert (len(third), third.damaged) == (2, 1)


@pytest.mark.parametrize(
    "line",
    [
        *('{"key": 1, "text": "x"}', '{"key": "short", "text": "x"}', "[]", "\x00", "[" * 5000),
        *(f'{{"key": "{KEYS[0]}", "text": 3}}', f'{{"key": "{KEYS[0]}", "text": "x", "in": -1}}'),
        *(f'{{"key": "{KEYS[0]}", "text": "x", "in": true}}', f'{{"key": "{KEYS[0]}", "text": "x", "cut": 1}}'),
    ],
)
def test_a_line_that_is_no_answer_is_counted_and_passed_over(line: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"schema":"assay.judge-answers/1"}}\n{line}\n', encoding="utf-8")
    cache = AnswerCache(path)
    assert (len(cache), cache.damaged) == (0, 1)


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "essays.csv"
    path.write_text("id,text\n1,x\n", encoding="utf-8")
    with pytest.raises(InputError, match="no answers of judges") as caught:
        AnswerCache(path)
    assert caught.value.field == "cache"
    with pytest.raises(InputError, match="cannot be read"):
        AnswerCache(tmp_path)


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written") as caught:
        AnswerCache(tmp_path / "file" / "answers.jsonl").put(KEYS[0], Completion("one"))
    assert caught.value.field == "cache"


def test_without_a_path_answers_are_in_memory() -> None:
    cache = AnswerCache()
    cache.put(KEYS[0], Completion("one"))
    cache.close()
    assert cache.get(KEYS[0]) == Completion("one")


def test_the_order_of_settings_changes_no_key() -> None:
    assert request_key({"a": 1, "b": [2]}) == request_key({"b": [2], "a": 1})
    assert request_key({"a": 1}) != request_key({"a": 1.5})
