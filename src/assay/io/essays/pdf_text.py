"""The text of a PDF, page by page, read by a process of its own: whatever the file does, it ends and takes no more."""

import json
import subprocess
import sys
from importlib.util import find_spec

from assay.errors import InputError, MissingExtra

MOST_PAGES = 200
MOST_SECONDS = 60
MOST_MEMORY = 1 << 30
MOST_LETTERS = 2_000_000

READER = f"""
import io, json, logging, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))
    resource.setrlimit(resource.RLIMIT_CPU, ({MOST_SECONDS}, {MOST_SECONDS}))
except (ImportError, ValueError, OSError):
    pass  # no such limits on this system
logging.disable(logging.CRITICAL)
def tell(**answer):
    sys.stdout.write(json.dumps(answer))
    sys.exit(0)
try:
    from pypdf import PdfReader
    reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted and not reader.decrypt(""):
        tell(problem="the file is protected by a password", remedy="Save it without one.")
    count = len(reader.pages)
    if count > {MOST_PAGES}:
        tell(problem=f"{{count:,}} pages; at most {MOST_PAGES} are read", remedy="Hand in the essay alone.")
    pages, letters = [], 0
    for page in reader.pages:
        pages.append(page.extract_text())
        letters += len(pages[-1])
        if letters > {MOST_LETTERS}:
            tell(problem="more text than any essay", remedy="Hand in the essay alone.")
    tell(pages=pages)
except MemoryError:
    tell(problem="reading it takes more memory than an essay should", remedy="Save it again, or hand in the text.")
except Exception as problem:
    tell(problem=f"cannot be read ({{type(problem).__name__}})", remedy="Save it again as PDF, or hand in the text.")
"""
"""What the process runs; nothing of ours is imported there, so that it starts at once."""


def pdf_pages(content: bytes, name: str) -> list[str]:
    """The text of each page; InputError where the file cannot be read within bounds."""
    if find_spec("pypdf") is None:
        raise MissingExtra("Reading PDF files", "web")
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER], input=content, capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _refused(name, "reading it takes longer than any essay should") from None
    try:
        answer = json.loads(done.stdout)
    except ValueError:  # killed for what it took
        raise _refused(name, "reading it takes more than any essay should") from None
    if "problem" in answer:
        raise _refused(name, **answer)
    return [str(page) for page in answer["pages"]]


def _refused(name: str, problem: str, remedy: str = "Save it again, or hand in the text.") -> InputError:
    return InputError(problem, source=name, field="essays", remedy=remedy)
