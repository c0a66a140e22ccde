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
    missed, extra = tally.missed - score.near_misses[0], tally.extra - score.near_misses[1]
    parts = [
        ScoreComponent("everything found, nothing extra", 100.0, 0.0, 100 * c),
        ScoreComponent(f"{missed} missed", tally.recall, 0.0, -lost.missed, f"Recall {tally.recall:.1f}."),
        ScoreComponent(f"{extra} extra", tally.precision, 0.0, -lost.extra, f"Precision {tally.precision:.1f}."),
    ]
    if any(score.near_misses):
        name = f"{max(score.near_misses)} near miss{'es' if max(score.near_misses) > 1 else ''}"
        note = "Each is both a missed object and an extra annotation."
        parts.append(ScoreComponent(name, 0.0, 0.0, -lost.near_miss, note))
    note = f"F-beta of precision and recall, beta {score.rubric.beta:g}."
    completeness = ScoreComponent("completeness", tally.completeness, c, c * tally.completeness, note, tuple(parts))
    children = (_quality(score, q, most_matches), completeness)
    return ScoreComponent("overall", tally.score, 1.0, tally.score, children=children)


def _quality(score: SubmissionScore, weight: float, most: int) -> ScoreComponent:
    n, name = score.match_scores.size, "average match quality"
    if not n:
        return ScoreComponent(name, 0.0, weight, 0.0, "Nothing matched, so there is no quality to credit.")
    shown = np.sort(np.argsort(score.match_scores, kind="stable")[:most])
    weighs = score.match_counts_as / score.match_counts_as.sum() if score.match_counts_as.any() else np.zeros(n)
    parts = []
    for number in shown.tolist():
        own_share = float(weighs[number])
        share = weight * own_share
        match, system = score.match(number), float(score.system_match_scores[number])
        values = (match.localisation, match.label, 100.0 if isnan(match.attributes) else match.attributes)
        children = [
            ScoreComponent(part, value, own, share * own * value)
            for part, value, own in zip(("localisation", "label", "attributes"), values, match.weights, strict=True)
        ]
        if match.score != system:
            children.append(ScoreComponent("override", match.score - system, 0.0, share * (match.score - system)))
        where = f"{match.truth_label} {match.truth_id} on {match.image}"
        parts.append(ScoreComponent(where, match.score, own_share, share * match.score, children=tuple(children)))
    if n > shown.size:
        rest, rest_weighs = np.delete(score.match_scores, shown), np.delete(weighs, shown)
        others, points = f"{rest.size} other match{'es' if rest.size > 1 else ''}", float((rest * rest_weighs).sum())
        parts.append(ScoreComponent(others, float(rest.mean()), float(rest_weighs.sum()), weight * points))
    quality = 0.0 if isnan(score.tally.quality) else score.tally.quality
    return ScoreComponent(name, quality, weight, weight * quality, f"The mean of {n} matches.", tuple(parts))


@dataclass(frozen=True, slots=True)
class Losses:
    """Where the points went: with the overall score they add up to 100."""

    localisation: float = 0.0
    label: float = 0.0
    attributes: float = 0.0
    missed: float = 0.0
    """Objects that were not drawn."""
    extra: float = 0.0
    """Annotations that are on no object, or on one that has another."""
    near_miss: float = 0.0
    """Objects that were drawn, but not closely enough to count."""
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
    _, weighed, missed_cost, extra_cost, empty, *_ = (float(row) for row in score.image_sums.sum(axis=1))
    whole = (1 + b2) * (weighed + empty) + b2 * missed_cost + extra_cost
    share = c / whole if whole else 0.0
    near_missed, near_extra = score.near_miss_costs
    missed, extra = share * b2 * (missed_cost - near_missed), share * (extra_cost - near_extra)
    near = share * (b2 * near_missed + near_extra)
    if not weighed:
        return Losses(missed=missed, extra=extra, near_miss=near, nothing_matched=q)
    parts = np.column_stack([score.localisation, score.label, np.nan_to_num(score.attributes, nan=1.0)])
    weighs = score.match_counts_as / weighed
    place, label, attributes = q * (weighs[:, None] * score.match_weights * (1 - parts)).sum(axis=0)
    changed = q / 100 * float((weighs * (score.system_match_scores - score.match_scores)).sum())
    return Losses(float(place), float(label), float(attributes), missed, extra, near, override=changed)


def work_in_words(score: SubmissionScore) -> str:
    """What was found, nearly found and drawn in vain, in a sentence or two."""
    tally, (near, near_extra) = score.tally, score.near_misses
    objects, extra = tally.matched + tally.missed, tally.extra - near_extra
    if not objects and not extra:
        return "There was nothing to find, and you drew nothing."
    matched = f"You found {tally.matched:,} of {objects:,} object{'' if objects == 1 else 's'}"
    drew = f"drew {extra:,} extra annotation{'' if extra == 1 else 's'}" if extra else "drew nothing extra"
    if not near:
        return f"{matched} and {drew}."
    close = "1 more is a near miss" if near == 1 else f"{near:,} more are near misses"
    return f"{matched} and {drew}. {close}: drawn, but not closely enough to count."


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
    quality = "n/a (nothing matched)" if isnan(tally.quality) else f"{tally.quality:.0f}"
    near = f", near misses {lost.near_miss:.1f}" if lost.near_miss else ""
    low = (
        f"{work_in_words(score)} What you found fits its objects to {place:.0f} of 100 and scores {quality} on "
        f"average; completeness is {tally.completeness:.0f} of 100. Missed objects cost {lost.missed:.1f} points of "
        f"the overall score, extra annotations {lost.extra:.1f}{near}."
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
    "near_miss": "Drawing the near misses more closely",
    "nothing_matched": "Drawing objects where they are",
    "override": "A review of the overrides",
}


_CAUSES = {
    "missed": "missed objects",
    "extra": "extra annotations",
    "localisation": "places",
    "near_miss": "near misses",
}
