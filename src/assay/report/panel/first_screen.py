"""The first screen of a panel: may a judge replace a rater? One row a judge, people on the same axis."""

from collections.abc import Sequence
from math import isnan

from assay.evaluation.raters.panel import Panel
from assay.evaluation.raters.replacement import JudgeReplacement, Replacement
from assay.evaluation.thresholds import Verdict
from assay.metrics.intervals import Estimate
from assay.report.document.board import Board, BoardRow
from assay.report.document.values import PLAIN, Band, Spans, Strong
from assay.report.document.wording import below_text, counted, interval_text, listed, number_word, value_text

METRIC = {"qwk": "QWK", "kappa": "kappa"}
QUESTION = "May it replace a rater?"
MOST_NAMED = 6
MOST_ALONE = 3
"""People who agree with nobody, with a caution each; the others are counted."""


def headline(panel: Panel) -> str:
    """The answer in a sentence or two."""
    lead, rest = verdict_sentences(panel)
    return f"{lead} {rest}".strip()


def verdict_sentences(panel: Panel) -> tuple[str, str]:
    """The answer, and what goes with it."""
    judged = panel.without or panel.replacement
    if not judged.judges:
        return "There is no judge in this table.", _people_sentence(judged)
    if all(judge.verdict is None for judge in judged.judges):
        reason = judged.judges[0].reason or "nothing to compare with"
        return "Whether a judge can replace a rater cannot be told from these ratings:", f"{reason}."
    lead = _can(judged.judges)
    if panel.without is None:
        return f"{_capital(lead)}.", _rest(judged.judges)
    names = listed([person.name for person in panel.replacement.unrelated], MOST_NAMED, "rater")
    verb = "agrees" if len(panel.replacement.unrelated) == 1 else "agree"
    opening = f"Without {names}, who {verb} with nobody, {lead}."
    return opening, f"{_rest(judged.judges)} With {names}, {_changes(panel)}.".strip()


def _capital(words: str) -> str:
    """A capital letter in front, unless a name stands there."""
    return words if words.split(" ")[1:2] in (["can"], ["cannot"], ["probably"]) else words[:1].upper() + words[1:]


def _changes(panel: Panel) -> str:
    """Which verdicts differ when everyone counts."""
    without = {judge.name: judge.verdict for judge in panel.without.judges} if panel.without else {}
    changed = [judge for judge in panel.replacement.judges if judge.verdict != without.get(judge.name)]
    if not changed:
        return "no verdict changes"
    if len(changed) <= 2:
        return listed([f"{judge.name} would be “{judge.verdict or 'n/a'}”" for judge in changed])
    total, accepted = len(panel.replacement.judges), [j for j in panel.replacement.judges if _is_met(j.verdict)]
    how_many = (
        f"all {number_word(total)}"
        if len(accepted) == total
        else f"{number_word(len(accepted))} of {number_word(total)}"
    )
    unsure = sum(judge.verdict != "met" for judge in accepted)
    return f"{how_many if accepted else 'none'} would pass" + (
        f", {number_word(unsure)} of them uncertain" if unsure else ""
    )


