"""What `assay doctor` says is so, and something that is broken is called broken."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.kernel import kernel
from assay.operations.doctor import diagnose
from assay.store.database import open_database


def doctor(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["assay", "doctor", *words])
        with pytest.raises(SystemExit) as end:
            main()
    return int(end.value.code or 0), capfd.readouterr().out


def test_an_installation_that_works_exits_0_and_names_versions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    open_database(str(tmp_path / "a.db")).close()
    code, said = doctor(capfd, "--db", str(tmp_path / "a.db"), "--json")
    told = {finding["name"]: finding for finding in json.loads(said)["findings"]}
    assert code == 0
    assert {"assay", "libraries", "assay-scoring[web]", "temporary folder", "open files", "database"} <= told.keys()
    assert "numpy 2" in told["libraries"]["detail"]
    assert told["database"]["state"] == "ok"


def test_a_database_that_does_not_answer_is_broken(capfd: pytest.CaptureFixture[str]) -> None:
    code, said = doctor(capfd, "--db", "postgresql://nobody@127.0.0.1:1/none")
    assert code == 2
    assert "BROKEN  database" in said
    assert "Check that it is running" in said


def test_an_extra_that_is_missing_is_no_failure_and_says_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['typst'] = None\n"
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'typst' else real(name, *a)\n"
        "from assay.operations.doctor import diagnose\n"
        "print([f for f in diagnose(None) if f.name == 'assay-scoring[pdf]'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "state='missing'" in done.stdout
    assert "pip install 'assay-scoring[pdf]'" in done.stdout


def test_a_kernel_that_is_turned_off_or_absent_is_told_and_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> tuple[str, str]:
        (finding,) = [finding for finding in diagnose(None) if finding.name == "compiled kernel"]
        return finding.state, finding.detail

    assert told()[0] == ("ok" if kernel() else "missing")
    monkeypatch.setattr("assay.operations.doctor.kernel", lambda: None)
    assert told()[0] == "missing"
    assert "more slowly" in told()[1]
    monkeypatch.setenv("ASSAY_KERNEL", "off")
    assert told() == ("warning", "turned off by ASSAY_KERNEL")


def test_a_library_that_cannot_be_loaded_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "half_installed.py").write_text("raise ImportError('libgomp.so.1: no such file')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("assay.operations.doctor.PARTS", {"models": ("models", "half_installed")})
    broken = [finding for finding in diagnose(None) if finding.state == "broken"]
    assert [finding.name for finding in broken] == ["assay-scoring[models]"]
    assert "libgomp" in broken[0].detail


def test_a_temporary_folder_that_cannot_be_written_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("assay.operations.doctor.PARTS", {})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    (broken,) = [finding for finding in diagnose(None) if finding.state == "broken" and finding.name != "PDF"]
    assert broken.name == "temporary folder"
    assert "TMPDIR" in broken.remedy
