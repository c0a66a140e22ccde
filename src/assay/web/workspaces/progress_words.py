"""How far a job is, as people read it."""

from assay.store.jobs import PieceStage, Progress
from assay.web.templating import duration, number


def progress_words(job: Progress) -> dict[str, str | int]:
    """A job as people read it: done of total, rate, time left."""
    rate = "" if job.rate is None else f"{job.rate:.0f} a second" if job.rate >= 1 else f"{60 * job.rate:.0f} a minute"
    together = job.is_open and 0 < job.total == job.done + job.failed
    left = "" if job.seconds_left is None or together else f"{duration(job.seconds_left)} left"
    failed = f"{number(job.failed)} failed" if job.failed else ""
    ended = {"done": "Done", "cancelled": "Stopped"}.get(job.state, "")
    waiting = "waiting for a worker" if job.state == "queued" else ""
    stage = _stage_words(job.stage) if job.stage and job.total == 1 else ""
    if together:
        rate = "putting all together"
    return {
        "state": job.state,
        "done": job.done + job.failed,
        "total": job.total,
        "count": f"{number(job.done + job.failed)} of {number(job.total)}",
        "detail": ", ".join(part for part in (ended, failed, stage, rate, left, waiting) if part) or "starting",
    }


def _stage_words(stage: PieceStage) -> str:
    """What a job of one piece is doing.

    >>> _stage_words(PieceStage("Evaluate engines", 3, 12)), _stage_words(PieceStage("Read", 0, None))
    ('Evaluate engines: 3 of 12', 'Read')
    """
    return stage.title if stage.total is None else f"{stage.title}: {number(stage.done)} of {number(stage.total)}"
