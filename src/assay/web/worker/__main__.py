"""`python -m assay.web.worker`: one worker; `assay serve` starts them."""

import sys

from assay.execution.escaping import EscapingStream
from assay.web.worker.worker import main

if __name__ == "__main__":
    sys.stderr = EscapingStream(sys.stderr)  # type: ignore[assignment, unused-ignore] # a log shows the names of uploads
    main()
