"""A public name is a promise: what `assay` exports is importable, listed once, and documented."""

import assay


def test_every_public_name_can_be_imported_and_has_a_docstring() -> None:
    for name in assay.__all__:
        assert getattr(assay, name).__doc__, name


def test_nothing_else_is_promised() -> None:
    fetched = [name for names in assay._DEFINED_IN.values() for name in names]
    assert sorted(fetched) == sorted(assay.__all__)
    assert not hasattr(assay, "no_such_name")
