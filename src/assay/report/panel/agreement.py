"""Who agrees with whom: the matrix of raters, figures of many raters, ranks of judges."""

from math import isnan, nan

from assay.evaluation.raters.agreement import TITLES, RaterAgreement
from assay.evaluation.raters.pair_matrix import PairMatrix
from assay.evaluation.raters.panel import Panel
from assay.report.charts.feature_charts import ValueMap
from assay.report.document.document import Block, Note, Paragraph, Section
from assay.report.document.values import INTEGER, PLAIN, Table, columns_of
from assay.report.document.wording import counted, listed, number_text
from assay.report.panel.first_screen import METRIC

MOST_SHOWN = 24


def agreement_section(panel: Panel) -> Section:
    """Question 2."""
    agreement = panel.agreement
    blocks: list[Block] = [Paragraph(_opening(agreement.matrix))]
    if panel.without is not None:
        names = listed([person.name for person in panel.replacement.unrelated])
        blocks.append(Note(f"Figures from this section on are with every rater, {names} among them."))
    if len(agreement.matrix.raters) > 1:
        blocks.append(matrix_chart(agreement.matrix))
    if agreement.reliability:
        blocks.append(reliability_table(agreement))
    if len(agreement.ranks) > 1:
        blocks += [Paragraph(_ranks(agreement)), ranks_table(agreement)]
    return Section("Who agrees with whom", tuple(blocks))


def _mean(values: list[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else nan


def _opening(matrix: PairMatrix) -> str:
    """How the three kinds of pair compare, and who stands out."""
    size = range(len(matrix.raters))
    kinds: dict[tuple[bool, bool], list[float]] = {}
    for a in size:
        for b in size:
            if a < b:
                kinds.setdefault((matrix.judges[a], matrix.judges[b]), []).append(matrix.agreement[a][b])
    metric = METRIC[matrix.metric]
    words = {(False, False): "two people", (False, True): "a person and a judge", (True, True): "two judges"}
    parts = [
        f"{number_text(_mean(values), PLAIN)} for {words[kind]}"
        for kind, values in kinds.items()
        if not isnan(_mean(values))
    ]
    if not parts:
        return "No two raters share enough items to be compared."
    means = {matrix.raters[a]: _mean([matrix.agreement[a][b] for b in size if b != a]) for a in size}
    lowest = min((name for name in means if not isnan(means[name])), key=lambda name: means[name])
    least = f"{lowest} agrees least with the others ({number_text(means[lowest], PLAIN)} on average)."
    return f"Mean {metric} of pairs: {listed(parts)}. {least}"


def matrix_chart(matrix: PairMatrix) -> ValueMap:
    """Every pair of raters, people first."""
    shown = range(min(len(matrix.raters), MOST_SHOWN))
    names = tuple(matrix.raters[i] for i in shown)
    metric = METRIC[matrix.metric]
    hidden = matrix.left_out + len(matrix.raters) - len(names)
    more = f" {counted(hidden, 'more rater')} in tables/matrix.csv." if hidden else ""
    people = sum(not judge for judge in matrix.judges)
    return ValueMap(
        name="matrix",
        title=f"{metric} of each pair of raters",
        says=f"{counted(people, 'person', 'people')} first, then judges. A dot: fewer than 10 items in common.{more}",
        alt=f"Grid of {metric} for {len(names)} raters",
        rows=tuple(f"{number} {name}" for number, name in enumerate(names, 1)),
        columns=tuple(str(number) for number in range(1, len(names) + 1)),
        compact=True,
        values=tuple(tuple(matrix.agreement[a][b] for b in shown) for a in shown),
        row_title="Rater",
        column_title="Rater",
        value_title=metric,
        most=1.0,
        number=PLAIN,
    )


def reliability_table(agreement: RaterAgreement) -> Table:
    """A row per figure, a column for people, judges and all."""
    names = list(dict.fromkeys(name for one in agreement.reliability for name in one.figures))
    heads = columns_of(
        "Figure", *((f"{one.who[:1].upper()}{one.who[1:]} ({one.raters})", "estimate") for one in agreement.reliability)
    )
    rows = tuple((TITLES[name], *(one.figures.get(name) for one in agreement.reliability)) for name in names)
    return Table("reliability", "Agreement of many raters; intervals allow for items and raters", heads, rows)


def _ranks(agreement: RaterAgreement) -> str:
    sure = [rank.judge for rank in agreement.ranks if rank.best == rank.worst]
    if not sure:
        return "No judge’s rank is settled: differences between neighbors may be chance."
    return f"The rank of {listed(sure)} is settled; the others share theirs with neighbors."


def ranks_table(agreement: RaterAgreement) -> Table:
    """Judges by agreement with people, with the ranks that hold together."""
    heads = columns_of("Judge", ("Agreement with people", "estimate"), ("Best rank", INTEGER), ("Worst rank", INTEGER))
    rows = tuple((rank.judge, rank.agreement, rank.best, rank.worst) for rank in agreement.ranks)
    return Table("ranks", "Ranks that hold for all judges together (95%)", heads, rows)
