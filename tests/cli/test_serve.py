"""`assay serve` where it cannot start; how it serves is tested by the journeys of the web app."""

import sys

import pytest

import assay
import assay.web
from assay.cli.serve import serve
from assay.errors import MissingExtra


def test_without_the_web_extra_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assay, "web", assay.web)  # importing it anew would leave the new one behind
    for name in [name for name in sys.modules if name.startswith("assay.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)  # as if it were not installed
    with pytest.raises(MissingExtra) as refused:
        serve()
    assert refused.value.extra == "web"
    assert "pip install 'assay-scoring[web]'" in str(refused.value)
