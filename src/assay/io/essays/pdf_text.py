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
def tell(**told):
    sys.stdout.write(json.dumps(told))
    sys.exit(0)
try:
    from pypdf import PdfReader
    reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted and not reader.decrypt(""):
        tell(wrong="is protected by a password. Save it without one")
    count = len(reader.pages)
    if count > {MOST_PAGES}:
        tell(wrong=f"has {{count:,}} pages; at most {MOST_PAGES} are read. Hand in the essay alone")
    pages, letters = [], 0
    for page in reader.pages:
        pages.append(page.extract_text())
        letters += len(pages[-1])
        if letters > {MOST_LETTERS}:
            tell(wrong="holds more text than any essay. Hand in the essay alone")
    tell(pages=pages)
except MemoryError:
    tell(wrong="needs more memory to read than an essay should. Save it again, or hand in the text")
except Exception as problem:
    tell(wrong=f"cannot be read ({{type(problem).__name__}}). Save it again as PDF, or hand in the text")
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
        raise InputError(
            f"{name} takes longer to read than any essay should. Save it again, or hand in the text."
        ) from None
    try:
        told = json.loads(done.stdout)
    except ValueError:  # killed for what it took
        raise InputError(
            f"{name} takes more to read than any essay should. Save it again, or hand in the text."
        ) from None
    if "wrong" in told:
        raise InputError(f"{name} {told['wrong']}.")
    return [str(page) for page in told["pages"]]
