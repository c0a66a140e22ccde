"""What would raise a score: the first pieces of advice, each with what the model itself would give for it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite, isnan

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.feedback.advice import Advice
from assay.essays.feedback.feedback import EssayFeedback
from assay.essays.feedback.norms import reference_yardstick
from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.essays.text.essay import Essay
from assay.store.schema import Json

MOST = 3
TOGETHER = (("length", ("length", "element_length")), ("vocabulary", ("vocabulary", "word_length")))
"""Features that one act changes together: advice on the first is advice on all."""


@dataclass(frozen=True, slots=True)
class Raising:
    """One sentence of advice: what to do, why, the notes it is about, and the points it is worth by the model."""

    title: str
    why: str
    do: str
    notes: tuple[int, ...]
    gain: float | None
    """Score points; None where the model cannot tell."""

    def told(self) -> Json:
        """As the page shows it."""
        return {**asdict(self), "notes": list(self.notes), "sentence": self.sentence()}

    def sentence(self) -> str:
        """What to do, why, and what it is worth, in one sentence.

        >>> Raising("Check a few words", "1 note on usage: wrong article (1).", "", (4,), 0.12).sentence()
        'Check a few words: 1 note on usage: wrong article (1); worth about 0.12 points.'
        """
        why = self.why.rstrip(".")
        worth = f"; worth about {self.gain:.2f} points" if self.gain else ""
        return f"{self.title}: {why}{worth}."


def what_would_raise(
    feedback: EssayFeedback,
    essay: Essay,
    values: Mapping[str, float],
    score: EssayScore,
    model: ScoringModel,
    program: str = "",
) -> Json:
    """At most three pieces of advice, worth most first, and the score if all of them were followed."""
    first = feedback.advice
    if not score.scored or model.score_if(essay, values, program) is None:
        advised = [Raising(a.title, a.why, a.do, a.notes, None) for a in first[:MOST]]
        return {"advice": [one.told() for one in advised], "raw": None, "score": None}

    def scored(change: Mapping[str, float]) -> EssayScore:
        return model.score_if(essay, {**values, **change}, program) or score

    changes = [(advice, _changed(advice, values)) for advice in first]
    gains = [(advice, change, scored(change).raw - score.raw) for advice, change in changes]
    best = sorted((g for g in gains if g[2] >= 0.005), key=lambda g: -g[2])[:MOST]
    advised = [Raising(a.title, a.why, a.do, a.notes, round(gain, 2)) for a, _, gain in best]
    after = scored({k: v for _, change, _ in best for k, v in change.items()})
    return {
        "advice": [one.told() for one in advised],
        "raw": round(after.raw, 2) if advised else None,
        "score": after.score if advised and isfinite(after.score) else None,
    }


def _changed(advice: Advice, values: Mapping[str, float]) -> dict[str, float]:
    """The features as they would be measured if the advice were followed: no slips, typical lengths and words."""
    norms = reference_yardstick().norms
    if advice.feature in CATEGORIES:
        return {advice.feature: 0.0}
    if advice.feature == "development":
        return {"development": min(0.0, values["development"] + _elements(advice))}
    features = dict(TOGETHER).get(advice.feature, (advice.feature,))
    better = min if advice.feature == "vocabulary" else max
    found = {}
    for name in features:
        choose = better if name != "word_length" else max
        if name in norms and not isnan(values.get(name, float("nan"))):
            found[name] = choose(values[name], norms[name].mean)
    return found


def _elements(advice: Advice) -> float:
    """Discourse elements that advice on development adds: its gain is weight x elements / SD."""
    yardstick = reference_yardstick()
    one = yardstick.better_by("development", 1)
    return advice.gain / one if one else 0.0
