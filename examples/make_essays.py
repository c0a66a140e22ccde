"""Write the example essays of this folder anew: `python examples/make_essays.py`.

A seeded generator puts them together from sentences of our own: no student wrote them.

192 essays of 96 invented students, who each answer the two prompts of their grade, with two ratings on 1 to 6 and a
third where the first two are more than a point apart. What an essay says, how it is worded and how many errors it has
follow from the skill of its writer and some luck, and so do the ratings; that is why features go with scores here.
"""

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.writing_errors import with_errors

FOLDER = Path(__file__).resolve().parent
PROMPTS = ("uniforms", "homework", "cars", "library")
CANDIDATES = 48
"""Per grade."""
SEED = 20_260_116
LEVELS = np.arange(1.0, 7.0)

FRIENDS = ("Marco", "Ben", "Tomas", "Ali", "Jonas", "Samir", "Leo", "Viktor")
NUMBERS = ("three", "four", "five", "six", "seven", "eight")
FILLERS = ("I really think so.", "This is very important.", "It is true.", "Everybody knows that.", "That is bad.")
PLAIN_STEPS = (("First", "Also", "And"), ("One reason is that", "Another reason is that", "The last reason is that"))
RICH_STEPS = (
    ("First of all,", "In addition,", "Furthermore,", "Finally,"),
    ("To begin with,", "Moreover,", "Besides,", "Most importantly,"),
)
OPENED = ("Finally,", "Moreover,", "Above all,", "Beyond", "Contrary", "The first", "Safety is")
"""Claims that open in such a way take no further step word."""

