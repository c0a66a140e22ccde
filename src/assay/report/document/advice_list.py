"""Advice as a numbered list, or what works as a list with ticks: a heading, why, what to do, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AdviceItem:
    """One entry. `notes` are numbers of notes it is about, `quotes` the sentences."""

    title: str
    why: str
    do: str = ""
    notes: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceList:
    """Entries in order; numbered from `first` when the order matters."""

    items: tuple[AdviceItem, ...]
    numbered: bool = True
    first: int = 1
