"""The kinds of workspaces: their words and their tabs. A row here, a router, a handler: that is a kind."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.store.courses import CourseRole


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a workspace: the last part of its address, and its name."""

    path: str
    title: str
    role: CourseRole = "assistant"
    """Who sees it: this role in the course, and those above."""


SHARED = (Tab("trust", "Trust", "reviewer"), Tab("exports", "Exports"), Tab("history", "History"))


@dataclass(frozen=True, slots=True)
class WorkspaceKind:
    """A kind of workspace; its pages live under `/<path>`."""

    path: str
    title: str
    item: str
    """What is reviewed, one of them: a submission, an essay, a response."""
    items: str
    promise: str
    action: str
    """The words of the link on the home page."""
    tabs: tuple[Tab, ...]


KINDS: Mapping[str, WorkspaceKind] = {
    kind.path: kind
    for kind in (
        WorkspaceKind(
            "essays",
            "Essays",
            "essay",
            "essays",
            "A score with its reasons, and advice a student can act on.",
            "Score essays",
            (
                Tab("submissions", "Submissions", "reviewer"),
                Tab("model", "Model"),
                Tab("insights", "Insights", "reviewer"),
                *SHARED,
            ),
        ),
        WorkspaceKind(
            "annotations",
            "Annotations",
            "submission",
            "submissions",
            "Submissions against a ground truth: found, missed, extra, and how well.",
            "Grade annotations",
            (
                Tab("submissions", "Submissions", "reviewer"),
                Tab("rules", "Rules"),
                Tab("insights", "Insights", "reviewer"),
                *SHARED,
            ),
        ),
        WorkspaceKind(
            "evaluation",
            "Evaluation",
            "response",
            "responses",
            "Two columns, human and system: every agreement figure with its margin of error.",
            "Evaluate a score table",
            (Tab("report", "Report", "reviewer"), Tab("engines", "Engines"), Tab("columns", "Columns"), *SHARED),
        ),
        WorkspaceKind(
            "panels",
            "Judges",
            "item",
            "items",
            "People and LLM judges on the same items: may a judge replace a rater?",
            "Compare judges with people",
            (Tab("report", "Report", "reviewer"), Tab("columns", "Columns"), *SHARED[1:]),
        ),
    )
}
