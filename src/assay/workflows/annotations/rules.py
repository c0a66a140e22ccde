"""FRONT DOOR `rules`: the rules of scoring that a ground truth suggests, changed by instructions in plain English."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.attributes import AttributeColumns
from assay.errors import Field, InputError
from assay.execution.observer import SILENT, Observer
from assay.io.annotations.rubric_toml import rubric_toml
from assay.io.language_model import LanguageModel
from assay.io.results.annotation_results import rules_content
from assay.io.tables.output import write_whole
from assay.report.annotations.words import rules_section
from assay.report.document.document import Document
from assay.workflows.annotations.inputs import PROFILE, AnnotationsLike, PathLikeStr, annotations_of, opened_images
from assay.workflows.annotations.instructions import Proposal, propose_rubric, summary
from assay.workflows.arguments import check_arguments
from assay.workflows.results import Result

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "assay.rules/1"


def refuse_half_understood(proposal: Proposal) -> None:
    """InputError unless all of an instruction was understood."""
    if proposal.not_understood:
        raise InputError(
            "\n".join(["Not all of the instruction was understood, so none of it is applied.", *summary(proposal)]),
            field="instructions",
        )


def rules(
    truth: AnnotationsLike,
    *,
    profile: str | None = None,
    images: PathLikeStr | None = None,
    instructions: str | None = None,
    language_model: LanguageModel | None = None,
    confirm: Callable[[Proposal], None] = refuse_half_understood,
    observer: Observer = SILENT,
) -> "RulesResult":
    """Infer the rules of scoring from a ground truth, and follow instructions to change them.

    Parameters
    ----------
    truth
        The ground truth: a file, folder or ZIP in COCO, CVAT or another format, or an `AnnotationSet`.
    profile
        What the rules begin as: annotator-ai-1.0 (the scoring plan) or strict-1.0.
    images
        Folder or ZIP with the images, for formats that do not state their sizes.
    instructions
        Changes in plain English: "ignore color, IoU at least 0.7".
    language_model
        Asked about what is not understood offline.
    confirm
        Called with the changes that were understood; it raises an `InputError` to refuse them. Without it, an
        instruction that is not wholly understood is refused: followed by half it would change grades behind its
        author's back.
    observer
        Who hears of its stages, and may stop it between them.

    Returns
    -------
    RulesResult
        The rules, as values, TOML and pseudocode.

    Examples
    --------
    >>> result = rules("examples/annotations/truth.xml", instructions="IoU at least 0.7")
    >>> result.rubric.thresholds.box
    0.7
    """
    check_arguments(rules, locals())
    with observer.stage("read"):
        annotations = annotations_of(truth, opened_images(images))
    observer.check()
    with observer.stage("inferred"):
        rubric = suggest_rubric(annotations, profile or PROFILE)
    observer.check()
    if instructions is None:
        return RulesResult(rubric)
    attributes = AttributeColumns.of(annotations).written.values()
    proposal = instruct(rubric, instructions, attributes=attributes, language_model=language_model, confirm=confirm)
    observer.check()
    return RulesResult(proposal.after, proposal)


def instruct(
    rubric: Rubric,
    instructions: str,
    *,
    attributes: Iterable[str] = (),
    language_model: LanguageModel | None = None,
    confirm: Callable[[Proposal], None] = refuse_half_understood,
) -> Proposal:
    """What an instruction makes of rules, once it is agreed to; `attributes` are those of the ground truth."""
    known = KnownNames.of(rubric, attributes)
    proposal = propose_rubric(instructions, rubric, model=language_model, known=known)
    if not proposal.changes_something and (proposal.not_understood or not proposal.already):
        raise InputError("\n".join(["The instruction changes nothing.", *summary(proposal)]), field="instructions")
    confirm(proposal)
    return proposal


class RulesResult(Result):
    """Rules of scoring.

    Attributes
    ----------
    rubric
        The rules as values.
    proposal
        What was understood of the instructions; None without any.
    """

    def __init__(self, rubric: Rubric, proposal: Proposal | None = None) -> None:
        self.rubric, self.proposal = rubric, proposal

    def toml(self) -> str:
        """The rules as a file that people edit."""
        return rubric_toml(self.rubric)

    def pseudocode(self) -> str:
        """The rules in words."""
        return pseudocode(self.rubric)

    def write(self, path: PathLikeStr, *, force: bool = False) -> Path:
        """The file of rules, unless that would lose what somebody edited; with `force` it is replaced."""
        path, text = Path(path), self.toml()
        try:
            if path.exists() and not force and path.read_text(encoding="utf-8") != text:
                otherwise = ("Choose another ", Field("out"), ", or replace them with ", Field("force"), ".")
                raise InputError("holds other rules already", source=path, field="out", remedy=otherwise)
            write_whole(path, text.encode())
        except (OSError, UnicodeDecodeError) as problem:
            remedy = ("Choose another ", Field("out"), ".")
            raise InputError(f"cannot be written: {problem}", source=path, field="out", remedy=remedy) from None
        return path

    def summary(self) -> list[tuple[str, str]]:
        """The profile, the labels and the weights."""
        weights = self.rubric.weights
        shares = ", ".join(f"{name} {getattr(weights, name):g}" for name in ("localisation", "label", "attributes"))
        return [
            ("rules of scoring", ""),
            ("profile", self.rubric.profile),
            ("labels", ", ".join(rule.name for rule in self.rubric.labels)),
            ("weights", shares),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The rules for machines, for editors and for people."""
        return {"schema": SCHEMA, **rules_content(self.rubric)}

    def to_polars(self) -> "pl.DataFrame":
        """A row per label and attribute that is compared."""
        import polars as pl  # noqa: PLC0415 - slow to import

        rows = [
            {"label": rule.name, "attribute": a.name, "comparator": a.comparator, "weight": a.weight}
            for rule in self.rubric.labels
            for a in rule.attributes
        ]
        schema = {"label": pl.String, "attribute": pl.String, "comparator": pl.String, "weight": pl.Float64}
        return pl.DataFrame(rows, schema=schema)

    def document(self) -> Document:
        """The rules as a report."""
        return Document(title="Rules of scoring", sections=(rules_section(self.rubric),))
