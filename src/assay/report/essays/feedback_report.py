"""Feedback on an essay as a report for the student who wrote it."""

from collections import Counter
from collections.abc import Iterator
from math import isnan

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, Raising
from assay.essays.feedback.notes import FEWEST_JUDGED, Place
from assay.essays.models.scoring_model import EssayScore
from assay.provenance import Provenance
from assay.report.document import document as doc
from assay.report.document.values import Column, Strong, Table
from assay.report.document.wording import counted, date_words, listed, shortened
from assay.report.essays import words
from assay.report.essays.words import counts

FIRST_ADVICE = 4
MOST_QUOTES = 3
LONGEST_QUOTE = 110
ESSAY_LEAD = (
    "Numbers lead to the notes, and the words in a note lead back. The labels in the margin say what each part does;"
)


def essay_report(
    feedback: EssayFeedback,
    *,
    name: str,
    prompt: str = "",
    provenance: Provenance,
    score: EssayScore | None = None,
    raising: Raising | None = None,
) -> doc.Document:
    """What works, what would help most, the essay with its notes, where it stands, and how sure all this is."""
    shown = score if feedback.can_be_read else None
    lead, rest = verdict(feedback)
    read_by = "a model’s reading" if feedback.labeller == "model" else "read from place and cue words"
    essay = doc.AnnotatedEssay(
        title="Your essay",
        paragraphs=words.essay_paragraphs(feedback),
        notes=tuple(words.essay_note(note) for note in feedback.notes),
        counts=counts(feedback),
        prompt=shortened(prompt, 600),
    )
    sections = [
        doc.Section("What would help most", tuple(_advice_blocks(feedback))),
        doc.Section("Your essay", (doc.Paragraph(f"{ESSAY_LEAD} they are {read_by} and can be wrong."), essay)),
        *([doc.Section("Beside typical essays", tuple(_level_blocks(feedback)))] if feedback.can_be_read else []),
        doc.Section("How sure this is", tuple(_doubt_blocks(feedback, provenance))),
    ]
    if shown is not None:
        advice = doc.Paragraph(
            "A machine gave this score; it knows nothing of what is true. Let a person decide.", quiet=True
        )
        sections.insert(0, doc.Section("Score", (doc.Paragraph(words.score_words(shown)), advice)))
        if raising is not None and raising.raw is not None:
            worth = [(one, f"Worth about {one.gain:.2f} points.") for one in raising.advice]
            items = doc.AdviceList(tuple(doc.AdviceItem(one.title, points, notes=one.notes) for one, points in worth))
            blocks = (items, doc.Paragraph(words.raised_words(raising, shown), quiet=True))
            sections.insert(1, doc.Section("What would raise this score", blocks))
    if feedback.strengths:
        named = [(strength.name[0].upper() + strength.name[1:], strength.fact) for strength in feedback.strengths]
        works = doc.AdviceList(tuple(doc.AdviceItem(f"{name}.", fact) for name, fact in named), numbered=False)
        sections.insert(0, doc.Section("What works", (works,)))
    return doc.Document(
        title=f"Feedback on {name}",
        subtitle=size_words(feedback),
        verdict_lead=lead,
        verdict_rest=rest,
        sections=tuple(sections),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.created)}."
        f"{'' if shown and shown.scored else ' No score was given.'}",
    )


def size_words(feedback: EssayFeedback) -> str:
    """How long the essay is."""
    text = feedback.text
    sizes = {"word": feedback.words, "sentence": text.sentence_count, "paragraph": text.paragraph_count}
    return ", ".join(counted(size, name) for name, size in {**sizes, "note": len(feedback.notes)}.items())


def verdict(feedback: EssayFeedback) -> tuple[str, str]:
    """What works, and what to do first."""
    if not feedback.can_be_read:
        doubt = feedback.advisories[0]
        return f"{TITLES[doubt.name]}.", REMEDIES[doubt.name]
    lead = f"What works: {listed([s.name for s in feedback.strengths])}." if feedback.strengths else ""
    first = feedback.advice[0].title if feedback.advice else "nothing that we can see; ask a reader"
    return lead, f"What would help most: {first[0].lower()}{first[1:]}."


