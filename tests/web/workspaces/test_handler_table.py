"""What each kind of workspace does with what comes in, by name."""

import pytest

from assay.errors import InputError
from assay.web.problems import FieldErrors
from assay.web.workspaces.essays import training
from assay.web.workspaces.handler_table import WORKSPACE_HANDLERS, no_decisions


@pytest.mark.parametrize("kind", sorted(WORKSPACE_HANDLERS))
def test_every_kind_scores_and_takes_uploads(kind: str) -> None:
    handlers = WORKSPACE_HANDLERS[kind]

    assert handlers.task("score") is handlers.start
    assert len(set(handlers.roles)) == len(handlers.roles) > 0


def test_essays_also_train_and_refit() -> None:
    assert WORKSPACE_HANDLERS["essays"].task("train") is training.train_with
    assert WORKSPACE_HANDLERS["essays"].task("refit") is training.refit_with


def test_a_task_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(FieldErrors, match=r"no task 'train' here\. Choose one of: score"):
        WORKSPACE_HANDLERS["annotations"].task("train")


def test_the_figures_of_an_evaluation_are_not_decided_about() -> None:
    with pytest.raises(InputError, match="follow from its table"):
        no_decisions()
