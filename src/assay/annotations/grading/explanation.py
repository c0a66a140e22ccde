"""Why this score: the parts it is made of, what was lost where, and answers to the questions students ask.

Section 6 of the scoring plan is the tree of parts, section 7 the questions; both in this submission's own figures.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.result import SubmissionScore


@dataclass(frozen=True, slots=True)
class ScoreComponent:
    """A part of the score. The points of the children add up to the points of the parent."""

    name: str
    value: float
    """What was reached, 0 to 100."""
    weight: float
    """Its share in the parent, 0 to 1; 0 for what only adds or takes points."""
    points: float
    """What it brings to the overall score; negative for what takes points away."""
    note: str = ""
    children: tuple["ScoreComponent", ...] = ()


def explain(score: SubmissionScore, most_matches: int = 20) -> ScoreComponent:
    """The overall score as a tree; the matches that cost most are shown one by one, the rest together."""
    tally, lost = score.tally, losses(score)
    if tally.vacuous:
        return ScoreComponent("overall", tally.score, 1.0, tally.score, "Nothing to find and nothing drawn.")
    q, c = score.rubric.weights.of_overall
    # F-beta as 100 less what each missed object and each extra takes: these losses add up exactly
    parts = (
        ScoreComponent("everything found, nothing extra", 100.0, 0.0, 100 * c),
        ScoreComponent(f"{tally.missed} missed", tally.recall, 0.0, -lost.missed, f"Recall {tally.recall:.1f}."),
        ScoreComponent(f"{tally.extra} extra", tally.precision, 0.0, -lost.extra, f"Precision {tally.precision:.1f}."),
    )
    note = f"F-beta of precision and recall, beta {score.rubric.beta:g}."
    completeness = ScoreComponent("completeness", tally.completeness, c, c * tally.completeness, note, parts)
    children = (_quality(score, q, most_matches), completeness)
    return ScoreComponent("overall", tally.score, 1.0, tally.score, children=children)


def _quality(score: SubmissionScore, weight: float, most: int) -> ScoreComponent:
    n, name = score.match_scores.size, "average match quality"
    if not n:
        return ScoreComponent(name, 0.0, weight, 0.0, "Nothing matched, so there is no quality to credit.")
    shown = np.sort(np.argsort(score.match_scores, kind="stable")[:most])
    parts, share = [], weight / n
    for number in shown.tolist():
        match, system = score.match(number), float(score.system_match_scores[number])
        values = (match.localisation, match.label, 100.0 if isnan(match.attributes) else match.attributes)
        children = [
            ScoreComponent(part, value, own, share * own * value)
            for part, value, own in zip(("localisation", "label", "attributes"), values, match.weights, strict=True)
        ]
        if match.score != system:
            children.append(ScoreComponent("override", match.score - system, 0.0, share * (match.score - system)))
        where = f"{match.truth_label} {match.truth_id} on {match.image}"
        parts.append(ScoreComponent(where, match.score, 1 / n, share * match.score, children=tuple(children)))
    if n > shown.size:
        rest = np.delete(score.match_scores, shown)
        others = f"{rest.size} other match{'es' if rest.size > 1 else ''}"
        parts.append(ScoreComponent(others, float(rest.mean()), rest.size / n, weight * float(rest.sum()) / n))
    quality = score.tally.quality
    return ScoreComponent(name, quality, weight, weight * quality, f"The mean of {n} matches.", tuple(parts))


@dataclass(frozen=True, slots=True)
class Losses:
    """Where the points went: with the overall score they add up to 100."""

    localisation: float = 0.0
    label: float = 0.0
    attributes: float = 0.0
    missed: float = 0.0
    extra: float = 0.0
    nothing_matched: float = 0.0
    override: float = 0.0
    """What people took away; negative when they gave."""

    def total(self) -> float:
        return sum(value for _, value in self.items())

    def items(self) -> Iterator[tuple[str, float]]:
        yield from ((name, getattr(self, name)) for name in self.__slots__)


def losses(score: SubmissionScore) -> Losses:
    """Points lost, out of 100, by cause."""
    tally = score.tally
    if tally.vacuous:
        return Losses()
    q, c = (100 * share for share in score.rubric.weights.of_overall)
    b2 = score.rubric.beta**2
    empty = float(score.image_sums[4].sum())
    whole = (1 + b2) * (tally.matched + empty) + b2 * tally.missed + tally.extra
    missed, extra = c * b2 * tally.missed / whole, c * tally.extra / whole
    if not tally.matched:
        return Losses(missed=missed, extra=extra, nothing_matched=q)
    parts = np.column_stack([score.localisation, score.label, np.nan_to_num(score.attributes, nan=1.0)])
    place, label, attributes = q * (score.match_weights * (1 - parts)).mean(axis=0)
    changed = q / 100 * float((score.system_match_scores - score.match_scores).mean())
    return Losses(float(place), float(label), float(attributes), missed, extra, override=changed)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of the scoring plan's section 7, answered for this submission."""

    question: str
    answer: str
    applies: bool
    """Whether this submission gives reason to ask it."""


