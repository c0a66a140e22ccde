"""Section 4 of an evaluation report: the same figures within each group, and whether errors depend on the group."""

from collections.abc import Mapping, Sequence
from math import isnan

from assay.evaluation.result import Evaluation, GroupFigures, Grouping
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow
from assay.report.document.document import Block, Disclosure, Paragraph, Section, Subheading
from assay.report.document.metric_words import METRIC_WORDS, shown, target, target_words, verdict
from assay.report.document.values import INTEGER, SIGNED, Column, Number, Row, Table, columns_of
from assay.report.document.wording import counted, listed, number_word, p_words, shortened
from assay.report.evaluation.facts import GroupShift, group_name, metric_columns, on_form, shifts
from assay.report.evaluation.verdict import groups_sentence

MOST_DRAWN = 25
"""So many groups are drawn; the tables have all of them."""

MOST_OPEN = 12
"""A table of more groups than this waits behind a disclosure."""

MODELS = (
    ("overall_accuracy", "Overall accuracy (OSA)", "the size of the errors"),
    ("overall_difference", "Overall difference (OSD)", "the direction of the errors"),
    ("conditional_difference", "Conditional difference (CSD)", "their direction at the same human score"),
)


def groups_section(evaluation: Evaluation) -> Section:
    """Section 4."""
    if not evaluation.groupings:
        no_groups = (
            "No groups were named. To see whether the system treats groups alike, name the columns that hold them."
        )
        return Section("Subgroups", (Paragraph(no_groups),))
    explained = (
        "A group is held against all responses. The difference of standardised means (DSM) says how much higher the "
        f"system places the group than raters do; it should lie {target_words('largest_dsm')} "
        "(Williamson et al. 2012, for standardised differences within subgroups). Intervals of QWK and DSM hold for "
        "all groups together, and DSM is shrunken: the smaller a group, the more of its difference may be chance."
    )
    several = len(evaluation.groupings) > 1
    blocks = (block for grouping in evaluation.groupings for block in _grouping(evaluation, grouping, heading=several))
    return Section("Subgroups", (Paragraph(explained), *blocks))


def _grouping(evaluation: Evaluation, grouping: Grouping, *, heading: bool) -> list[Block]:
    """One column: what to see, two charts, the table, the fairness analyses."""
    blocks: list[Block] = [Subheading(grouping.column)] if heading else []
    if len(grouping.groups) == 1:
        only = f"All responses belong to one group, {group_name(grouping.groups[0].name)}: there is nothing to compare."
        return [*blocks, Paragraph(f"{grouping.column}: {only}" if not heading else only)]
    visible = [group for group in grouping.groups if group.shown]
    blocks.append(Paragraph(_counts(grouping, visible, evaluation.plan.least_group)))
    if visible:
        drawn = shifts(evaluation, [grouping])
        table = _groups_table(evaluation, grouping)
        open_ = len(visible) <= MOST_OPEN
        blocks += [dsm_plot(grouping, drawn), _qwk_plot(grouping, drawn)]
        blocks.append(table if open_ else Disclosure(f"All {len(visible)} groups as a table", (table,)))
    return [*blocks, *_fairness_blocks(grouping)]


def _counts(grouping: Grouping, visible: Sequence[GroupFigures], least: int) -> str:
    hidden = [group for group in grouping.groups if not group.shown]
    groups = f"{grouping.column} has {counted(len(grouping.groups), 'group')}."
    if not hidden:
        return groups
    responses = counted(sum(group.n for group in hidden), "response")
    fewer = f"fewer than {least} responses each ({responses} in all)"
    if not visible:
        return f"{groups} All have {fewer}, too few to show."
    names = listed([shortened(group_name(group.name)) for group in hidden], 5, "group")
    if len(hidden) == 1:
        return f"{groups} {names} has {responses}, fewer than {least}: counted, but not shown."
    return f"{groups} {names} have {fewer}: counted, but not shown."


