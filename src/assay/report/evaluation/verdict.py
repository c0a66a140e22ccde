"""The first screen of an evaluation report: key figures, and the verdict in sentences made from them."""

from collections.abc import Mapping, Sequence
from math import isnan

from assay.evaluation.result import Evaluation, largest_group_difference
from assay.evaluation.thresholds import Judgement, Verdict
from assay.metrics.intervals import Estimate
from assay.metrics.tally import NO_RESPONSES, ONE_RESPONSE
from assay.report.document.document import KeyFigure
from assay.report.document.metric_words import METRIC_WORDS, shown, target, target_words
from assay.report.document.values import SIGNED, Number
from assay.report.document.wording import counted, listed, number_text, number_word, sentence, shortened, value_text
from assay.report.evaluation.facts import GroupShift, judgements, main_figures, shifts
from assay.report.evaluation.left_out import cautions

NAMES = {
    "qwk": ("Agreement with human scores", "QWK"),
    "r": ("Correlation with human scores", "Pearson r"),
    "smd": ("Difference of means", "SMD"),
    "degradation_qwk": ("Against a second rater", "QWK"),
    "exact_agreement": ("Exact agreement", "same score"),
    "largest_dsm": ("Largest group difference", "DSM"),
    "adjacent_agreement": ("Adjacent agreement", "at most 1 apart"),
    "r2": ("Variance explained", "R²"),
    "rmse": ("Typical error", "RMSE, in score points"),
}
"""What a figure is called on the first screen, and what it measures."""

IN_SENTENCES = {name: title[:1].lower() + title[1:] for name, (title, _) in NAMES.items()} | {
    "degradation_qwk": "agreement against a second rater",
    "degradation_r": "correlation against a second rater",
    "disattenuated_r": "disattenuated correlation",
}

MOST_GROUPS_NAMED = 6
TWO = Number(2)


def key_figures(evaluation: Evaluation) -> tuple[KeyFigure, ...]:
    """Five figures: agreement, correlation, means, the comparison with a second rater, the largest group difference.

    Exact and adjacent agreement stand in where there is no second rater or no group; without score points, R2 and
    RMSE do.
    """
    return tuple(_key_figure(evaluation, name) for name in _key_names(evaluation))


def _key_names(evaluation: Evaluation) -> tuple[str, ...]:
    judged = {name for name, judgement in judgements(evaluation).items() if judgement.estimate.defined}
    fourth = next((name for name in ("degradation_qwk", "exact_agreement") if name in judged), "r2")
    fifth = next((name for name in ("largest_dsm", "adjacent_agreement") if name in judged), "rmse")
    return ("qwk", "r", "smd", fourth, fifth)


def _key_figure(evaluation: Evaluation, name: str) -> KeyFigure:
    title, measure = NAMES[name]
    judged = judgements(evaluation).get(name)
    measured = judged.estimate if judged else main_figures(evaluation).metrics[name]
    band = target(name) if judged else None
    if name == "largest_dsm":
        worst = largest_group_difference(evaluation)
        measure = f"DSM of {shortened(worst[1], 28) if worst else 'no group'}"
    limit = "at most 0.10 lower" if name == "degradation_qwk" else target_words(name)
    note = f"{measure}, {limit}" if band else measure
    number = METRIC_WORDS[name].number
    return KeyFigure(title, note, shown(name, measured), band, judged.verdict if judged else None, number)


def verdict_lead(verdicts: Sequence[Verdict | None]) -> str:
    """How many thresholds are met, and how surely.

    >>> verdict_lead(["met", "met, uncertain", "not met", None])
    'Two of three thresholds are met, one of them uncertain.'
    """
    judged = [verdict for verdict in verdicts if verdict is not None]
    met = [verdict for verdict in judged if verdict.startswith("met")]
    unsure = met.count("met, uncertain")
    if not judged:
        return "No threshold could be judged."
    if len(judged) == 1:
        only = judged[0].replace(", uncertain", ", but uncertain")
        return f"The one threshold that could be judged is {only}."
    if not met:
        return f"None of {number_word(len(judged))} thresholds is met."
    doubt = f", {number_word(unsure)} of them uncertain"
    if unsure == len(met):
        doubt = ", but uncertain" if len(met) == 1 else ", all of them uncertain"
    share = "All" if len(met) == len(judged) else sentence(number_word(len(met)))[:-1] + " of"
    verb = "is" if len(met) == 1 else "are"
    many = "Both" if len(met) == len(judged) == 2 else f"{share} {number_word(len(judged))}"
    return f"{many} thresholds {verb} met{doubt if unsure else ''}."


def verdict_rest(evaluation: Evaluation, item: str = "response") -> str:
    """What stands behind the count, in sentences a reader without statistics understands; `item` is what was scored."""
    judged = judgements(evaluation)
    on_screen = _key_names(evaluation)
    parts = [
        *cautions(evaluation.exclusions),
        _agreement(evaluation, judged, item),
        _mean(judged["smd"]),
        groups_sentence(shifts(evaluation)) or _no_group(evaluation, item),
        _missed(judged, on_screen),
        *_not_judged(list(judged.values()), item),
    ]
    return " ".join(part for part in parts if part)


def _agreement(evaluation: Evaluation, judged: Mapping[str, Judgement], item: str) -> str:
    second = judged.get("degradation_qwk")
    if second is not None and second.verdict is not None and evaluation.consistency is not None:
        if isnan(second.estimate.low):
            return f"There are too few {item}s to compare the system with a second rater."
        system, people = (pair.metrics["qwk"].value for pair in (main_figures(evaluation), evaluation.consistency))
        figures = f"(QWK {number_text(system, TWO)} against {number_text(people, TWO)})"
        return f"{second_rater_words(second.estimate, second.verdict)} {figures}."
    alone = _ALONE.get(judged["qwk"].verdict or "", "")
    if alone and evaluation.consistency is None:
        alone += f" No {item} was scored by a second rater, so how well raters agree with each other is not known."
    return alone


