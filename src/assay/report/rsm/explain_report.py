"""`Explanation` -> `Document`: the report of `assay rsm explain`."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assay.report.document.document import (
    INTEGER,
    Block,
    Code,
    Column,
    Disclosure,
    Document,
    Note,
    Paragraph,
    Row,
    Section,
    Subheading,
    Table,
)
from assay.report.document.phrases import counted, date_words, listed, number_word
from assay.report.document.values import SIGNED, Estimate, Number
from assay.report.document.wording import number_text
from assay.report.rsm.explain_charts import ExplainPages, charts_section, responses_section
from assay.report.rsm.files import files_section
from assay.report.rsm.sections import section_names
from assay.report.rsm.summary_report import made_section
from assay.rsm.explain.cohorts import Cohort
from assay.rsm.explain.explanation import Explanation

FEW_BACKGROUND = 300
"""RSMTool asks for so many background responses."""
MOST_IDS = 100
THREE = Number(3)

METHODS = {
    "linear": "The model is linear, so the shares are exact: coefficient times the distance from the background mean.",
    "trees": "The model is a sum of trees, so the shares are exact: all orders of adding features are accounted for.",
    "sampled": "The shares are estimated from random orders of adding features; each has a standard error.",
}


def explain_report(
    pages: ExplainPages, *, title: str, sections: Sequence[str] = ("all",), order: Sequence[str] = ()
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names."""
    makers: Mapping[str, Callable[[], tuple[Section, ...]]] = {
        "data_description": lambda: (data_section(pages),),
        "shap_values": lambda: (values_section(pages),),
        "shap_plots": lambda: (charts_section(pages), responses_section(pages), *_cohorts(pages)),
        "sysinfo": lambda: (files_section(pages.files), made_section(pages.provenance)),
    }
    found = pages.explanation
    return Document(
        title=title,
        subtitle=f"{pages.model}, {counted(len(found), 'response')} explained. {date_words(pages.provenance.made)}.",
        verdict_lead=_lead(found),
        verdict_rest=_rest(found),
        sections=tuple(s for name in section_names(makers, sections, order) for s in makers[name]()),
        footer=f"Made by Assay {pages.provenance.version}. It opens without a network and holds no scripts.",
    )


def _lead(found: Explanation) -> str:
    first = found.ranked()[0]
    name, size = found.features[first], found.mean_size[first]
    if len(found) == 1:
        share = number_text(float(found.values[0, first]), SIGNED)
        return f"{name} moves the score most: by {share} points."
    return f"{name} moves scores most: by {size:.2f} points on average."


def _rest(found: Explanation) -> str:
    ranked = found.ranked()
    whole = found.mean_size.sum() or 1.0
    count = int(np.searchsorted(np.cumsum(found.mean_size[ranked]) / whole, 0.8)) + 1
    names = listed([found.features[i] for i in ranked[:count]], 4, "feature")
    unused = [found.features[i] for i in ranked if found.mean_size[i] == 0]
    rest = f" {listed(unused, 4, 'feature')} {'plays' if len(unused) == 1 else 'play'} no part." if unused else ""
    return f"{names} make up four fifths of all shares.{rest}" if count > 1 else rest.strip()


def data_section(pages: ExplainPages) -> Section:
    """Which responses were explained, against which background, how."""
    found = pages.explanation
    blocks: list[Block] = [
        Paragraph(
            f"{counted(len(found), 'response')} explained against {counted(pages.background, 'background response')}, "
            f"whose mean raw score is {found.base:.2f}."
        ),
        Paragraph(METHODS[found.method]),
        Paragraph(
            "A share says how many points of the raw score (before scaling and trimming) a feature adds or takes away, "
            "beside a typical background response. Mean score of the background and all shares of a response add up "
            "to its score."
        ),
    ]
    if pages.summarised:
        blocks.append(Paragraph(f"The background is summarised by {found.backgrounds} cluster centres, as asked."))
    if pages.left_out:
        blocks.append(Note(f"{counted(pages.left_out, 'response')} lacked a feature and could not be explained."))
    if pages.background < FEW_BACKGROUND:
        blocks.append(
            Note(
                f"{counted(pages.background, 'background response')} may not be typical: shares mean no more than what "
                f"they are compared with. RSMTool asks for {FEW_BACKGROUND}.",
                "caution",
            )
        )
    if len(found) <= MOST_IDS:
        ids = tuple(str(identity) for identity in found.ids)
        blocks.append(Disclosure("Which responses", (Paragraph((Code(", ".join(ids)),)),)))
    return Section("What was explained", tuple(blocks))


def values_section(pages: ExplainPages) -> Section:
    """Mean, largest and smallest absolute share of each feature."""
    found = pages.explanation
    size = np.abs(found.values)
    columns = [
        Column("Feature"),
        Column("Mean size", "number", THREE),
        Column("Largest", "number", THREE),
        Column("Smallest", "number", THREE),
        Column("Share of all", "number", Number(1, percent=True)),
    ]
    columns += [Column("Standard error, mean", "number", THREE)] if found.errors is not None else []
    whole = float(found.mean_size.sum()) or 1.0
    rows = []
    for i in found.ranked():
        mean = float(size[:, i].mean())
        error = () if found.errors is None else (float(found.errors[:, i].mean()),)
        row = (found.features[i], mean, float(size[:, i].max()), float(size[:, i].min()), mean / whole, *error)
        rows.append(row)
    table = Table("absolute_shares", "Size of the shares, in points of the raw score", tuple(columns), tuple(rows))
    zero = [name for name, mean in zip(found.features, found.mean_size, strict=True) if mean == 0]
    words = f"{listed(zero, 6, 'feature')} played no part in these scores." if zero else ""
    return Section("Shares by feature", (table, *((Paragraph(words),) if words else ())))


def _cohorts(pages: ExplainPages) -> tuple[Section, ...]:
    sets = [found for found in pages.cohorts if len(found) > 1]
    if not sets:
        return ()
    blocks: list[Block] = [
        Paragraph(
            "Responses split by feature values (prepared) so that shares within each group are as alike as can be."
        )
    ]
    for found in sets:
        blocks += [Subheading(f"{number_word(len(found)).capitalize()} groups"), cohort_table(pages, found)]
    return (Section("Groups that are scored alike", tuple(blocks)),)


def cohort_table(pages: ExplainPages, found: Sequence[Cohort]) -> Table:
    """Mean absolute share of each feature in each group."""
    columns = (Column("Feature"), *(Column(part.rule, "number", THREE) for part in found))
    rows: tuple[Row, ...] = tuple(
        (pages.explanation.features[i], *(float(part.mean_size[i]) for part in found))
        for i in pages.explanation.ranked()[: pages.most]
    )
    count: Row = ("Responses", *(Estimate(part.n, number=INTEGER) for part in found))
    return Table(f"cohorts_{len(found)}", "Mean size of the shares in each group", columns, (count, *rows))
