"""A study as JSON with a schema version; NaN is null, a table that could not be made holds its reason."""

import json

from assay.essays.study.study import Study
from assay.io.results.result_json import plain
from assay.provenance import Provenance

STUDY = "assay.study/1"


def study_json(study: Study, provenance: Provenance) -> str:
    """All figures of a study."""
    content = {"schema": STUDY, "provenance": plain(provenance)} | plain(study)
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
