"""What holds for every test: no example has a deadline, since machines are shared. And what many use."""

import pytest
from hypothesis import settings

from assay.kernel import VARIABLE, kernel

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(params=["compiled", "numpy"])
def with_and_without_kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs with the compiled kernel, where there is one, and without it."""
    if request.param == "numpy":
        monkeypatch.setenv(VARIABLE, "off")
    elif kernel() is None:
        pytest.skip("the compiled kernel was not built here")
