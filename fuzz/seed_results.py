"""Small results and settings, written here: what mutation begins with."""

import io
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.io.tables.part_folder import MANIFEST, Origin, PartFolder
from fuzz.seed_annotations import dumped
from fuzz.seed_tables import SCORES


@cache
def evaluations() -> list[bytes]:
    import polars as pl

    from assay.workflows.evaluation.evaluate import evaluate

    table = pl.read_csv(io.BytesIO(SCORES))
    results = [evaluate(table, human="human", system=name, id="id", scale="1-4") for name in ("engine", "other")]
    return [_light(result.json()) for result in results]


def evaluation() -> list[bytes]:
    return evaluations()[:1]


def _light(text: str) -> bytes:
    """Only what is read of an evaluation, so that mutation meets it."""
    content = json.loads(text)
    return dumped({name: content[name] for name in ("schema", "engine", "blocks")})


ORIGIN = Origin("1.0", "essays score", {"text": "essay", "model": None}, "ab12", {"essays.csv": "cd34"}, (10, 5))


def manifests() -> list[bytes]:
    """What a folder of parts says of itself."""
    with TemporaryDirectory() as folder:
        PartFolder(Path(folder), ORIGIN)
        return [(Path(folder) / MANIFEST).read_bytes()]


def feedback() -> list[bytes]:
    note = {
        **{"number": 1, "type": "spelling", "category": "mechanics", "title": "T", "places": [[0, 4]], "words": "cars"},
        **{"explanation": "e", "suggestion": None, "right": 3, "judged": 4},
    }
    level = {
        "feature": "grammar",
        "title": "T",
        "value": 1.0,
        "typical": None,
        "beaten": 5,
        "weight": 1,
        "undefined": "",
    }
    advice = {"feature": "grammar", "title": "T", "why": "w", "do": "d", "gain": 0.1, "notes": [1], "places": [[0, 4]]}
    part = {"label": 0, "paragraph": 0, "first": 0, "stop": 1, "place": [0, 9], "certainty": None, "continues": False}
    content = {
        **{"schema": "assay.kept-feedback/1", "raw": "cars are good.", "sentence_starts": [0], "words": 3},
        **{"sentence_paragraph": [0], "notes": [note], "outline": [part], "labeller": "model", "standings": [level]},
        **{"advisories": [{"name": "short", "evidence": "3 words"}], "unchecked": {"a": "b"}, "advice": [advice]},
        **{"strengths": [], "source": "s"},
    }
    return [dumped(content)]


def decisions() -> list[bytes]:
    targets = ("match:0:0", "label:1:1", "attribute:4:4:color", "score")
    one = {"value": 50, "author": "a", "time": "now", "reason": "r"}
    return [dumped([one | {"target": target} for target in targets]), dumped([one | {"target": "miss:0"}])]


def forms() -> list[bytes]:
    """What the page of rules sends."""
    fields = {"beta": "0.5", "near_miss": "0,1", "match_key": "", "w_label": "30", "w_quality": "50", "t_box": "0.5"}
    return [dumped(fields | {"c_0": "on", "c_1": "on", "l_0": "0.4", "u_0_0": "on", "k_0_0": "text", "e_0_0": "1"})]


def columns() -> list[bytes]:
    """What a request chooses for a table of scores."""
    names = {"id": "id", "human": ["h"], "system": "s", "groups": [], "candidate": "", "length": ""}
    return [dumped(names | {"scale": "1-6"})]


def settings() -> list[bytes]:
    """What workspaces, items and jobs keep."""
    columns = {"text": "essay", "id": "id", "prompt": "", "score": "", "program": "", "second": ""}
    names = {"id": "id", "human": ["h"], "system": ["s"], "groups": [], "candidate": "", "length": ""}
    file = {"digest": "d", "suffix": ".csv", "name": "s.csv"}
    known = {
        **{"engine": "e", "samples": [{"seed": 1}], "question": "q", "columns": columns, "scale": "1-6", "rules": ""},
        **{"model": "m", "model_name": "n", "kind": "generic10", "blocks": [[1, 0, 9]], "source": "s", "digest": "d"},
        **{"suffix": ".csv", "made": "2024-01-01", "command": "c", "truth": file, "images": [file], "is": "document"},
        **{"row": 1, "human": 3.0, "scores": [[1, 2.0]], "uploads": [file], "decisions": {"a": [{}]}, "place": 0},
    }
    return [
        dumped(known),
        dumped(known | {"columns": names, "is": "engine", "truth": {"objects": 3, "kinds": {"a": 1}}}),
    ]
