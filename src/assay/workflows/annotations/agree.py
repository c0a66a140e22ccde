"""FRONT DOOR `agree`: annotators against each other, without a ground truth; and what most of them drew."""

import json
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.annotations.agreement import Agreement, agreement_of, build_consensus, pair_sets, prepare_sets
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import Field, InputError
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.annotations.writers import coco_json, cvat_xml
from assay.io.image_files import ImageFiles
from assay.io.results.annotation_results import agreement_json
from assay.io.tables.output import OutputFolder, write_whole
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.agreement_report import agreement_report
from assay.report.annotations.overlay import photos
from assay.report.document.document import Document
from assay.workflows.annotations import inputs
from assay.workflows.annotations.grade_files import write_report
from assay.workflows.arguments import check_arguments
from assay.workflows.results import Result

if TYPE_CHECKING:
    import polars as pl

WRITERS = {".json": coco_json, ".xml": cvat_xml}
"""Ending of a consensus -> its format."""


def agree(
    files: inputs.SubmissionsLike,
    *,
    quorum: float = 0.5,
    rules: inputs.RulesLike | None = None,
    images: inputs.PathLikeStr | None = None,
    command: str = "assay.agree",
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> "AgreementResult":
    """Measure how far annotators agree with each other.

    Parameters
    ----------
    files
        Paths of two or more annotators, or a mapping of names to paths or `AnnotationSet`s.
    quorum
        An object of the consensus needs more than this share of the annotators who saw the image.
    rules
        A file of rules, or a `Rubric`, with the minimum overlap of a pair.
    images
        Folder or ZIP with the images: for formats that do not state their sizes, and to draw on.
    command
        What asked for it, for the record.
    executor, observer
        Who compares the annotators (this process, if not given), and who hears how far it is.

    Returns
    -------
    AgreementResult
        Krippendorff's alpha, every pair of annotators, the consensus.

    Examples
    --------
    >>> folder = "examples/annotations/submissions"
    >>> result = agree([f"{folder}/ada.xml", f"{folder}/ben.json", f"{folder}/chloe.xml"])
    >>> round(result.alpha.value, 2), len(result.consensus)
    (0.8, 124)
    """
    check_arguments(agree, locals())
    photo_files = inputs.opened_images(images)
    with observer.stage("read"):
        read = ((one,) for one in inputs.submissions_of(files, like=None, images=photo_files))
        submissions = [one for (one,) in with_progress(read, observer, "annotators", None)]
    sets = {one.student: one.annotations for one in submissions if one.annotations is not None}
    failed = {one.student: one.error for one in submissions if one.annotations is None}
    if len(sets) < 2:
        reasons = "".join(f"\n  {name}: {error}" for name, error in failed.items())
        needed = f"Agreement needs the files of at least two annotators; {len(sets)} could be read.{reasons}"
        raise InputError(needed, field="files")
    prepared = prepare_sets(sets, None if rules is None else inputs.read_rules(rules))
    pairs = list(combinations(range(len(sets)), 2))
    paired = (executor or SerialExecutor()).map_ordered(pair_sets, pairs, prepared)
    agreement = agreement_of(sets, prepared, with_progress(paired, observer, "pairs of annotators", len(pairs)))
    observer.check()
    return AgreementResult(
        agreement, sets, failed, inputs.provenance_of(command, inputs.given_paths(files, rules)), photo_files, quorum
    )


def check_consensus_name(path: inputs.PathLikeStr) -> str:
    """The ending of a file for the consensus; InputError when no format has it."""
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        problem = (Field("consensus"), f" is {path}, whose ending names no format")
        raise InputError(problem, field="consensus", remedy="End the name in .json for COCO or in .xml for CVAT.")
    return ending


class AgreementResult(Result):
    """How far annotators agree.

    Attributes
    ----------
    agreement
        Alpha, the matrices of pairs, every object with what each annotator called it.
    sets
        Annotator -> what they drew.
    failed
        Annotator -> why their file cannot be read.
    """

    def __init__(
        self,
        agreement: Agreement,
        sets: dict[str, AnnotationSet],
        failed: dict[str, str],
        provenance: Provenance,
        images: ImageFiles | None = None,
        quorum: float = 0.5,
    ) -> None:
        self.agreement, self.sets, self.failed = agreement, sets, failed
        self.provenance, self.images, self.quorum = provenance, images, quorum

    @property
    def alpha(self) -> Estimate:
        """Krippendorff's alpha with its interval over images."""
        return self.agreement.alpha

    @cached_property
    def consensus(self) -> AnnotationSet:
        """What more than `quorum` of the annotators drew."""
        return build_consensus(self.sets, self.agreement, self.quorum)

    def summary(self) -> list[tuple[str, str]]:
        """Alpha and how much was compared."""
        objects = self.agreement.objects
        return [
            (f"{len(self.sets)} annotators, {len(objects.image)} objects on {len(objects.images)} images", ""),
            ("alpha", f"{self.alpha.value:.3f} ({self.alpha.low:.3f} to {self.alpha.high:.3f})"),
            *((name, f"could not be read: {error}") for name, error in self.failed.items()),
        ]

    def json(self) -> str:
        """Everything, as agreement.json holds it."""
        return agreement_json(self.agreement, self.sets, self.failed, self.provenance)

    def to_dict(self) -> dict[str, Any]:
        """The same as values."""
        content: dict[str, Any] = json.loads(self.json())
        return content

    def to_polars(self) -> "pl.DataFrame":
        """A row for every two annotators, figures of 100; null where they have nothing in common."""
        import polars as pl  # noqa: PLC0415 - slow to import

        agreement = self.agreement
        pairs = list(combinations(range(len(agreement.names)), 2))
        matrices = {"found": agreement.same_objects, "localisation": agreement.localisation, "label": agreement.label}
        columns = {name: [float(matrix[pair]) for pair in pairs] for name, matrix in matrices.items()}
        names = {side: [agreement.names[pair[at]] for pair in pairs] for at, side in enumerate(("first", "second"))}
        return pl.DataFrame({**names, **columns}).with_columns(pl.col(list(matrices)).fill_nan(None))

    def document(self) -> Document:
        """The report."""
        return self._document(None)

    def _document(self, consensus: int | None) -> Document:
        measured, photo_of = (self.agreement, self.sets, self.failed), photos(self.images)
        return agreement_report(*measured, photo_of=photo_of, provenance=self.provenance, consensus=consensus)

    def write(
        self,
        folder: inputs.PathLikeStr,
        *,
        consensus: inputs.PathLikeStr | None = None,
        force: bool = False,
        pdf: bool = False,
    ) -> Path:
        """agreement.json and report.html in a folder, both or none; then the consensus, if a file is named for it.

        An earlier result there is replaced; a folder that holds other files is written to with `force` only. `pdf`
        writes the report as PDF too. The consensus is FILE.json for COCO, FILE.xml for CVAT.
        """
        text = None if consensus is None else WRITERS[check_consensus_name(consensus)](self.consensus)
        document = self._document(None if consensus is None else len(self.consensus))
        with OutputFolder(Path(folder), force, replaces="agreement.json") as inside:
            write_report(document, inside / "report", pdf=pdf)
            (inside / "agreement.json").write_text(self.json(), encoding="utf-8")
        if consensus is not None and text is not None:
            try:
                write_whole(Path(consensus), text.encode())
            except OSError as problem:
                wrong, remedy = f"cannot be written: {problem.strerror}", ("Choose another ", Field("consensus"), ".")
                raise InputError(wrong, source=Path(consensus), field="consensus", remedy=remedy) from None
        return Path(folder)
