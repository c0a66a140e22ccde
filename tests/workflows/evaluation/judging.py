"""A judge that is a server of this machine, for tests of what is asked of it and made of its answers."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from assay.evaluation.judging.rubric import Criterion, JudgeRubric, Prices, RubricLevel
from tests.io.canned_server import Canned, Heard, answering_server, completion

QUALITY = Criterion("quality", tuple(RubricLevel(float(point)) for point in range(1, 7)))
TONE = Criterion("tone", (RubricLevel("rude"), RubricLevel("polite")))
RUBRIC = JudgeRubric((QUALITY, TONE), prices=Prices(1, 10))
USAGE = {"prompt_tokens": 100, "completion_tokens": 20}
ITEMS = {"id": list("abcde"), "text": ["One.", "Two words.", "Three more words.", "", "The fifth text here."]}


def text_in(asked: Any) -> str:
    """The text that a request asks to judge."""
    content = asked["messages"][1]["content"]
    mark = content[1:13]
    return str(content.partition(f"<{mark} text to judge>\n")[2].partition(f"\n</{mark}>")[0])


def says(quality: object, tone: object = "polite", reason: str = "It is so.") -> Canned:
    answer = {"quality": {"reason": reason, "score": quality}, "tone": {"reason": reason, "label": tone}}
    return completion(json.dumps(answer), usage=USAGE)


def by_words(asked: Any) -> Canned:
    """A fair judge: a point a word."""
    return says(min(6, len(text_in(asked).split())))


@contextmanager
def judge_server(answer_to: Callable[[Any], Canned] = by_words) -> Iterator[Heard]:
    with answering_server(answer_to) as heard:
        yield heard