def answers(score: SubmissionScore) -> tuple[Answer, ...]:
    """The questions about one submission."""
    tally, lost, place = score.tally, losses(score), mean_place(score)
    objects = tally.matched + tally.missed
    quality = "n/a (nothing matched)" if isnan(tally.quality) else f"{tally.quality:.0f}"
    low = (
        f"You found {tally.matched} of {objects} object{'' if objects == 1 else 's'} and drew {tally.extra} that "
        f"{'is' if tally.extra == 1 else 'are'} not in the ground truth. What you found is placed at {place:.0f} of "
        f"100 and scores {quality} on average; completeness is {tally.completeness:.0f} of 100. Missed objects cost "
        f"{lost.missed:.1f} points of the overall score, extra ones {lost.extra:.1f}."
    )
    applies = place >= 80 and tally.completeness < 80
    why_low = Answer("Why is my score low if my boxes were almost perfect?", low, applies)
    question = "I got the label wrong but my score only dropped a little."
    wrong = np.flatnonzero(score.label < 1)
    if not wrong.size:
        return why_low, Answer(question, "All your matches bear the right label.", applies=False)
    worst = score.match(int(wrong[np.argmin(score.label[wrong])]))
    cheap = (
        f"{wrong.size} of {score.label.size} labels differ, which costs {lost.label:.1f} points of the overall score. "
        f"A label is {100 * worst.weights[1]:.0f} % of a match and the place {100 * worst.weights[0]:.0f} %: "
        f"{worst.student_label!r} for {worst.truth_label!r} earned {worst.label:.0f} of 100 for the label and "
        f"{worst.localisation:.0f} for the place, together {worst.score:.1f}."
    )
    return why_low, Answer(question, cheap, applies=True)


def compare_students(first: SubmissionScore, second: SubmissionScore, names: tuple[str, str]) -> Answer:
    """Why two scores differ: the difference split by cause, largest first."""
    a, b = dict(losses(first).items()), dict(losses(second).items())
    parts = sorted(((b[name] - a[name], name) for name in a), key=lambda part: -abs(part[0]))
    said = [f"{_CAUSES.get(name, name.replace('_', ' '))} {gain:+.1f}" for gain, name in parts if abs(gain) >= 0.05]
    gap = first.overall - second.overall
    place = [mean_place(score) for score in (first, second)]
    text = (
        f"{names[0]} has {first.overall:.1f} and {names[1]} {second.overall:.1f}, a difference of {gap:+.1f} points. "
        f"It is made of: {', '.join(said) or 'nothing of note'}. Places are {place[0]:.0f} and {place[1]:.0f}; "
        f"{names[0]} missed {first.tally.missed} and drew {first.tally.extra} extra, "
        f"{names[1]} missed {second.tally.missed} and drew {second.tally.extra} extra."
    )
    question = "Why are scores for two students so different if their IoU is similar?"
    return Answer(question, text, applies=bool(puzzling(place[0] - place[1], gap)))


def mean_place(score: SubmissionScore) -> float:
    """How well the matched objects lie, out of 100 on average; 0 when nothing matched."""
    return 100 * float(score.localisation.mean()) if score.localisation.size else 0.0


def puzzling(place_gap: float | NDArray[np.float64], gap: float | NDArray[np.float64]) -> bool | NDArray[np.bool_]:
    """Whether two students place objects alike and yet score differently, which makes people ask."""
    return (np.abs(place_gap) < 5) & (np.abs(gap) >= 5)


def improvements(score: SubmissionScore, most: int = 3) -> tuple[str, ...]:
    """What would raise this score most, in sentences."""
    lost = [(name, points) for name, points in losses(score).items() if points >= 0.05]
    most_lost = sorted(lost, key=lambda item: -item[1])[:most]
    return tuple(f"{_ADVICE[name]} would bring up to {points:.1f} points." for name, points in most_lost)


_ADVICE = {
    "localisation": "Drawing the shapes more exactly",
    "label": "Choosing the right label",
    "attributes": "Filling in the attributes rightly",
    "missed": "Finding the missed objects",
    "extra": "Leaving out what is not in the ground truth",
    "nothing_matched": "Drawing objects where they are",
    "override": "A review of the overrides",
}


_CAUSES = {"missed": "missed objects", "extra": "extra annotations", "localisation": "places"}
