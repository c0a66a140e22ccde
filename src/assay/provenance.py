"""What produced a result: version, inputs, settings, seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Provenance:
    """Enough to make the same result again and to notice that the input has changed."""

    version: str
    command: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """File name -> SHA-256 of its bytes."""
    seed: int = 0
    created: str = field(default="", metadata={"json": "made"})
    """When, in ISO 8601 with offset."""