def _is_met(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.startswith("met")


def _can(judges: Sequence[JudgeReplacement]) -> str:
    names = [judge.name for judge in judges if judge.verdict == "met"]
    total = len(judges)
    if total == 1:
        verdict = judges[0].verdict
        sure = "," not in (verdict or "")
        ability = ("can" if sure else "can probably") if _is_met(verdict) else ("cannot" if sure else "probably cannot")
        return f"{judges[0].name} {ability} replace a rater on this task"
    if not names:
        return f"none of {number_word(total)} judges can be shown to replace a rater on this task"
    many, passed = number_word(total), number_word(len(names))
    which = f"all {many}" if len(names) == total else f"{passed} of {many}"
    return f"{which} judges can replace a rater on this task: {listed(names, MOST_NAMED, 'judge')}"


def _rest(judges: Sequence[JudgeReplacement]) -> str:
    if len(judges) == 1:
        return "More items would settle it." if judges[0].verdict and "," in judges[0].verdict else ""
    probably = [j.name for j in judges if j.verdict is not None and j.verdict.startswith("met,")]
    hardly = [j.name for j in judges if j.verdict is not None and j.verdict.startswith("not met,")]
    cannot = [j.name for j in judges if j.verdict == "not met"]
    parts = []
    if probably:
        parts.append(f"{listed(probably, MOST_NAMED, 'judge')} probably can; more items would settle it.")
    if hardly:
        parts.append(f"{listed(hardly, MOST_NAMED, 'judge')} probably cannot.")
    if cannot:
        parts.append(f"{listed(cannot, MOST_NAMED, 'judge')} cannot.")
    return " ".join(parts)


def _people_sentence(replacement: Replacement) -> str:
    if not replacement.ceiling.defined:
        return f"Agreement of people: n/a, {replacement.ceiling.reason}."
    return f"People agree with each other at {METRIC[replacement.metric]} {in_words(replacement.ceiling)}."


def in_words(estimate: Estimate) -> str:
    """A figure with its interval, in a sentence.

    >>> in_words(Estimate(0.854, 0.801, 0.88))
    '0.85 (0.80 to 0.88)'
    """
    interval = interval_text(estimate, PLAIN)
    return value_text(estimate, PLAIN) + (f" ({interval})" if interval else "")


def judge_words(panel: Panel) -> list[tuple[str, str]]:
    """Each judge in a line."""
    lines = []
    for judge in panel.replacement.judges:
        verdict = judge.verdict or f"n/a: {judge.reason}"
        lines.append((judge.name, f"{verdict}; {METRIC[panel.replacement.metric]} {in_words(judge.agreement)}"))
    return lines


def cautions(panel: Panel) -> tuple[Spans, ...]:
    """What must be known before the figures: who agrees with nobody, and what was left out."""
    notes: list[Spans] = []
    metric = METRIC[panel.replacement.metric]
    unrelated = panel.replacement.unrelated
    for person in unrelated[:MOST_ALONE]:
        spans: list[str | Strong] = [
            Strong(f"{person.name} agrees with nobody"),
            f" ({metric} {in_words(person.agreement)} with the other people, {counted(person.ratings, 'rating')}).",
        ]
        notes.append((*spans, " ", _ceilings(panel)) if len(unrelated) == 1 else tuple(spans))
    if len(unrelated) > 1:
        names = "They" if len(unrelated) <= MOST_ALONE else f"They and {len(unrelated) - MOST_ALONE:,} more"
        notes.append((f"{names} agree with nobody. {_ceilings(panel)}",))
    return (*notes, *panel.cautions)


def _ceilings(panel: Panel) -> str:
    """How well people agree with and without those who agree with nobody."""
    if panel.without is None:
        return "There are too few other people to leave anyone out."
    return (
        f"People’s agreement is {value_text(panel.replacement.ceiling, PLAIN)} with and "
        f"{value_text(panel.without.ceiling, PLAIN)} without; verdicts are shown both ways."
    )


def board(panel: Panel) -> Board:
    """One row a judge, best first; people above them."""
    shown = panel.without or panel.replacement
    metric = METRIC[shown.metric]
    epsilon = panel.plan.epsilon
    with_all = {judge.name: judge.verdict for judge in panel.replacement.judges}
    names = listed([person.name for person in panel.replacement.unrelated], 3, "rater")
    ranked = sorted(shown.judges, key=lambda j: (isnan(j.agreement.value), -(0 if isnan(j.agreement) else j.agreement)))
    rows = [_people_row(shown)] if shown.people else []
    rows += [_judge_row(panel, judge, with_all if panel.without else {}) for judge in ranked]
    ceiling = shown.ceiling
    band = Band(ceiling.low, ceiling.high) if ceiling.has_interval else None
    return Board(
        title=QUESTION,
        heads=(
            "Judge",
            f"Agreement with people, {metric} (95% CI)",
            "All on one axis; the band is people with each other",
            "Alt-test: raters it can stand in for",
            QUESTION if panel.without is None else f"{QUESTION} Without {names}",
        ),
        rows=tuple(rows),
        band=band,
        line=ceiling.value if ceiling.defined else None,
        line_label="people with each other",
        second_title=f"With {names}" if panel.without is not None else "",
        note=(
            "Circle: judge with people. Band and line: people with each other, with its 95% CI; diamonds: each person "
            "with the others. A judge passes if it can stand in for at least half of the raters (alternative annotator "
            f"test, winning rate 0.50, ε = {epsilon:g}); “uncertain” means that the interval includes 0.50."
        ),
    )


def _people_row(replacement: Replacement) -> BoardRow:
    dots = tuple(p.agreement.value for p in replacement.people if p.agreement.defined)
    return BoardRow(
        "People",
        counted(len(replacement.people), "rater"),
        replacement.ceiling,
        below="each diamond is one rater against the others" if len(dots) <= 60 else "",
        dots=dots if len(dots) <= 60 else (),
        remark="ceiling",
        mark="human",
    )


def _judge_row(panel: Panel, judge: JudgeReplacement, with_all: dict[str, Verdict | None]) -> BoardRow:
    test = judge.test
    rate = below_text(test.winning_rate, PLAIN).replace(" to ", "–")
    return BoardRow(
        judge.name,
        panel.families.get(judge.name, "") or counted(judge.items, "item"),
        judge.agreement,
        detail=f"{len(test.replaced)} of {len(test.raters)}" if test.raters else "n/a",
        below=f"rate {value_text(test.winning_rate, PLAIN)} ({rate})" if test.raters else test.reason,
        count=(len(test.replaced), len(test.raters)) if test.raters else None,
        verdict=judge.verdict,
        second=with_all.get(judge.name),
        remark="n/a" if judge.verdict is None else "",
    )
