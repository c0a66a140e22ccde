"""`Panel` -> `Document`."""

from assay.evaluation.raters.panel import Panel
from assay.evaluation.raters.replacement import Replacement
from assay.provenance import Provenance
from assay.report.document.document import Block, Disclosure, Document, Section
from assay.report.document.values import INTEGER, PERCENT, SIGNED, Table, columns_of
from assay.report.document.wording import counted, date_words, listed
from assay.report.panel.agreement import agreement_section
from assay.report.panel.data import data_section, methods_section
from assay.report.panel.errors import errors_section, items_section
from assay.report.panel.first_screen import METRIC, board, cautions, verdict_sentences
from assay.report.panel.models import model_section, preferences_section
from assay.report.panel.usable import labels_section, use_section

KIND_WORDS = {"number": "scores", "ordered": "ordered words", "category": "categories", "boolean": "yes or no"}


def panel_report(panel: Panel, *, source: str, provenance: Provenance) -> Document:
    """The whole report."""
    lead, rest = verdict_sentences(panel)
    design = panel.design
    people, judges = counted(len(design.people), "rater"), counted(len(design.judges), "judge")
    return Document(
        title=f"{source.split('.', maxsplit=1)[0] or 'Panel'}: {people} and {judges}",
        subtitle=subtitle(panel, provenance.created),
        verdict_lead=lead,
        verdict_rest=rest,
        cautions=cautions(panel),
        board=board(panel) if design.judges else None,
        sections=tuple(
            section
            for section in (
                agreement_section(panel),
                errors_section(panel),
                model_section(panel),
                preferences_section(panel),
                labels_section(panel),
                use_section(panel),
                items_section(panel),
                Section("Every figure of the test", _beside(panel)),
                data_section(panel, source=source),
                methods_section(panel, provenance),
            )
            if section is not None
        ),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def subtitle(panel: Panel, when: str) -> str:
    """How many of what, of which kind, when."""
    labels, design = panel.labels, panel.design
    words = f" ({', '.join(labels.levels[:8])}{', …' if len(labels.levels) > 8 else ''})" if labels.levels else ""
    criteria = f", {counted(len(design.criteria), 'criterion', 'criteria')}" if design.criteria else ""
    day = f" {date_words(when)}." if when else ""
    items, ratings = counted(design.items, "item"), counted(design.ratings, "rating")
    return f"{items}{criteria}, {ratings}; labels are {KIND_WORDS[labels.kind]}{words}.{day}"


def _beside(panel: Panel) -> tuple[Block, ...]:
    blocks: list[Block] = [judges_table(panel, panel.replacement, "judges", "with every rater")]
    if panel.without is not None:
        names = listed([person.name for person in panel.replacement.unrelated], 3, "rater")
        blocks.insert(0, judges_table(panel, panel.without, "judges_without", f"without {names}"))
    people = Table(
        "people",
        "Each person against the other people",
        columns_of("Rater", ("Ratings", INTEGER), ("Pairs", INTEGER), (METRIC[panel.replacement.metric], "estimate")),
        tuple((p.name, p.ratings, p.pairs, p.agreement) for p in panel.replacement.people),
    )
    if panel.replacement.people:
        blocks.append(people if len(people.rows) <= 12 else Disclosure("Each person against the others", (people,)))
    return tuple(blocks)


def judges_table(panel: Panel, replacement: Replacement, name: str, which: str) -> Table:
    """Every figure of question 1."""
    metric = METRIC[replacement.metric]
    heads = columns_of(
        "Judge",
        ("Items", INTEGER),
        (metric, "estimate"),
        (f"{metric} of people", "estimate"),
        ("Judge minus people", "estimate", SIGNED),
        (f"Not worse by more than {panel.plan.margin:g}", "verdict"),
        ("Winning rate", "estimate"),
        ("Advantage probability", "estimate"),
        ("Exact", "estimate", PERCENT),
    )
    rows = tuple(
        (
            j.name,
            j.items,
            j.agreement,
            j.ceiling,
            j.difference,
            j.non_inferior,
            j.test.winning_rate,
            j.test.advantage,
            j.exact,
        )
        for j in replacement.judges
    )
    return Table(name, f"Judges beside people on the same items, {which}", heads, rows)
