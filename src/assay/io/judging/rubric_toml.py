"""FRONT DOOR `read_judge_rubric`: the rubric of a judge from TOML that people write; every mistake at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import InputError, reader
from assay.evaluation.judging.rubric import MOST_LEVELS, Criterion, Example, JudgeRubric, Prices, RubricLevel
from assay.execution.limits import check
from assay.io.toml_text import parse_toml
from assay.scale import ScoreScale

TOP = ("task", "overall", "separate", "temperature", "most_tokens", "prices", "criteria", "examples")
CRITERION = ("name", "question", "levels", "scale", "weight")
LEVEL = ("score", "label", "description")
EXAMPLE = ("text", "scores", "reason")
PRICES = ("input", "output", "currency")
MOST_LETTERS = 200_000
"""Of a rubric: every request carries all of it."""
Value = TypeVar("Value")


@reader
def read_judge_rubric(path: Path) -> JudgeRubric:
    """The rubric of a file."""
    check("toml_bytes", path.stat().st_size, path)
    return judge_rubric_of(path.read_bytes(), name=path.name)


def judge_rubric_of(content: bytes, *, name: str) -> JudgeRubric:
    """The same from the bytes of a file; InputError that lists all that is wrong."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not in UTF-8", source=name, field="rubric", remedy="Save it as UTF-8.") from None
    stated = parse_toml(text, source=name, field="rubric", remedy='Text needs quotes, as in name = "clarity".')
    if len(text) > MOST_LETTERS:
        problem = f"has {len(text):,} letters; at most {MOST_LETTERS:,} are sent with every request"
        raise InputError(problem, source=name, field="rubric", remedy="Shorten its descriptions and examples.")
    building = _Reader()
    rubric = building.rubric(stated, name)
    if rubric is None:
        count = len(building.mistakes)
        listed = "\n".join(f"  {mistake}" for mistake in building.mistakes[:30])
        raise InputError(f"{count} mistake{'' if count == 1 else 's'}:\n{listed}", source=name, field="rubric")
    return rubric


class _Reader:
    """Turns the content of a file into a rubric, and gathers what is wrong with it."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def rubric(self, stated: Mapping[str, Any], name: str) -> JudgeRubric | None:
        known = self.known(stated, TOP, "")
        criteria = tuple(self.each(known.get("criteria", []), "criteria", self.criterion))
        examples = tuple(self.each(known.get("examples", []), "examples", self.example))
        settings: dict[str, Any] = {
            "task": self.text(known, "task"),
            "overall": self.text(known, "overall"),
            "separate": self.value(known, "separate", bool, False, "true or false"),
            "temperature": self.number(known, "temperature", 0.0),
            "most_tokens": self.value(known, "most_tokens", int, 800, "a whole number"),
            "prices": self.prices(known["prices"]) if "prices" in known else None,
        }
        if self.mistakes:
            return None
        try:
            return JudgeRubric(criteria, examples=examples, name=name, **settings)
        except InputError as problem:
            self.mistakes += str(problem.problem).split("; ")
            return None

    def known(self, stated: Any, names: Sequence[str], where: str) -> dict[str, Any]:
        """The settings that mean something; the others are reported with the nearest that do."""
        if not isinstance(stated, dict):
            self.mistakes.append(f"{where or 'the file'}: {_shown(stated)} is not a table of settings")
            return {}
        for name in stated:
            if name not in names:
                near = get_close_matches(name, names, n=1, cutoff=0.5)
                hint = f"Did you mean {near[0]}?" if near else f"Possible are: {', '.join(names)}."
                self.mistakes.append(f"{where}{'.' * bool(where)}{name[:40]}: there is no such setting. {hint}")
        return {name: value for name, value in stated.items() if name in names}

    def each(self, stated: Any, where: str, read: Callable[[Any, str], Value]) -> Iterator[Value]:
        if not isinstance(stated, list):
            self.mistakes.append(f"{where}: write [[{where}]] above each")
            return
        for number, one in enumerate(stated, start=1):
            yield read(one, f"{where} {number}")

    def value(self, stated: Mapping[str, Any], name: str, kind: type, default: Any, what: str, where: str = "") -> Any:
        value = stated.get(name, default)
        if type(value) is kind:
            return value
        self.mistakes.append(f"{where}{'.' * bool(where)}{name}: {_shown(value)} is not {what}")
        return default

    def text(self, stated: Mapping[str, Any], name: str, where: str = "") -> str:
        return str(self.value(stated, name, str, "", "a text in quotes", where))

    def number(self, stated: Mapping[str, Any], name: str, default: float, where: str = "") -> float:
        value = stated.get(name, default)
        if not isinstance(value, str) and _is_level(value):
            return float(value)
        self.mistakes.append(f"{where}{'.' * bool(where)}{name}: {_shown(value)} is not a number")
        return default

    def criterion(self, stated: Any, where: str) -> Criterion:
        known = self.known(stated, CRITERION, where)
        levels = tuple(self.each(known["levels"], f"{where}, levels", self.level)) if "levels" in known else ()
        if "scale" in known:
            described = {level.value: level for level in levels}
            levels = tuple(described.get(value, RubricLevel(value)) for value in self.scale(known, where)) or levels
            if stray := [value for value in described if value not in {level.value for level in levels}]:
                self.mistakes.append(f"{where}: {_shown(stray[0])} is not on the scale {known['scale']}")
        name, question = self.text(known, "name", where), self.text(known, "question", where)
        return Criterion(name, levels, question, self.number(known, "weight", 1.0, where))

    def scale(self, stated: Mapping[str, Any], where: str) -> tuple[float, ...]:
        try:
            scale = ScoreScale.parse(self.text(stated, "scale", where))
            if (scale.highest - scale.lowest) / scale.step >= MOST_LEVELS:
                raise InputError(f"the scale has more than {MOST_LEVELS} points")
        except InputError as problem:
            self.mistakes.append(f"{where}.scale: {problem}")
            return ()
        return tuple(map(float, scale.points()))

    def level(self, stated: Any, where: str) -> RubricLevel:
        known = self.known(stated, LEVEL, where)
        if ("score" in known) == ("label" in known):
            self.mistakes.append(f"{where}: give it a score or a label")
            return RubricLevel("")
        value: float | str = self.text(known, "label", where)
        if "score" in known:
            value = self.number(known, "score", 0.0, where)
        return RubricLevel(value, self.text(known, "description", where))

    def example(self, stated: Any, where: str) -> Example:
        known = self.known(stated, EXAMPLE, where)
        scores = known.get("scores", {})
        if not isinstance(scores, dict) or not all(_is_level(value) for value in scores.values()):
            self.mistakes.append(f"{where}.scores: write {{ CRITERION = LEVEL }}")
            scores = {}
        values = {name: value if isinstance(value, str) else float(value) for name, value in scores.items()}
        return Example(self.text(known, "text", where), values, self.text(known, "reason", where))

    def prices(self, stated: Any) -> Prices:
        known = self.known(stated, PRICES, "prices")
        for name in ("input", "output"):
            if name not in known:
                self.mistakes.append(f"prices.{name}: give the price of a million tokens")
        currency = self.text(known, "currency", "prices") or "USD"
        return Prices(self.number(known, "input", 0.0, "prices"), self.number(known, "output", 0.0, "prices"), currency)


def _is_level(value: Any) -> bool:
    return isinstance(value, str) or (type(value) in (int, float) and abs(value) < 1e15)


def _shown(value: Any) -> str:
    return repr(value)[:60]
