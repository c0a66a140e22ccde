"""What one override in the web app enters: functions and files of ours, counted as ../shared/tools/walk counts them.

python -m tools.walk_override
"""

import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import assay
from tests.web.essayed import Essays

ROOT = str(Path(assay.__file__).parent) + "/"


def main() -> None:
    """Score an essay, override its score, count what the second did."""
    entered: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and not code.co_name.startswith(("<", "__")):
            entered.add((code.co_filename.removeprefix(ROOT), code.co_name))

    with tempfile.TemporaryDirectory() as folder:
        essays = Essays(Path(folder), 1)
        item = essays.results()[0]["item"]["id"]
        threading.setprofile(note)
        sys.setprofile(note)
        essays.override(item, 2)
        sys.setprofile(None)
        threading.setprofile(None)  # None takes it away
        essays.visit.close()
    print(f"functions {len(entered)}, files {len({file for file, _ in entered})}")


if __name__ == "__main__":
    main()
