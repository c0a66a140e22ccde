"""What a student handed in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Essay:
    """An essay by its id, as written, and the prompt it answers; essays of one prompt are compared with each other."""

    essay_id: str
    text: str
    prompt: str = ""
