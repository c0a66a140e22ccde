"""No page of a PDF report is mostly blank, none is turned, and nothing is set too small to read."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
import pytest

import assay
from assay.report.document.document import Document
from assay.report.render.pdf import to_pdf
from tests.report.evaluation.evaluations import plain, report_of, rich

pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")
pypdf = pytest.importorskip("pypdf")

TOP, BOTTOM = 842 - 51, 57
"""Where the text area of A4 begins and ends, in pt from the foot of the page."""
LEAST_FILLED, LEAST_SIZE = 0.6, 6.2


def table(n: int, *, engines: int = 1, groups: int = 3, name: str = "{}") -> dict[str, list[Any]]:
    """Human scores, engines and groups whose names are all in the manner of `name`."""
    rng = np.random.default_rng(7)
    true = rng.normal(3.5, 1.1, n)
    people = np.clip(np.rint(true[:, None] + rng.normal(0, 0.5, (n, 2))), 1, 6)
    systems = {name.format(f"engine {i}"): list(true + rng.normal(0, 0.4 + 0.2 * i, n)) for i in range(engines)}
    schools = [name.format(f"school {i}") for i in rng.integers(groups, size=n)]
    return {"human": list(people[:, 0]), "second": list(people[:, 1]), "school": schools, **systems}


def evaluated(n: int, groups: int, name: str = "{}") -> Document:
    scores = table(n, groups=groups, name=name)
    result = assay.evaluate(
        scores, human="human", second_human="second", system=name.format("engine 0"), groups="school", scale="1-6"
    )
    return result.document()


def compared(n: int, engines: int, name: str = "{}") -> Document:
    scores, names = (
        table(n, engines=engines, groups=12, name=name),
        [name.format(f"engine {i}") for i in range(engines)],
    )
    return assay.compare(scores, human="human", system=names, groups="school", scale="1-6").document()


LONG = "a_rather_long_name_of_the_{}_with_version_2026-11-15"
DOCUMENTS: dict[str, Callable[[], Document]] = {
    "rich": lambda: report_of(rich()),
    "one rater, no groups": lambda: report_of(plain()),
    "twelve responses": partial(evaluated, 12, 2),
    "twenty groups": partial(evaluated, 1000, 20),
    "long names": partial(evaluated, 300, 8, LONG),
    "two engines": partial(compared, 40, 2),
    "six engines": partial(compared, 300, 6),
    "engines with long names": partial(compared, 300, 4, LONG),
}


def lines_of(page: Any) -> list[tuple[float, float]]:  # pypdf has no types for what it hands over
    """Height on the page and size in pt of every piece of text above the foot of the page."""
    pieces: list[tuple[float, float]] = []

    def see(text: str, around: list[float], matrix: list[float], font: object, size: float) -> None:
        y = around[1] * matrix[4] + around[3] * matrix[5] + around[5]
        if text.strip() and y > BOTTOM:
            pieces.append((y, abs(size * matrix[3] * around[3])))

    page.extract_text(visitor_text=see)
    return pieces


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_page_is_filled_upright_and_legible(document: Callable[[], Document]) -> None:
    pages = pypdf.PdfReader(BytesIO(to_pdf(document()))).pages
    lines = [lines_of(page) for page in pages]

    filled = [(TOP - min(y for y, _ in pieces)) / (TOP - BOTTOM) for pieces in lines]
    assert len(pages) > 1
    assert all(page.mediabox.height > page.mediabox.width for page in pages)
    assert min(filled[:-1]) >= LEAST_FILLED, filled
    assert min(size for pieces in lines for _, size in pieces) >= LEAST_SIZE
