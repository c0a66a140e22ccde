"""What produced a result: version, inputs, settings, seed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime


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


def moment() -> datetime:
    """When an output is made: now, or the moment in SOURCE_DATE_EPOCH, so that it can be made again to the byte."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now().astimezone()


def created() -> str:
    """The moment in ISO 8601 with offset."""
    return moment().isoformat(timespec="seconds")
