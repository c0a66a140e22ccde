"""What was read, what was left out and why, and how every figure was made."""

from assay.evaluation.raters.alternative_test import SIGNIFICANCE
from assay.evaluation.raters.panel import Panel
from assay.evaluation.raters.replacement import ALT_TEST
from assay.provenance import Provenance
from assay.report.document.document import Block, Paragraph, Section
from assay.report.document.values import INTEGER, Code, Strong, Table, columns_of
from assay.report.document.wording import counted, date_words, listed

REASON_WORDS = {
    "no label": "the cell is empty",
    "not a number": "the label is a word among numbers",
    "not on the scale": "outside the declared scale",
    "not one of the levels": "a word that is not on the declared scale",
    "same item and rater again": "the first one is used",
    "rater excluded": "as asked",
    "no item or no rater": "the row does not say who rated what",
}


def data_section(panel: Panel, *, source: str) -> Section:
    """How many ratings were read and used."""
    exclusions, design = panel.exclusions, panel.design
    left_out = sum(exclusions.left_out.values())
    total = f"{counted(exclusions.read, 'rating')} {'was' if exclusions.read == 1 else 'were'} read from "
    used = f"{exclusions.used:,} are used, {left_out:,} are left out." if left_out else "all are used."
    blocks: list[Block] = [Paragraph((total, Code(source or "the table"), "; ", Strong(used)))]
    rows = [("Read", exclusions.read, "")]
    rows += [
        (reason[:1].upper() + reason[1:], -count, REASON_WORDS.get(reason, ""))
        for reason, count in exclusions.left_out.items()
    ]
    blocks.append(
        Table(
            "exclusions",
            "Ratings read, left out and used",
            columns_of("Step", ("Ratings", INTEGER), "Reason"),
            tuple(rows),
            (("Used", exclusions.used, ""),),
        )
    )
    unit = "item" if not design.criteria else "criterion of an item"
    parts = [
        f"{count:,} {'has' if count == 1 else 'have'} {number or 'no'}"
        for number, count in design.items_by_people.items()
    ]
    if parts:
        plural = "items" if not design.criteria else "criteria of items"
        blocks.append(Paragraph(f"Human ratings per {unit}: of all {plural}, {listed(parts)}."))
    blocks += [Paragraph(notice, quiet=True) for notice in panel.notices]
    return Section("Data and exclusions", tuple(blocks))


def methods_section(panel: Panel, provenance: Provenance) -> Section:
    """How every figure was made, and by what."""
    plan, metric = panel.plan, panel.replacement.metric
    name = "Quadratic weighted kappa" if metric == "qwk" else "Cohen’s kappa"
    scoring = {"accuracy": "share of matches with", "neg_rmse": "root mean squared distance from"}
    way = scoring[plan.scoring_for(panel.labels)]
    facts = [
        (
            "Agreement",
            f"{name} over all pairs of ratings of the same item. The ceiling pairs each person with the other people "
            "on the item and leaves out their own rating.",
        ),
        (
            "Intervals",
            "95%, by the jackknife over items and over people; the noise that both hold is taken off once. With fewer "
            "than three people they allow for items only. The winning rate resamples items.",
        ),
        (
            "Alternative annotator test",
            f"{ALT_TEST}: {way} the other people, ε = {plan.epsilon:g}, Benjamini–Yekutieli at {SIGNIFICANCE:g}, "
            f"people with {plan.least_items} items or more. A judge passes at a winning rate of 0.5.",
        ),
        ("Verdict", "Met or not met by the estimate; uncertain if the interval includes the threshold."),
        (
            "Agrees with nobody",
            "A person whose agreement with the others has an interval that includes or lies below 0, and lies below "
            "the agreement of the others.",
        ),
        (
            "Limits",
            "Nothing here says that people are right, only whether a judge is exchangeable with one of them on items "
            "like these.",
        ),
    ]
    if provenance.command:
        facts.append(("Command", provenance.command))
    facts += [(f"Input {file}", f"SHA-256 {digest}") for file, digest in provenance.inputs.items()]
    facts.append(("Software", f"Assay {provenance.version}, seed {provenance.seed}, {date_words(provenance.created)}"))
    table = Table("methods", "How every figure was made", columns_of("What", "How"), tuple(facts))
    return Section("Methods and provenance", (table,))
