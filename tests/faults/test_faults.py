"""Some of each kind of fault on the running app: nothing is lost, doubled, changed, or failed without its own fault."""

import pytest

from faults.__main__ import run
from faults.invariants import Problems
from faults.kinds import BOTH, KINDS
from faults.store_level import store_faults
from tests.store.databases import why_no_postgresql

NO_POSTGRESQL = why_no_postgresql()
NEEDS_POSTGRESQL = pytest.mark.skipif(NO_POSTGRESQL is not None, reason=NO_POSTGRESQL or "")


HANGS = "no memory"
"""Now and then a worker without memory waits for a thread that cannot start; `make faults` tries it."""


def test_every_kind_of_fault_on_sqlite_costs_nothing() -> None:
    plan = [kind for kind in KINDS["sqlite"] if kind != HANGS]

    injected, problems = run("sqlite", plan=plan, seed=1, essays=False)

    assert (sorted(injected), problems) == (sorted(plan), Problems())


@NEEDS_POSTGRESQL
def test_a_postgresql_server_that_stops_or_lags_and_a_killed_worker_cost_nothing() -> None:
    plan = [*(kind for kind in KINDS["postgresql"] if kind not in BOTH), "kill -9 of a worker"]

    injected, problems = run("postgresql", plan=plan, seed=1, essays=False)

    assert (sorted(injected), problems) == (sorted(plan), Problems())


@pytest.mark.parametrize("name", ["sqlite", pytest.param("postgresql", marks=NEEDS_POSTGRESQL)])
def test_faults_inside_the_store_cost_nothing(name: str) -> None:
    injected, problems = store_faults(name, count=80, seed=1)

    assert (sum(injected.values()), problems) == (80, Problems())