def _advice_blocks(feedback: EssayFeedback) -> Iterator[doc.Block]:
    for doubt in feedback.advisories:
        said = f"{TITLES[doubt.name]}: {doubt.evidence}. {REMEDIES[doubt.name]}"
        yield doc.Note(said, "caution")
    items = []
    for advice in feedback.advice:
        # a sentence is quoted where no note leads to it
        quoted = () if advice.notes else advice.places[:MOST_QUOTES]
        quotes = tuple(quote(feedback, place) for place in quoted)
        items.append(doc.AdviceItem(advice.title, advice.why, advice.do, advice.notes, quotes))
    if items:
        yield doc.AdviceList(tuple(items[:FIRST_ADVICE]))
    elif feedback.can_be_read:
        yield doc.Paragraph("Nothing was found to mend. A reader may still see what a machine cannot: ask one.")
    if items[FIRST_ADVICE:]:
        more = doc.AdviceList(tuple(items[FIRST_ADVICE:]), first=FIRST_ADVICE + 1)
        yield doc.Disclosure(f"{counted(len(more.items), 'smaller thing')}", (more,))


def quote(feedback: EssayFeedback, place: Place) -> str:
    """The words at a place on one line, not too long."""
    return shortened(" ".join(feedback.text.raw[slice(*place)].split()), LONGEST_QUOTE)


def _level_blocks(feedback: EssayFeedback) -> Iterator[doc.Block]:
    columns = (Column("Feature"), Column("Yours"), Column("Typical"), Column("Where it stands"))
    rows = tuple(
        (
            words.NAMES[s.feature],
            "n/a" if s.undefined else words.written(s.feature, s.value),
            "" if isnan(s.typical) else words.written(s.feature, s.typical),
            words.where_it_stands(s),
        )
        for s in feedback.levels
    )
    yield doc.Paragraph("Typical is no goal: it tells where there is most room. It depends on age and task.")
    yield Table("features", "Features of the essay", columns, rows)
    yield doc.Paragraph(f"{feedback.source} Vocabulary index: lower means rarer words.", quiet=True)


def _doubt_blocks(feedback: EssayFeedback, provenance: Provenance) -> Iterator[doc.Block]:
    yield doc.Paragraph(
        "A machine made these notes. If one seems wrong to you, it may be: keep what you wrote and ask a person. "
        "Advice is ordered by what a change would count for: the weight of a feature, times the change, divided by "
        "how much typical essays differ in it."
    )
    if feedback.notes:
        yield _precision_table(feedback)
    labelled = (
        "Discourse labels come from a model trained on labelled student essays; a question mark means that it was "
        "less than 60 % sure."
        if feedback.labeller == "model"
        else "Discourse labels come from rules of place and cue words; they know nothing of what a sentence means."
    )
    yield doc.Paragraph(labelled)
    unchecked = [f"“{TITLES[name]}” ({reason})" for name, reason in feedback.unchecked.items()]
    if unchecked:
        yield doc.Paragraph(f"Not looked for: {listed(unchecked)}.")
    inputs = "; ".join(f"{file} (SHA-256 {digest[:12]}…)" for file, digest in provenance.inputs.items())
    yield doc.Paragraph(
        (Strong("Made from "), inputs or "standard input", f" by Assay {provenance.version}."), quiet=True
    )


def _precision_table(feedback: EssayFeedback) -> Table:
    """Of each type in the essay, how many findings on other essays were right."""
    counts = Counter(note.type for note in feedback.notes)
    rows = []
    for name, kind in CATALOGUE.items():
        if name in counts:
            share = f"{kind.right} of {kind.judged} ({kind.precision:.0%})".replace("%", "\u00a0%")
            known = share if kind.judged >= FEWEST_JUDGED else "not measured yet"
            rows.append((kind.title, kind.category, str(counts[name]), known))
    columns = (Column("Kind of note"), Column("Category"), Column("Here"), Column("Right when read by hand"))
    return Table("precision", "How often such notes are right on student essays", columns, tuple(rows))