_ALONE = {
    "met": "Agreement with human scores reaches its threshold.",
    "met, uncertain": "Agreement with human scores seems to reach its threshold.",
    "not met, uncertain": "Agreement with human scores seems to fall short of its threshold.",
    "not met": "Agreement with human scores falls short of its threshold.",
}


def second_rater_words(difference: Estimate, verdict: Verdict) -> str:
    """The system beside a second rater, claiming no more than the interval allows."""
    if difference.low > 0:
        return "The system agrees with the human scores more closely than a second rater does"
    if verdict == "met" and difference.high < 0:
        return "The system agrees with the human scores a little less than a second rater does"
    return {
        "met": "The system agrees with the human scores about as well as a second rater does",
        "met, uncertain": "The system seems to agree with the human scores about as well as a second rater does",
        "not met, uncertain": "The system seems to agree with the human scores less than a second rater does",
        "not met": "The system agrees with the human scores less than a second rater does",
    }[verdict]


def _mean(smd: Judgement) -> str:
    if smd.verdict is None or smd.verdict.startswith("met"):
        return ""
    verb, size = "scores" if smd.verdict == "not met" else "seems to score", number_text(abs(smd.estimate.value), TWO)
    return f"It {verb} too {_direction(smd.estimate)} on average, by {size} standard deviations."


def groups_sentence(groups: Sequence[GroupShift]) -> str:
    """Which groups are shifted and in which direction; empty when there is nothing to compare."""
    known = [shift for shift in groups if shift.verdict is not None]
    shifted = [shift for shift in known if shift.verdict in ("not met", "not met, uncertain")]
    if len(shifted) > MOST_GROUPS_NAMED:
        certain = sum(1 for shift in shifted if shift.verdict == "not met")
        sure = f"{number_word(certain) if certain else 'none'} of them certainly"
        most = f"{shifted[0].name} ({shifted[0].column}), too {_direction(shifted[0].dsm)}"
        counts = f"{len(shifted)} of {len(known)} groups seem shifted by more than 0.10 standard deviations"
        return f"{counts}, {sure}; most of all {most}."
    if shifted:
        clauses = (_shifted(shifted, "not met", "scores"), _shifted(shifted, "not met, uncertain", "seems to score"))
        return f"Compared with the human scores, the system {listed([clause for clause in clauses if clause])}."
    if not known:
        return ""
    unsure = sum(1 for shift in known if shift.verdict == "met, uncertain")
    which = "any of them" if unsure == len(known) else f"{number_word(unsure)} of {number_word(len(known))}"
    doubt = f"; this is uncertain for {which}" if unsure else ""
    return f"No group is shifted by more than 0.10 standard deviations{doubt}."


def _shifted(shifted: Sequence[GroupShift], verdict: Verdict, verb: str) -> str:
    """The groups with that verdict by direction, their column in brackets behind them."""
    parts = []
    for column in dict.fromkeys(shift.column for shift in shifted if shift.verdict == verdict):
        names: dict[str, list[str]] = {"low": [], "high": []}
        for shift in shifted:
            if shift.verdict == verdict and shift.column == column:
                names[_direction(shift.dsm)].append(shift.name)
        directions = listed([f"{listed(which)} too {direction}" for direction, which in names.items() if which])
        parts.append(f"{directions} ({column})")
    return f"{verb} {listed(parts)}" if parts else ""


def _no_group(evaluation: Evaluation, item: str) -> str:
    compared = [grouping for grouping in evaluation.groupings if len(grouping.groups) > 1]
    if not compared or any(group.shown for grouping in compared for group in grouping.groups):
        return ""
    return f"No group has the {counted(evaluation.plan.least_group, item)} it takes to be judged."


def _missed(judged: Mapping[str, Judgement], on_screen: Sequence[str]) -> str:
    """Figures below their threshold that no other sentence speaks of."""
    spoken_of = {"smd", "degradation_qwk", "largest_dsm"}
    if "degradation_qwk" not in judged or judged["degradation_qwk"].verdict is None:
        spoken_of.add("qwk")
    clauses: list[str] = []
    for verdict, one, many in (("not met", "is", "are"), ("not met, uncertain", "seems to be", "seem to be")):
        names = []
        for name, judgement in judged.items():
            if judgement.verdict == verdict and name not in spoken_of:
                value = "" if name in on_screen else f" ({value_text(shown(name, judgement.estimate), SIGNED)})"
                names.append(IN_SENTENCES[name] + value)
        if names:
            below = "" if clauses else " below threshold"
            clauses.append(f"{listed(names)} {one if len(names) == 1 else many}{below}")
    return sentence("; ".join(clauses)) if clauses else ""


def _not_judged(key: Sequence[Judgement], item: str) -> list[str]:
    reasons: dict[str, list[str]] = {}
    of_items = {NO_RESPONSES: f"no {item}s", ONE_RESPONSE: f"only one {item}", "": f"not defined for these {item}s"}
    for judgement in key:
        if judgement.verdict is None:
            reason = shown(judgement.name, judgement.estimate).reason
            reasons.setdefault(of_items.get(reason, reason), []).append(IN_SENTENCES[judgement.name])
    if len(reasons) == 1 and all(judgement.verdict is None for judgement in key):
        return [sentence(reason) for reason in reasons]
    return [sentence(f"{listed(names)} could not be judged: {reason}") for reason, names in reasons.items()]


def _direction(estimate: Estimate) -> str:
    return "high" if estimate.value > 0 else "low"
