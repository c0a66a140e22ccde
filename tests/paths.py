"""Where things are, for tests in any folder."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHARED = Path(os.environ.get("ASSAY_SHARED", ROOT.parent / "shared"))
"""Corpora and results of other systems; not in the repository, and tests that need them are skipped without."""