def _drawn(groups: Sequence[GroupShift]) -> tuple[Sequence[GroupShift], str]:
    """The groups to draw, and a note when they are not all."""
    if len(groups) <= MOST_DRAWN:
        return sorted(groups, key=lambda shift: -shift.group.n), ""
    note = f" Drawn are the {MOST_DRAWN} groups with the largest differences; the table has all {len(groups)}."
    return groups[:MOST_DRAWN], note


def dsm_plot(grouping: Grouping, groups: Sequence[GroupShift]) -> IntervalPlot:
    """How far each group is shifted."""
    drawn, note = _drawn(groups)
    says = groups_sentence(groups).replace(f" ({grouping.column})", "") or "No difference is defined for these groups."
    says += note
    return IntervalPlot(
        name=f"dsm_by_{grouping.column}",
        title=f"Difference by {grouping.column}",
        says=says,
        alt=f"{counted(len(drawn), 'group')} around zero, each with its interval. {says}",
        rows=tuple(IntervalRow(group_name(s.group.name), (shown("dsm", s.dsm),), s.group.n) for s in drawn),
        row_title=grouping.column,
        axis_title="DSM, system minus human, in standard deviations",
        number=SIGNED,
        band=target("largest_dsm"),
        zero=True,
    )


def _qwk_plot(grouping: Grouping, groups: Sequence[GroupShift]) -> IntervalPlot:
    """How well system and people agree within each group."""
    drawn, note = _drawn(groups)
    rows = tuple(IntervalRow(group_name(s.group.name), (shown("qwk", s.group.joint["qwk"]),), s.group.n) for s in drawn)
    says = _qwk_sentence([s.group for s in groups]) + note
    return IntervalPlot(
        name=f"qwk_by_{grouping.column}",
        title=f"Agreement by {grouping.column}",
        says=says,
        alt=f"{counted(len(drawn), 'group')}, each with its interval. {says}",
        rows=rows,
        row_title=grouping.column,
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )


def _qwk_sentence(groups: Sequence[GroupFigures]) -> str:
    verdicts = [verdict("qwk", group.joint["qwk"]) for group in groups]
    known = [v for v in verdicts if v is not None]
    undefined = len(verdicts) - len(known)
    tail = f" It is undefined for {counted(undefined, 'group')}." if undefined else ""
    if not known:
        return "QWK is undefined in every group."
    met = sum(v.startswith("met") for v in known)
    if not met:
        return f"QWK is below 0.70 in {'every group' if len(known) > 1 else 'the one group'}.{tail}"
    certain = known.count("met")
    if met < len(known):
        return f"QWK is at least 0.70 in {number_word(met)} of {number_word(len(known))} groups.{tail}"
    sure = "" if certain == met else f", certainly in {number_word(certain)} of {number_word(met)}"
    return f"QWK is at least 0.70 in {'every group' if met > 1 else 'the one group'}{sure}.{tail}"


def _groups_table(evaluation: Evaluation, grouping: Grouping) -> Table:
    """Every group that may be shown, with the verdict on its difference."""
    names = ("qwk", "exact_agreement", "smd", "dsm") if evaluation.plan.rounded else ("qwk", "smd", "dsm")
    columns = columns_of(
        grouping.column,
        ("Responses", INTEGER),
        *metric_columns(names),
        Column(f"DSM {target_words('largest_dsm')}", "verdict", name="verdict"),
    )
    rows: list[Row] = []
    for group in grouping.groups:
        if group.shown:
            figures = _figures(evaluation, group, names, group.joint)
            rows.append((group_name(group.name), group.n, *figures, verdict("largest_dsm", group.joint["dsm"])))
    caption = f"Agreement and difference by {grouping.column}"
    return Table(f"eval_short_by_{grouping.column}", caption, columns, tuple(rows))


def _figures(
    evaluation: Evaluation, group: GroupFigures, names: Sequence[str], joint: Mapping[str, Estimate] | None = None
) -> list[Estimate]:
    """The figures of a group, each with its own interval, or with the joint one where there is one."""
    own = {"dsm": group.system[evaluation.plan.trimmed].metrics["dsm"], **(joint or {})}
    by_form = {form: pair.metrics for form, pair in group.system.items()}
    return [shown(name, own[name] if name in own else on_form(evaluation, by_form, name)) for name in names]


