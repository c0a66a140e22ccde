"""Values that take a while to make, kept while they are in use."""

from assay.web.site import ThreadSafeCache


def test_a_value_is_made_once_and_one_that_is_none_too() -> None:
    cache: ThreadSafeCache[int | None] = ThreadSafeCache(2)
    made: list[str] = []

    for key in ("a", "a", "none", "none"):
        cache.get(key, lambda key=key: made.append(key))  # type: ignore[misc]  # append gives None

    assert made == ["a", "none"]


def test_what_was_used_longest_ago_makes_room() -> None:
    cache: ThreadSafeCache[int] = ThreadSafeCache(2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.get("a", lambda: 0) == 1  # used again, so that b is the oldest
    cache.put("c", 3)

    assert [cache.find(key) for key in "abc"] == [1, None, 3]