# at the levels 1, 2 ... 6; a skill between two levels lies between their values
POINTS = (1.1, 1.6, 2.2, 2.8, 3.3, 3.9)
SUPPORTS = (1.2, 1.5, 1.8, 2.1, 2.5, 3.0)
RICH = (0.0, 0.04, 0.2, 0.5, 0.8, 0.97)
BACKGROUND = (0.1, 0.3, 0.5, 0.7, 0.85, 1.0)
THESIS = (0.8, 0.9, 0.97, 1.0, 1.0, 1.0)
CONCLUSION = (0.1, 0.45, 0.8, 0.95, 1.0, 1.0)
COUNTER = (0.0, 0.02, 0.1, 0.3, 0.6, 0.85)
FILLER = (0.6, 0.4, 0.2, 0.06, 0.0, 0.0)
PARAGRAPHS = (0.02, 0.15, 0.6, 0.95, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Skill:
    """What a writer brings to one essay, each on the scale of 1 to 6."""

    ideas: float
    wording: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Material:
    """The sentences on one prompt, plain and rich ones."""

    program: str
    question: str
    plain: Mapping[str, Sequence[str]]
    rich: Mapping[str, Sequence[str]]
    point: Sequence[Mapping[str, Sequence[str]]]


@cache
def material(prompt: str) -> Material:
    """What there is to say on a prompt."""
    return Material(**tomllib.loads((FOLDER / "sentences" / f"{prompt}.toml").read_text(encoding="utf-8")))


def write_example_essays(folder: Path) -> list[Path]:
    """essays.csv and prompts/*.txt, the questions, in a folder; their paths."""
    prompts = folder / "prompts"
    prompts.mkdir(parents=True, exist_ok=True)
    questions = [prompts / f"{prompt}.txt" for prompt in PROMPTS]
    for path in questions:
        path.write_text(f"{material(path.stem).question}\n", encoding="utf-8")
    example_essays().write_csv(folder / "essays.csv")
    return [folder / "essays.csv", *questions]


def example_essays() -> pl.DataFrame:
    """A row per essay: id, candidate, program, prompt, two or three ratings, the resolved score, text."""
    rng = np.random.default_rng(SEED)
    grades = [PROMPTS[:2], PROMPTS[2:]]
    rows: list[tuple[object, ...]] = []
    for grade, prompts in enumerate(grades):
        for number in range(CANDIDATES):
            ability = float(np.clip(rng.normal(3.5, 1.05), 1.0, 6.0))
            for prompt in prompts:
                candidate = f"S{1 + number + grade * CANDIDATES:03d}"
                rows.append((f"E{1 + len(rows):03d}", candidate, *_essay(prompt, ability, rng)))
    columns = ["id", "candidate", "program", "prompt", "rating_1", "rating_2", "rating_3", "score", "text"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _essay(prompt: str, ability: float, rng: np.random.Generator) -> tuple[object, ...]:
    today = ability + 0.6 * rng.normal()
    skill = Skill(*(today + np.array([0.45, 0.45, 0.6]) * rng.normal(size=3)).tolist())
    text = compose(material(prompt), skill, rng)
    quality = 0.45 * skill.ideas + 0.3 * skill.wording + 0.25 * skill.accuracy
    first, second, third = (int(np.clip(np.rint(quality + 0.55 * rng.normal()), 1, 6)) for _ in range(3))
    asked = third if abs(first - second) > 1 else None
    return material(prompt).program, prompt, first, second, asked, resolved(first, second, asked), text


def resolved(first: int, second: int, third: int | None) -> int:
    """The mean of two ratings rounded up; with a third one, its mean with the rating nearest to it.

    Source: Attali & Burstein (2005), the human resolved score.

    >>> resolved(3, 4, None), resolved(2, 5, 4)
    (4, 5)
    """
    if third is not None:
        first, second = third, min((first, second), key=lambda rating: (abs(rating - third), -rating))
    return -(-(first + second) // 2)


def compose(prompt: Material, skill: Skill, rng: np.random.Generator) -> str:
    """An essay of a writer with this skill, errors and all."""
    paragraphs = [_opening(prompt, skill, rng), *_body(prompt, skill, rng), _closing(prompt, skill, rng)]
    names = {"friend": rng.choice(FRIENDS), "number": rng.choice(NUMBERS)}
    written = [[sentence.format(**names) for sentence in paragraph] for paragraph in paragraphs if paragraph]
    if not _chance(PARAGRAPHS, skill.ideas, rng):
        written = [[sentence for paragraph in written for sentence in paragraph]]
    return "\n\n".join(with_errors(paragraph, skill.accuracy, rng) for paragraph in written)


def _opening(prompt: Material, skill: Skill, rng: np.random.Generator) -> list[str]:
    said = []
    if _chance(BACKGROUND, skill.ideas, rng):
        said.append(_pick(prompt, "background", skill, rng))
    if _chance(THESIS, skill.ideas, rng):
        said.append(_pick(prompt, "thesis", skill, rng))
    return said + _filler(skill, rng)


def _body(prompt: Material, skill: Skill, rng: np.random.Generator) -> list[list[str]]:
    count = _about(POINTS, skill.ideas, rng, most=len(prompt.point))
    chosen = [prompt.point[i] for i in rng.permutation(len(prompt.point))[: max(1, count)]]
    plain = PLAIN_STEPS[rng.integers(len(PLAIN_STEPS))]
    rich = RICH_STEPS[rng.integers(len(RICH_STEPS))]
    paragraphs = []
    for number, point in enumerate(chosen):
        steps = rich if _chance(RICH, skill.wording, rng) else plain
        step = steps[-1] if number and number == len(chosen) - 1 else steps[min(number, len(steps) - 2)]
        paragraphs.append(_point(point, step, skill, rng))
    if _chance(COUNTER, skill.ideas, rng):
        worded = prompt.rich if _chance(RICH, skill.wording, rng) else prompt.plain
        which = int(rng.integers(len(worded["counter"])))
        paragraphs.append([worded["counter"][which], worded["answer"][which]])
    return paragraphs


def _point(point: Mapping[str, Sequence[str]], step: str, skill: Skill, rng: np.random.Generator) -> list[str]:
    rich = _chance(RICH, skill.wording, rng)
    claim = str(rng.choice(point["rich_claims" if rich else "plain_claims"]))
    # step words come with skill, and a claim that has its own needs none
    stepped = rng.random() < np.interp(skill.ideas, LEVELS, (0.3, 0.5, 0.65, 0.75, 0.8, 0.85))
    said = [claim if claim.startswith(OPENED) or not stepped else f"{step} {_lowered(claim)}"]
    supports = _about(SUPPORTS, skill.ideas, rng, most=4)
    for kind in ("reasons", "examples", "reasons", "examples")[:supports]:
        if sentence := _support(point, kind, skill, said, rng):
            said.append(sentence)
    return said + _filler(skill, rng)


def _support(
    point: Mapping[str, Sequence[str]], kind: str, skill: Skill, said: Sequence[str], rng: np.random.Generator
) -> str:
    """A reason or an example that was not given yet; nothing if all were."""
    rich = _chance(RICH, skill.wording, rng)
    left = [s for s in point[f"{'rich' if rich else 'plain'}_{kind}"] if not any(s[1:] in given for given in said)]
    if not left:
        return ""
    sentence = str(rng.choice(left))
    if kind == "examples" and rng.random() < 0.45:
        return f"For {'instance' if rich else 'example'}, {_lowered(sentence)}"
    return sentence


def _closing(prompt: Material, skill: Skill, rng: np.random.Generator) -> list[str]:
    return [_pick(prompt, "conclusion", skill, rng)] if _chance(CONCLUSION, skill.ideas, rng) else []


def _filler(skill: Skill, rng: np.random.Generator) -> list[str]:
    return [str(rng.choice(FILLERS))] if _chance(FILLER, skill.wording, rng) else []


def _pick(prompt: Material, what: str, skill: Skill, rng: np.random.Generator) -> str:
    worded = prompt.rich if _chance(RICH, skill.wording, rng) else prompt.plain
    return str(rng.choice(worded[what]))


def _lowered(sentence: str) -> str:
    """The sentence as it stands after other words.

    >>> _lowered("My sister reads."), _lowered("I read."), _lowered("{friend} reads.")
    ('my sister reads.', 'I read.', '{friend} reads.')
    """
    return sentence if sentence.startswith(("I ", "{")) else sentence[0].lower() + sentence[1:]


def _chance(at_levels: Sequence[float], skill: float, rng: np.random.Generator) -> bool:
    return bool(rng.random() < np.interp(skill, LEVELS, at_levels))


def _about(at_levels: Sequence[float], skill: float, rng: np.random.Generator, *, most: int) -> int:
    """A number near the one of the level, rounded up or down by chance."""
    return min(most, int(np.interp(skill, LEVELS, at_levels) + rng.random()))


if __name__ == "__main__":
    for written in write_example_essays(FOLDER):
        print(written)
