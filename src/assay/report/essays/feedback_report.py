"""Feedback on an essay as a report for the student who wrote it."""

from collections import Counter
from collections.abc import Iterator
from math import isnan

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.advice import AimExample
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, Raising
from assay.essays.feedback.notes import FEWEST_JUDGED, Place
from assay.essays.models.scoring_model import EssayScore
from assay.provenance import Provenance
from assay.report.document import document as doc
from assay.report.document.values import Column, Strong, Table
from assay.report.document.wording import counted, date_words, listed, shortened
from assay.report.essays import words
from assay.report.essays.words import LONGEST_QUOTE, Revision, counts, quoted_example

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
    revision: Revision | None = None,
) -> doc.Document:
    """What works, what to work on, the score, the essay with its notes, how it measures, and how sure all this is."""
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
        *([doc.Section("What works", (_strength_list(feedback),))] if feedback.strengths else []),
        doc.Section("What to work on", tuple(_advice_blocks(feedback))),
        *([doc.Section("Since the last draft", tuple(_revision_blocks(revision, shown)))] if revision else []),
        *([doc.Section("Score", tuple(_score_blocks(shown, raising)))] if shown is not None else []),
        doc.Section("Your essay", (doc.Paragraph(f"{ESSAY_LEAD} they are {read_by} and can be wrong."), essay)),
        *([doc.Section("Beside typical essays", (_levels(feedback),))] if feedback.can_be_read else []),
        doc.Section("How sure this is", tuple(_doubt_blocks(feedback, provenance))),
    ]
    return doc.Document(
        title=f"Feedback on {name}",
        subtitle=size_words(feedback),
        verdict_lead=lead,
        verdict_rest=rest,
        sections=tuple(sections),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.created)}."
        f"{'' if shown and shown.scored else ' No score was given.'}",
    )


def _revision_blocks(revision: Revision, score: EssayScore | None) -> Iterator[doc.Block]:
    for line in words.revision_lines(revision, score):
        yield doc.Paragraph(line)
    changes = revision.changes
    kinds = (("Resolved", changes.resolved), ("Still there", changes.remaining), ("New", changes.introduced))
    rows = tuple(
        (what, error.title, shortened(" ".join(error.words.split()), LONGEST_QUOTE), str(error.number))
        for what, errors in kinds
        for error in errors
    )
    if rows:
        columns = (Column("What"), Column("Kind of error"), Column("Words"), Column("Note"))
        table = Table("revision", "Errors of both drafts", columns, rows)
        yield doc.Disclosure(f"{counted(len(rows), 'error')}, one by one", (table,))


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
    if not feedback.advice:
        return lead, "Nothing was found to work on; ask a reader."
    first = feedback.advice[0].title
    return lead, f"Work on this first: {first[0].lower()}{first[1:]}{'' if first.endswith('?') else '.'}"


def _strength_list(feedback: EssayFeedback) -> doc.AdviceList:
    items = []
    for strength in feedback.strengths:
        name = f"{strength.name[0].upper()}{strength.name[1:]}."
        example = (
            quoted_example(feedback, AimExample(strength.places[0], strength.places[0])) if strength.places else None
        )
        items.append(doc.AdviceItem(name, strength.fact, example=example))
    return doc.AdviceList(tuple(items), numbered=False)


def _score_blocks(score: EssayScore, raising: Raising | None) -> Iterator[doc.Block]:
    yield doc.Paragraph(words.score_words(score))
    if raising is not None and raising.raw is not None:
        yield doc.Paragraph(words.raised_words(raising, score))
    yield doc.Paragraph("A machine gave this score; it knows nothing of what is true. Let a person decide.", quiet=True)


def _advice_blocks(feedback: EssayFeedback) -> Iterator[doc.Block]:
    for doubt in feedback.advisories:
        said = f"{TITLES[doubt.name]}: {doubt.evidence}. {REMEDIES[doubt.name]}"
        yield doc.Note(said, "caution")
    items = []
    for advice in feedback.advice:
        example = quoted_example(feedback, advice.example) if advice.example else None
        items.append(doc.AdviceItem(advice.title, advice.why, advice.do, advice.notes, example=example))
    if items:
        yield doc.AdviceList(tuple(items))
    elif feedback.can_be_read:
        yield doc.Paragraph("Nothing was found to mend. A reader may still see what a machine cannot: ask one.")


def quote(feedback: EssayFeedback, place: Place) -> str:
    """The words at a place on one line, not too long."""
    return shortened(" ".join(feedback.text.raw[slice(*place)].split()), LONGEST_QUOTE)


def _levels(feedback: EssayFeedback) -> doc.Disclosure:
    return doc.Disclosure("How the essay measures beside typical ones", tuple(_level_blocks(feedback)))


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
        "What to work on is ordered as a reader meets it: first errors that make the essay hard to read, then what it "
        "says, then polish."
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
