"""Results hold arrays that nobody may change."""

from dataclasses import fields
from typing import Any

import numpy as np


def freeze_arrays(result: Any) -> None:
    """Make the array fields of a dataclass read-only (Any: of whatever class)."""
    for field in fields(result):
        value = getattr(result, field.name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
