"""Builds the compiled kernel with the package, where there is a C compiler; without one the package goes without it.

Run by hatchling for wheels and for editable installs; by hand it builds in place:

    python hatch_build.py             # src/assay/_kernel.abi3.so
    python hatch_build.py --strict    # warnings are errors
    python hatch_build.py --sanitize  # with AddressSanitizer and UndefinedBehaviorSanitizer, for fuzz/sanitized.py
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # by hand
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "kernel"
BUILT = ROOT / "src" / "assay" / "_kernel.abi3.so"
# without contraction a product is rounded before it is added to, as numpy does it: both give the same digits
FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-fno-strict-aliasing", "-fvisibility=hidden", "-fPIC")
STRICT = ("-Wall", "-Wextra", "-Werror")
SANITIZE = ("-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")


NOT_BUILT = "The compiled kernel was not built"


class BuildError(Exception):
    """Why there is no kernel."""


class NoCompiler(BuildError):
    """There is nothing to build it with."""


def build(target: Path = BUILT, *, flags: tuple[str, ...] = ()) -> Path:
    """The kernel, compiled and linked; BuildError says why it cannot be."""
    compiler = shlex.split(os.environ.get("CC", "") or "cc")
    include = Path(sysconfig.get_paths()["include"])
    if sys.platform == "win32" or shutil.which(compiler[0]) is None:
        raise NoCompiler("there is no C compiler (cc, or the one that CC names)")
    if not (include / "Python.h").exists():
        raise NoCompiler(f"Python's header files are not in {include}")
    link = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
    sources = [str(source) for source in sorted(SOURCES.glob("*.c"))]
    unfinished = target.with_suffix(f".{os.getpid()}.part")
    command = [*compiler, *FLAGS, *flags, "-shared", *link, f"-I{include}", *sources, "-o", str(unfinished), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{' '.join(compiler)} failed:\n{done.stderr.strip()}")
        unfinished.replace(target)  # a process that has the old one loaded keeps it
    finally:
        unfinished.unlink(missing_ok=True)
    return target


class KernelBuildHook(BuildHookInterface):  # type: ignore[misc,type-arg,unused-ignore]
    """Adds the kernel to a wheel, and tags the wheel for this platform; leaves both as they are without a compiler."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        try:
            build()
        except (BuildError, OSError) as problem:
            self.app.display_warning(
                f"The compiled kernel was not built, so annotations are scored more slowly: {problem}"
            )
            return
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
        if version != "editable":
            build_data["force_include"][str(BUILT)] = "assay/_kernel.abi3.so"


if __name__ == "__main__":
    asked = set(sys.argv[1:])
    chosen = (*(STRICT if "--strict" in asked else ()), *(SANITIZE if "--sanitize" in asked else ()))
    try:
        print(build(flags=chosen))
    except NoCompiler as problem:
        print(f"{NOT_BUILT}: {problem}", file=sys.stderr)
    except BuildError as problem:
        sys.exit(f"{NOT_BUILT}: {problem}")
