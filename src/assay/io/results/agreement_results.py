"""The agreement of annotators as agreement.json."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from assay.annotations.agreement import Agreement
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.images import ABSENT
from assay.io.results.annotation_results import dumped, set_content
from assay.io.results.result_json import plain
from assay.provenance import Provenance

SCHEMA = "assay.agreement/1"


def agreement_json(
    agreement: Agreement, sets: Mapping[str, AnnotationSet], failed: Mapping[str, str], provenance: Provenance
) -> str:
    """Everything that is known about the agreement of annotators."""
    return dumped(
        {
            "schema": SCHEMA,
            "provenance": plain(provenance),
            "annotators": [
                *({"name": name, "error": None, **set_content(own)} for name, own in sets.items()),
                *({"name": name, "error": error} for name, error in failed.items()),
            ],
            "alpha": plain(agreement.alpha),
            "found": plain(agreement.found.tolist()),
            "localisation": plain(agreement.localisation.tolist()),
            "label": plain(agreement.label.tolist()),
            "labels": list(agreement.labels),
            "objects": list(_objects(agreement, list(sets.values()))),
        }
    )


def _objects(agreement: Agreement, sets: Sequence[AnnotationSet]) -> Iterator[dict[str, Any]]:
    """Each object with what every annotator called it: a label, "not annotated", or null for an image not seen."""
    names = [*agreement.labels, "not annotated"]
    objects = agreement.objects
    for row, image in enumerate(objects.image.tolist()):
        given = agreement.answers[row].tolist()
        ids = [None if m == ABSENT else own.ids[m] for m, own in zip(objects.members[row].tolist(), sets, strict=True)]
        yield {
            "image": objects.images[image].name,
            "ids": ids,
            "answers": [None if isnan(a) else names[int(a)] for a in given],
        }
