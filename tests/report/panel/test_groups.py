from dataclasses import replace

import numpy as np

from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.values import Table
from assay.report.panel.groups import group_blocks, version_blocks
from assay.workflows.evaluation.panel import panel as run_panel
from tests.evaluation.raters.panels import panel_from, random_table


def test_a_group_that_a_judge_favors_is_named() -> None:
    table = random_table(3, items=400, gaps=0.1)
    group = np.arange(400) % 2
    table[:, 4] = np.clip(table[:, 4] + 2 * group, 1, 5)
    ratings = replace(panel_from(table, 2), groups={"language": (("en", "de"), group)})

    blocks = group_blocks(panel_of(ratings, ReplacementPlan()))

    assert "gpt-4 scores de higher" in str(blocks[1])
    assert any(isinstance(block, Table) and block.name == "group_bias" for block in blocks)
    assert group_blocks(panel_of(panel_from(table, 2), ReplacementPlan())) == []


def test_versions_of_a_model_stand_beside_each_other() -> None:
    rng = np.random.default_rng(4)
    true = rng.integers(1, 6, 60)
    rows: dict[str, list[object]] = {"item": [], "rater": [], "score": [], "version": []}
    for name, version, shift in (("ann", "", 0), ("bob", "", 0), ("gpt", "2025-01", 0), ("gpt", "2025-06", 1)):
        rows["item"] += list(range(60))
        rows["rater"] += [name] * 60
        rows["score"] += np.clip(true + shift, 1, 6).tolist()
        rows["version"] += [version] * 60
    result = run_panel(rows, judges=["gpt"])
    (judge,) = result.panel.errors.judges

    assert judge.version_drift.value == 1
    assert [part.name for part in judge.versions] == ["2025-01", "2025-06"]
    assert not result.panel.exclusions.left_out
    chart, table = version_blocks(result.panel.errors.judges)
    assert (chart.name, table.name) == ("version_drift", "versions")  # type: ignore[union-attr]
