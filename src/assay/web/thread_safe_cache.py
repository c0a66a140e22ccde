"""Values that take a while to make, kept while they are in use."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class ThreadSafeCache(Generic[Value]):
    """The values used last, by a key that stands for all they are made of."""

    def __init__(self, most: int) -> None:
        self._values: LRUCache[str, Value] = LRUCache(most)
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], Value]) -> Value:
        """The value of a key. Two threads may both make it; that is dearer than once, and never wrong."""
        value = self.find(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def find(self, key: str) -> Value | None:
        """The value of a key, if it is there."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: Value) -> None:
        """Keep a value in place of any other of its key."""
        with self._lock:
            self._values[key] = value
