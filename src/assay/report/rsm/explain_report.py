"""`Explanation` -> `Document`: the report of `assay rsm explain`."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assay.report.document.document import Block, Disclosure, Document, Note, Paragraph, Section, Subheading
from assay.report.document.values import INTEGER, SIGNED, Code, Column, FormattedEstimate, Number, Row, Table
from assay.report.document.wording import counted, date_words, listed, number_text, number_word
from assay.report.evaluation.reading import FOOTER, NO_SECTIONS, chosen_sections, files_sections
from assay.report.rsm.explain_charts import ExplainPages, charts_section, responses_section
from assay.report.rsm.summary_report import made_section
from assay.rsm.explain import Cohort

FEW_BACKGROUND = 300
"""RSMTool asks for so many background responses."""
MOST_IDS = 100

METHODS = {
    "linear": "The model is linear, so the shares are exact: coefficient times the distance from the background mean.",
    "trees": "The model is a sum of trees, so the shares are exact: all orders of adding features are accounted for.",
    "sampled": "The shares are estimated from random orders of adding features; each has a standard error.",
}


def explain_report(
    pages: ExplainPages,
    *,
    title: str,
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
    own: Mapping[str, Section] = NO_SECTIONS,
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names."""
    makers: Mapping[str, Callable[[], tuple[Section, ...]]] = {
        "data_description": lambda: (data_section(pages),),
        "shap_values": lambda: (values_section(pages),),
        "shap_plots": lambda: (charts_section(pages), responses_section(pages), *_cohorts(pages)),
        "sysinfo": lambda: (*files_sections(pages.files), made_section(pages.provenance)),
    }
    explanation = pages.explanation
    ranked, size = explanation.ranked(), explanation.mean_size
    first = explanation.features[ranked[0]]
    lead = f"{first} moves scores most: by {size[ranked[0]]:.2f} points on average."
    if len(explanation) == 1:
        share = number_text(float(explanation.values[0, ranked[0]]), SIGNED)
        lead = f"{first} moves the score most: by {share} points."
    count = int(np.searchsorted(np.cumsum(size[ranked]) / (size.sum() or 1.0), 0.8)) + 1
    names = listed([explanation.features[i] for i in ranked[:count]], 4, "feature")
    unused = [explanation.features[i] for i in ranked if size[i] == 0]
    rest = f" {listed(unused, 4, 'feature')} {'plays' if len(unused) == 1 else 'play'} no part." if unused else ""
    explained = f"{counted(len(explanation), 'response')} explained"
    return Document(
        title=title,
        subtitle=f"{pages.model}, {explained}. {date_words(pages.provenance.created)}.",
        verdict_lead=lead,
        verdict_rest=f"{names} make up four fifths of all shares.{rest}" if count > 1 else rest.strip(),
        sections=chosen_sections(makers, sections, order, own),
        footer=FOOTER.format(pages.provenance.version),
    )


def data_section(pages: ExplainPages) -> Section:
    """Which responses were explained, against which background, how."""
    explanation = pages.explanation
    blocks: list[Block] = [
        Paragraph(
            f"{counted(len(explanation), 'response')} explained against "
            f"{counted(pages.background, 'background response')}, whose mean raw score is {explanation.base:.2f}."
        ),
        Paragraph(METHODS[explanation.method]),
        Paragraph(
            "A share says how many points of the raw score (before scaling and trimming) a feature adds or takes away, "
            "beside a typical background response. Mean score of the background and all shares of a response add up "
            "to its score."
        ),
    ]
    if pages.summarised:
        blocks.append(
            Paragraph(f"The background is summarised by {explanation.backgrounds} cluster centres, as asked.")
        )
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
    if len(explanation) <= MOST_IDS:
        ids = tuple(str(identity) for identity in explanation.ids)
        blocks.append(Disclosure("Which responses", (Paragraph((Code(", ".join(ids)),)),)))
    return Section("What was explained", tuple(blocks))


def values_section(pages: ExplainPages) -> Section:
    """Mean, largest and smallest absolute share of each feature."""
    explanation = pages.explanation
    size = np.abs(explanation.values)
    columns = [
        Column("Feature"),
        *(Column(title, "number", Number(3)) for title in ("Mean size", "Largest", "Smallest")),
        Column("Share of all", "number", Number(1, percent=True)),
    ]
    columns += [Column("Standard error, mean", "number", Number(3))] if explanation.errors is not None else []
    whole = float(explanation.mean_size.sum()) or 1.0
    rows = []
    for i in explanation.ranked():
        mean = float(size[:, i].mean())
        error = () if explanation.errors is None else (float(explanation.errors[:, i].mean()),)
        row = (explanation.features[i], mean, float(size[:, i].max()), float(size[:, i].min()), mean / whole, *error)
        rows.append(row)
    table = Table("absolute_shares", "Size of the shares, in points of the raw score", tuple(columns), tuple(rows))
    zero = [name for name, mean in zip(explanation.features, explanation.mean_size, strict=True) if mean == 0]
    words = f"{listed(zero, 6, 'feature')} played no part in these scores."
    return Section("Shares by feature", (table, *((Paragraph(words),) if zero else ())))


def _cohorts(pages: ExplainPages) -> tuple[Section, ...]:
    sets = [cohorts for cohorts in pages.cohorts if len(cohorts) > 1]
    if not sets:
        return ()
    blocks: list[Block] = [
        Paragraph(
            "Responses split by feature values (prepared) so that shares within each group are as alike as can be."
        )
    ]
    for cohorts in sets:
        blocks += [Subheading(f"{number_word(len(cohorts)).capitalize()} groups"), cohort_table(pages, cohorts)]
    return (Section("Groups that are scored alike", tuple(blocks)),)


def cohort_table(pages: ExplainPages, cohorts: Sequence[Cohort]) -> Table:
    """Mean absolute share of each feature in each group."""
    columns = (Column("Feature"), *(Column(part.rule, "number", Number(3)) for part in cohorts))
    rows: tuple[Row, ...] = tuple(
        (pages.explanation.features[i], *(float(part.mean_size[i]) for part in cohorts))
        for i in pages.explanation.ranked()[: pages.most]
    )
    count: Row = ("Responses", *(FormattedEstimate(part.n, number=INTEGER) for part in cohorts))
    return Table(f"cohorts_{len(cohorts)}", "Mean size of the shares in each group", columns, (count, *rows))
