"""Data files learned from texts: those of the distribution assay-essays-nc where it is installed, else free ones.

What comes with assay itself was learned from free sources only (NOTICE.txt beside each file); where there is no free
file of a name, rules stand in. The environment variable ASSAY_ESSAYS_NC=0 passes over the other distribution.
"""

import os
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

NON_COMMERCIAL = "assay_essays_nc"
SWITCH = "ASSAY_ESSAYS_NC"
FREE: dict[str, tuple[str, ...]] = {
    "trigrams.npz": ("errors", "lexicons"),
    "bare_nouns.tsv": ("errors", "lexicons"),
    "norms.tsv": ("norms",),
}
"""Where the free file of a name lies, below `assay.essays`."""
INSTEAD = (
    "Essays are read with free data only: discourse by rules, fewer errors found. For non-commercial use, "
    "assay-essays-nc adds more accurate data."
)


@cache
def has_non_commercial() -> bool:
    """Whether the data under CC BY-NC-SA are installed, and not switched off."""
    return os.environ.get(SWITCH, "") != "0" and find_spec(NON_COMMERCIAL) is not None


def data_file(name: str) -> Traversable | None:
    """The file of this name that is to be used; None where there is none, and rules stand in."""
    if has_non_commercial() and (own := files(NON_COMMERCIAL) / name).is_file():
        return own
    if name not in FREE:
        return None
    free = files("assay.essays").joinpath(*FREE[name], name)
    return free if free.is_file() else None
