"""A study as JSON holds it, with a schema version; NaN is null, a table that could not be made holds its reason."""

from typing import Any

from assay.essays.study.study import Study
from assay.io.results.result_json import plain
from assay.provenance import Provenance

STUDY = "assay.study/1"


def study_content(study: Study, provenance: Provenance) -> dict[str, Any]:
    """All figures of a study."""
    content: dict[str, Any] = {"schema": STUDY, "provenance": plain(provenance)} | plain(study)
    return content
