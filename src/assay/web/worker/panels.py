"""Handler: a table of ratings as a panel, its files and a few words."""

from assay import __version__
from assay.errors import InputError
from assay.provenance import Provenance
from assay.report.document.wording import counted
from assay.report.panel.first_screen import headline
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.evaluation import result_files
from assay.web.worker.worker import Handle, Outcome, Tools
from assay.web.workspaces.panels import options_of
from assay.web.workspaces.stored_settings import PanelJob
from assay.workflows.evaluation.panel import PanelResult, panel


def prepare(job: Leased, tools: Tools) -> Handle:
    """The table is opened, and the panel worked out, once."""
    settings = PanelJob.from_json(job.settings)
    path = tools.file(settings.digest, settings.suffix)
    provenance = Provenance(__version__, settings.command, {settings.source: settings.digest}, 0, settings.time)

    def handle(_: Leased) -> Outcome:
        try:
            options = options_of(settings.panel)
            result = panel(path, **options, source=settings.source, observer=tools.observer, provenance=provenance)
        except InputError as error:
            raise error.at(settings.source) from None
        document = result.document()
        files = result_files(document, result.tables(), tools.observer)
        best = max((judge.agreement.value for judge in result.panel.replacement.judges), default=None)
        score = best if best is not None and best == best else None  # noqa: PLR0124 - NaN is not itself
        return Outcome(words_of(result), score, {**files, "panel.json": result.json().encode()})

    return handle


def words_of(result: PanelResult) -> Json:
    """What pages say of a panel without opening its report."""
    shown = (result.panel.without or result.panel.replacement).judges
    passed = [judge for judge in shown if judge.verdict == "met"]
    design = result.panel.design
    return {
        "subtitle": result.document().subtitle,
        "headline": headline(result.panel),
        "count": f"{counted(design.items, 'item')}, {counted(len(design.people) + len(design.judges), 'rater')}",
        "state": f"{len(passed)} of {counted(len(shown), 'judge')} can replace a rater" if shown else "no judges",
        "verdict": "met" if passed else "unsure" if any(judge.verdict for judge in shown) else "idle",
        "figures": result.to_dict()["figures"],
    }
