"""Seeds of what a run of judges reads: rubrics, answers, caches, items."""

import json

from assay.io.judging.answer_cache import SCHEMA, request_key

RUBRIC = b"""
task = "Judge answers."
overall = "clarity"
separate = true
temperature = 0.5
most_tokens = 300
[prices]
input = 1
output = 2.5
currency = "EUR"
[[criteria]]
name = "clarity"
scale = "1-3"
weight = 2
[[criteria.levels]]
score = 3
description = "clear"
[[criteria]]
name = "passes"
question = "Does it?"
levels = [{ label = "no" }, { label = "yes" }]
[[examples]]
text = "Hm."
scores = { clarity = 1, passes = "no" }
reason = "Short."
"""


def rubrics() -> list[bytes]:
    return [RUBRIC, b'[[criteria]]\nname = "a"\nlevels = [{ score = 0 }, { score = 0.5 }]\n']


def answers() -> list[bytes]:
    whole = {"clarity": {"reason": "It is.", "score": 3}, "passes": {"reason": "No.", "label": "No"}}
    return [json.dumps(whole).encode(), b'<think>{</think>```json\n{"clarity": "2", "passes": "yes"}\n```']


def caches() -> list[bytes]:
    record = {"key": request_key({"a": 1}), "text": "{}", "in": 3, "out": None, "cut": False}
    return ["".join(json.dumps(line) + "\n" for line in ({"schema": SCHEMA}, record)).encode()]


def items() -> list[bytes]:
    return [b"id,text,question\na,Yes.,Is it?\nb,,\n"]
