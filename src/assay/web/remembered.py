"""Values that take a while to make, kept while they are in use."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """The values used last, by a key that stands for all they are made of; safe among threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[str, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], Value]) -> Value:
        """The value of a key. Two threads may both make it; that is dearer than once, and never wrong."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        self.put(key, made)
        return made

    def find(self, key: str) -> Value | None:
        """The value of a key, if it is kept."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: str, value: Value) -> None:
        """Keep a value in place of any other of its key."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