def full_groups_table(evaluation: Evaluation, grouping: Grouping) -> Table:
    """Every figure of every group that may be shown, on the forms that decide."""
    names = [*(n for n, m in PAIR_METRICS.items() if evaluation.plan.rounded or not m.on_points), "dsm"]
    columns = columns_of(
        grouping.column,
        ("Responses", INTEGER),
        *((f"{who} {what}", "number") for who in ("Human", "System") for what in ("mean", "SD")),
        *metric_columns(names),
    )
    rows: list[Row] = []
    for group in grouping.groups:
        if group.shown:
            figures = group.system[evaluation.plan.trimmed]
            spread = (v for s in (figures.first, figures.second) for v in (s.mean, s.sd))
            rows.append((group_name(group.name), group.n, *spread, *_figures(evaluation, group, names)))
    return Table(f"eval_by_{grouping.column}", f"Every figure by {grouping.column}", columns, tuple(rows))


def _fairness_blocks(grouping: Grouping) -> list[Block]:
    """Whether the error depends on the group: in words, and as a table."""
    column = grouping.column
    models = [(title, what, getattr(grouping.fairness, name)) for name, title, what in MODELS]
    reasons = {model.reason for _, _, model in models}
    if reasons and all(reasons):
        return [Paragraph(f"Whether errors depend on {column} cannot be tested: {listed(sorted(reasons))}.")]
    rows: list[Row] = []
    explained = []
    for title, what, model in models:
        cells = (Estimate(reason=model.reason), None) if model.reason else (model.r2, p_words(model.p))
        rows.append((title, what, *cells))
        if not isnan(model.p) and model.p < 0.05 and model.r2 > 0:
            equals = "" if model.p < 0.001 else "= "
            explained.append(f"{what} ({100 * model.r2:.1f} %, p {equals}{p_words(model.p)})")
    says = f"{column} explains no more of the errors than chance would."
    if explained:
        says = f"{column} explains part of {listed(explained)}: more than chance would."
    share = Column("Share explained", "number", Number(1, percent=True), name="adjusted_r2")
    columns = (Column("Analysis"), Column("What the group may explain"), share, Column("p"))
    return [
        Paragraph(says),
        Table(f"fairness_metrics_by_{column}", f"How much of the errors {column} explains", columns, tuple(rows)),
        Paragraph(
            "Share explained: adjusted R² of a regression of the errors of the trimmed score on the group; p: its F "
            "test (Loukina, Madnani & Zechner 2019). A share below 0 means that nothing is explained.",
            quiet=True,
        ),
    ]


def coefficients_table(grouping: Grouping) -> Table:
    """How far each group's errors lie from the base group's, in each analysis."""
    columns = (Column("Analysis"), Column("Group"), Column("Difference", "estimate", SIGNED), Column("p"))
    hidden = {group.name for group in grouping.groups if not group.shown}
    rows = tuple(
        (title, c.name, Estimate(c.estimate, c.low, c.high), p_words(c.p))
        for name, title, _ in MODELS
        for c in getattr(grouping.fairness, name).coefficients
        if c.name not in hidden
    )
    base = group_name(grouping.fairness.base_group)
    caption = f"Errors by {grouping.column}, against {base}, the largest group"
    return Table(f"fairness_estimates_by_{grouping.column}", caption, columns, rows)


def raters_by_group_table(grouping: Grouping) -> Table | None:
    """Two raters within each group; None when nothing was read twice."""
    both = [(g, g.raters) for g in grouping.groups if g.shown and g.raters is not None and g.raters.n]
    if not both:
        return None
    names = [name for name in METRIC_WORDS if name in both[0][1].metrics]
    columns = (Column(grouping.column), Column("Responses", "number", INTEGER), *metric_columns(names))
    rows: tuple[Row, ...] = tuple(
        (group_name(g.name), pair.n, *(shown(n, pair.metrics[n]) for n in names)) for g, pair in both
    )
    return Table(f"consistency_by_{grouping.column}", f"Two raters, by {grouping.column}", columns, rows)
