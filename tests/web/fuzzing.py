"""Requests made up from the OpenAPI document, most of them about what is there, each checked against the document."""

from collections import Counter
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from assay.store.workspaces import find_workspace, restore_workspace
from tests.web.filled import Filled

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


def ask_everything(
    filled: Filled, *, examples: int, number: int = 0, headers: dict[str, str] | None = None
) -> Counter[int]:
    """Ask each call of the API so many times; how many answers had each status. An answer that is not as the document
    says fails."""
    document = schemathesis.openapi.from_asgi("/api/v1/openapi.json", filled.visit.app)
    asked: Counter[int] = Counter()
    for found in document.get_all_operations():
        assert isinstance(found, Ok)
        _ask(found.ok(), filled, asked, examples, number, headers or {})
    return asked


def _ask(
    operation: Any, filled: Filled, asked: Counter[int], examples: int, number: int, headers: dict[str, str]
) -> None:
    strategy = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy, draw=st.data())
    def ask(case: Any, draw: Any) -> None:
        _name_what_is_there(case.path_parameters or {}, filled, draw)
        answer = case.call(headers=headers)
        _bring_back(filled)
        case.validate_response(answer, checks=CHECKS)
        asked[answer.status_code] += 1

    ask()


def _name_what_is_there(parameters: dict[str, Any], filled: Filled, draw: Any) -> None:
    """Three times of four: else nearly every request would end at "no such workspace"."""
    if not draw.draw(st.integers(0, 3)):
        return
    workspace = draw.draw(st.sampled_from(list(filled.known)))  # in the order made: ids differ from run to run
    for name in parameters:
        values = [workspace] if name == "workspace_id" else filled.known[workspace].get(name)
        if values:
            parameters[name] = draw.draw(st.sampled_from(list(values)))


def _bring_back(filled: Filled) -> None:
    """What a request removed is there for the next one."""
    with filled.visit.site.database.writing() as connection:
        for workspace_id in filled.known:
            if find_workspace(connection, workspace_id) is None:
                restore_workspace(connection, workspace_id, author="fuzz", now=filled.visit.site.now())
