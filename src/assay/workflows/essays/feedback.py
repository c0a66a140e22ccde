"""`feedback`: an essay -> what works, what would help most and where, its score, and what would raise it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from assay.errors import Field, InputError
from assay.essays.features.features import analyse_all, features_of
from assay.essays.feedback.advice import Advice
from assay.essays.feedback.advisories import WORD
from assay.essays.feedback.drafts import DraftChanges, compare_drafts
from assay.essays.feedback.feedback import EssayFeedback, Raising, essay_feedback, first_advice, what_would_raise
from assay.essays.feedback.levels import USUAL, Level, level_named
from assay.essays.feedback.notes import Labeller, OutlinePart, WritingNote
from assay.essays.feedback.preferences import CoursePreferences, Dismissed
from assay.essays.feedback.strengths import Strength
from assay.essays.models.scoring_model import EssayScore, ScoringModel, score_essay
from assay.essays.text.text import Essay
from assay.execution.limits import check
from assay.execution.observer import SILENT, Observer
from assay.io.essays.documents import read_essay_text
from assay.io.essays.preferences_file import read_preferences, write_preferences
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model
from assay.io.results.feedback_json import feedback_content, revision_content
from assay.io.tables.output import write_whole
from assay.provenance import Provenance
from assay.report.essays.feedback_report import essay_report, size_words
from assay.report.essays.words import Revision
from assay.workflows.arguments import check_arguments
from assay.workflows.essays.essay_inputs import ModelLike, made_now, model_input, say_data, with_asked_consequences
from assay.workflows.results import Result

if TYPE_CHECKING:
    import polars as pl

    from assay.report.document.document import Document

TextLike: TypeAlias = str | PathLike[str]
"""A text itself, or the path of a file that holds it; the path `-` is standard input."""

FEWEST_ASKED = 8
"""Words from which a prompt is a question that could be copied, and no mere name."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class FeedbackResult(Result):
    """What a writer is told about one essay."""

    feedback: EssayFeedback
    score: EssayScore | None
    """By the model; None where there is none."""
    raising: Raising
    """What meeting the aims would do to the score, by the model itself."""
    name: str
    prompt: str
    """The wording of the question; empty where it is not known."""
    provenance: Provenance
    revision: Revision | None = None
    """What became of an earlier draft; None where there is none."""

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What to work on, first things first; at most three aims."""
        return self.feedback.advice

    @property
    def strengths(self) -> tuple[Strength, ...]:
        """What already works."""
        return self.feedback.strengths

    @property
    def errors(self) -> tuple[WritingNote, ...]:
        """The errors marked, in reading order."""
        return self.feedback.notes

    @property
    def outline(self) -> tuple[OutlinePart, ...]:
        """The discourse elements in reading order."""
        return self.feedback.outline

    def summary(self) -> list[tuple[str, str]]:
        """Size, score, errors, and the first piece of advice."""
        facts = [(f"feedback on {self.name},", size_words(self.feedback))]
        if self.score is not None and self.score.scored:
            facts.append(("score", f"{self.score.score:g} (raw {self.score.raw:.2f})"))
        facts += [("advisory", doubt.evidence) for doubt in self.feedback.advisories[:2]]
        facts.append(("errors marked", str(len(self.errors))))
        facts += [("works", strength.name) for strength in self.strengths[:1]]
        return facts + [("work on", advice.title) for advice in self.advice[:2]]

    def to_dict(self) -> dict[str, Any]:
        """Everything; places are [first character, one after the last] of the text, from 0."""
        content = feedback_content(self.feedback, self.provenance, self.score, self.raising)
        return content | ({"revision": revision_content(self.revision)} if self.revision else {})

    def to_polars(self) -> "pl.DataFrame":
        """A row for each error marked."""
        import polars as pl  # noqa: PLC0415 - heavy, and only sometimes asked for

        columns = {
            **{"number": pl.Int64, "category": pl.String, "type": pl.String, "title": pl.String},
            **{"start": pl.Int64, "end": pl.Int64, "words": pl.String, "suggestion": pl.String},
            **{"explanation": pl.String, "precision": pl.Float64},
        }
        rows = [
            (n.number, n.category, n.type, n.title, *n.places[0], n.words, n.suggestion, n.explanation, n.precision)
            for n in self.errors
        ]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def document(self) -> "Document":
        """The page for the writer."""
        essay: Any = {"name": self.name, "prompt": self.prompt, "score": self.score, "raising": self.raising}
        essay["revision"] = self.revision
        return essay_report(self.feedback, provenance=self.provenance, **essay)

    def dismiss(self, numbers: Sequence[int], path: str | PathLike[str] | None) -> CoursePreferences:
        """Keep in a file of preferences that notes are dismissed: they are not marked again, in any draft."""
        if path is None:
            problem, remedy = "no file is named that could keep it", ("Name one with ", Field("preferences"), ".")
            raise InputError(problem, field="preferences", remedy=remedy)
        notes = {note.number: note for note in self.errors}
        if unknown := [number for number in numbers if number not in notes]:
            raise InputError(f"there is no note {unknown[0]}", field="dismiss", remedy=f"There are 1 to {len(notes)}.")
        known = read_preferences(Path(path)) if Path(path).exists() else CoursePreferences()
        both = known.dismissing(*(Dismissed(notes[number].type, notes[number].words) for number in numbers))
        write_preferences(both, Path(path))
        return both

    def html(self) -> str:
        """The page as HTML."""
        from assay.report.render.html import to_html  # noqa: PLC0415 - only sometimes asked for

        return to_html(self.document())

    def write(self, path: str | Path, *, force: bool = False) -> Path:
        """The page as an HTML file; an earlier page is replaced, another file only with `force`."""
        check_page(Path(path), force=force)
        try:
            write_whole(Path(path), self.html().encode())
        except OSError as problem:
            raise _unusable(Path(path), f"cannot be written: {problem.strerror}") from None
        return Path(path)


def feedback(
    text: TextLike,
    *,
    model: ModelLike = None,
    prompt: TextLike = "",
    program: str = "",
    level: str = "",
    before: TextLike | None = None,
    preferences: str | PathLike[str] | CoursePreferences | None = None,
    on_advisory: Mapping[str, str] | None = None,
    command: str = "assay.feedback",
    observer: Observer = SILENT,
) -> FeedbackResult:
    """Tell a writer what works in an essay, what to work on next, and where: errors, discourse, features, score.

    Parameters
    ----------
    text
        The essay, or the path of a text file in UTF-8.
    model
        A score model or the path of its file; the bundled argument model without it.
    prompt
        The question, the path of a file that holds it, or the name of one of the model's prompts. A file is also taken
        for the prompt of its name, if the model has one.
    program
        Grade or test, for a model that tells them apart.
    level
        Whom it is said to: grade6, grade9, adult, or learner for learners of English. Without it that of the
        preferences, or grade9.
    before
        An earlier draft, as a text or a path: adds what was resolved, what remains, what is new, and its score.
    preferences
        What a teacher decided (or the path of a TOML file of it): words to accept, rules that are off, notes dismissed.
    on_advisory
        What follows from an advisory in place of what the model says: name -> `warn`, `withhold`, `cap` (at most the
        middle of the scale) or `cap:3`.
    command
        What asked for it, for the record.
    observer
        Who hears of its stages, and may stop it between them.

    Returns
    -------
    FeedbackResult
        Advice, strengths, errors, outline, score, and what would raise the score.

    Examples
    --------
    >>> result = feedback("Dogs is loyal. I beleive that they make us happy, because they waits for us every day.")
    >>> [(error.words, error.suggestion) for error in result.errors if error.type == "spelling"]
    [('beleive', 'believe')]
    """
    check_arguments(feedback, locals())
    say_data(observer)
    with observer.stage("read"):
        whole, inputs = _read(text)
        scoring = bundled_essay_model() if model is None else model_input(model)[0]
        scoring = with_asked_consequences(scoring, on_advisory) if scoring else scoring
        answered, wording = _prompt(prompt, scoring)
    if scoring and scoring.known_programs and program not in scoring.known_programs:
        raise _unnamed("program", program, sorted(scoring.known_programs))
    decided = preferences_of(preferences)
    reader = level_named(level) if level else (decided.level if decided else None) or USUAL
    asked: Any = {"program": program, "wording": wording, "level": reader, "preferences": decided}
    said = feedback_on(Essay("1", whole, answered), scoring, **asked, observer=observer)
    revision = None
    if before is not None:
        earlier, digests = _read(before)
        inputs |= {f"before: {name}": digest for name, digest in digests.items()}
        first = feedback_on(Essay("0", earlier, answered), scoring, **asked, observer=observer)
        revision = Revision(_name_of(before), changes_between(first.feedback, said.feedback), first.score)
    provenance = replace(made_now(command), inputs=inputs)
    return FeedbackResult(*said, _name_of(text), wording, provenance, revision)


def _name_of(text: TextLike) -> str:
    return "your essay" if isinstance(text, str) or fspath(text) == "-" else Path(text).name


def changes_between(first: EssayFeedback, second: EssayFeedback) -> DraftChanges:
    """What became of the errors of one draft in the next."""
    return compare_drafts(first.text.raw, first.notes, second.text.raw, second.notes)


def preferences_of(preferences: str | PathLike[str] | CoursePreferences | None) -> CoursePreferences | None:
    """What a teacher decided, or what the file of that path holds."""
    if preferences is None or isinstance(preferences, CoursePreferences):
        return preferences
    return read_preferences(Path(preferences))


class CommentedEssay(NamedTuple):
    """What is said of one essay, wherever it came from and wherever it goes."""

    feedback: EssayFeedback
    score: EssayScore | None
    raising: Raising


def feedback_on(
    essay: Essay,
    model: ScoringModel | None,
    *,
    program: str = "",
    wording: str = "",
    level: Level = USUAL,
    preferences: CoursePreferences | None = None,
    observer: Observer = SILENT,
) -> CommentedEssay:
    """Feedback on one essay, its score and what would raise it; `wording` is that of the question."""
    observer.check()
    with observer.stage("measured"):
        labeller = bundled_discourse_model()
        analysis = next(analyse_all([essay.text], labeller))
        by: Labeller = "model" if labeller else "rules"
        result = essay_feedback(analysis, labeller=by, prompt=wording, level=level, preferences=preferences)
    observer.check()
    score = score_essay(essay, analysis, model, program, labeller=labeller, wording=wording) if model else None
    if not result.can_be_read:
        return CommentedEssay(result, score, Raising())
    if model is None or score is None or not score.scored:
        return CommentedEssay(result, score, first_advice(result.advice))
    observer.check()
    score_if = partial(model.score_if, essay, program=program)
    return CommentedEssay(result, score, what_would_raise(result.advice, features_of(analysis), score.raw, score_if))


def check_page(path: Path, *, force: bool) -> None:
    """InputError where a file would be lost that `FeedbackResult.write` did not write."""
    if force or not path.exists():
        return
    try:
        ours = path.is_file() and "<title>Feedback on " in path.read_text(encoding="utf-8", errors="replace")[:2000]
    except OSError as problem:
        raise _unusable(path, f"cannot be read: {problem.strerror}") from None
    if not ours:
        raise _unusable(path, "is no page of feedback", ", or replace it with ", Field("force"))


def _unusable(path: Path, why: str, *otherwise: str) -> InputError:
    return InputError(why, source=path, field="html", remedy=("Choose another ", Field("html"), *otherwise, "."))


def _read(text: TextLike) -> tuple[str, dict[str, str]]:
    """The text, and the digest of what it was read from."""
    if isinstance(text, str):
        check("essay_characters", len(text), what="the essay")
        return text, {"text": sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}
    whole, content = read_essay_text(fspath(text))
    return whole, {fspath(text): sha256(content).hexdigest()}


def _prompt(prompt: TextLike, model: ScoringModel | None) -> tuple[str, str]:
    """The model's prompt that the essay answers, and the wording of the question."""
    known, given = sorted(model.known_prompts) if model else [], fspath(prompt)
    names = (given,) if isinstance(prompt, str) else (given, Path(prompt).stem)
    named = [name for name in known if name in names]
    if not named and len(known) > 1:
        raise _unnamed("prompt", given, known)
    answered = (named or known or [""])[0]
    if isinstance(prompt, str):
        return answered, prompt if len(WORD.findall(prompt)) >= FEWEST_ASKED else ""
    return answered, "" if given in known else read_essay_text(given, field="prompt")[0]


def _unnamed(field: str, given: str, known: Sequence[str]) -> InputError:
    shown = ", ".join(repr(name) for name in known[:5]) + (f" and {len(known) - 5} more" if len(known) > 5 else "")
    which = f"{given!r} is none of them" if given else "none is named"
    return InputError(
        f"the model tells {len(known)} {field}s apart, and {which}",
        field=field,
        remedy=("Name the one of this essay with ", Field(field), f": {shown}."),
    )
