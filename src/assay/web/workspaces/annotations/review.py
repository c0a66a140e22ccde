"""What people decide about a submission: errors that are right, images and submissions reviewed, parts overridden.

A decision survives a change of rules that leaves what was looked at as it was (`seen_digest`): a worker that scores a
submission by new rules carries it over, with its author, reason and time.
"""

from collections.abc import Sequence
from typing import Any

from assay.annotations.grading.overrides import final_score, read_override, value_now
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.review_subject import IMAGE, SUBMISSION, is_review, reviewed_images, seen_digest
from assay.errors import InputError
from assay.store.items import find_item
from assay.store.overrides import (
    CarriedDecision,
    Consequence,
    Decision,
    carry_over,
    decided_elsewhere,
    earlier_decisions,
    item_decisions,
)
from assay.store.schema import NAME
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.workspaces.annotations.scores import original_score
from assay.web.workspaces.annotations.view import as_json
from assay.web.workspaces.export_files import DecidedItem
from assay.web.workspaces.scoring import WorkspaceContext, refresh_summary


def decide(work: DecidedItem, target: str, value: Any) -> Consequence:
    """What an override or a confirmation does; the engine's own arithmetic, on the same submission."""
    score = original_score(work.site, work.workspace, work.item)
    if len(target) > NAME:
        raise InputError("The name of this target is too long to be decided about.")
    before, seen = final_score(score, as_json(work.decisions)), seen_digest(score, target)
    if is_review(target):
        if value is not None:
            remedy = "change a match, a label, an attribute, a miss or an extra."
            raise InputError(f"The score follows from its parts: {remedy}")
        if not seen:
            raise InputError("This submission has no such finding or image.", field="target")
        targets = [target, *(decision.target for decision in work.decisions)]
        looked_at, images = reviewed_images(score, targets)
        completes = target.startswith(IMAGE) and looked_at == images and SUBMISSION not in targets
        return Consequence(before.overall, score.overall, before.overall, seen, completes)
    override = read_override(target, value)
    decision = {"target": target, "value": value}
    after = final_score(score, [*as_json(d for d in work.decisions if d.target != target), decision])
    return Consequence(value_now(before, override), score.overall, after.overall, seen)


def carried_decisions(
    score: SubmissionScore, earlier: Sequence[Decision], own: Sequence[Decision] = ()
) -> list[CarriedDecision]:
    """The decisions under other rules that hold in this score, with what they do to it beside its own.

    One that was undone ends what there was about its target.
    """
    undone = [CarriedDecision(d, Consequence(None, None, None)) for d in earlier if d.undone is not None]
    same = [d for d in earlier if d.undone is None and seen_digest(score, d.target) == d.seen]
    news = {decision.target for decision in earlier}
    final = final_score(score, as_json([*(d for d in own if d.target not in news), *same])).overall
    return undone + [CarriedDecision(d, Consequence(d.previous, score.overall, final, d.seen)) for d in same]


def carry_to_scored(context: WorkspaceContext, workspace: Workspace) -> None:
    """Carry decisions over to submissions that these rules had scored before: nobody scores them again."""
    site, engine = context.site, workspace.engine
    with site.database.reading() as connection:
        decided = [
            (item, earlier, item_decisions(connection, item, engine))
            for id_ in decided_elsewhere(connection, workspace.id, engine)
            if (item := find_item(connection, workspace.id, id_)) is not None
            if (earlier := earlier_decisions(connection, workspace.id, id_, engine))
        ]
    carried = [(i, carried_decisions(original_score(site, workspace, i), old, own)) for i, old, own in decided]
    if not carried:
        return
    with site.database.writing() as connection:
        hold_workspace(connection, workspace.id)
        for item, decisions in carried:
            carry_over(connection, item, engine, decisions)
        refresh_summary(connection, workspace.id, now=site.now())
