# wgpt: `make` alone says what there is.

VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
STAMP := $(VENV)/wgpt-setup.stamp
TOOLS := $(VENV)/wgpt-tools.stamp

# Container images set this; without compiled modules every process of the tests, and of `make demo`, would spend 1.7 s
# on compiling them.
export PYTHONDONTWRITEBYTECODE :=

# The Vulkan loader complains where nobody has set this; a private directory quiets it.
ifndef XDG_RUNTIME_DIR
XDG_RUNTIME_DIR := $(shell d="$${TMPDIR:-/tmp}/wgpt-runtime-$$(id -u)"; \
	mkdir -m 700 "$$d" 2>/dev/null || { [ -O "$$d" ] && [ ! -L "$$d" ]; } || d="$$(mktemp -d)"; echo "$$d")
export XDG_RUNTIME_DIR
endif

.PHONY: help setup driver early-driver model demo verify test test-full test-slow test-turn smoke digests lint docs clean

help:
	@echo 'make demo    set up, get a small model (92 MB, once), and have it answer a question'
	@echo 'make verify  set up, check every kernel on this machine'"'"'s best GPU'
	@echo 'make test    set up, run the quick tier of the tests'
	@echo 'make test-full   the same, and then the full tier'
	@echo 'make test-slow   the slow tier; make test-turn is the eighth of it whose turn it is'
	@echo 'make smoke   set up, run a few tests only (under a minute)'
	@echo 'make digests     record the kernels whose shaders have changed, once they pass on all their cases'
	@echo 'make lint    set up, ruff and mypy'
	@echo 'make docs    set up, build the documentation into build/site'
	@echo 'make setup   the virtual environment $(VENV) with all tools, a Vulkan driver where there is none, and a browser'
	@echo 'make clean   remove $(VENV), caches and build output'
	@echo
	@echo 'PYTHON=python3.12 chooses the Python (3.11 or newer) for the environment;'
	@echo 'WGPT_GPU=1 or WGPT_GPU=nvidia chooses the GPU to run on.'

# The environment is made again only when pyproject.toml has changed; the driver and the browser
# are looked at every time (a second), because they can change without us.
setup: driver $(TOOLS)
	@bash scripts/setup-browser $(BIN)/python
	@bash scripts/setup-node $(BIN)/python
	@bash scripts/setup-nginx

driver: early-driver $(STAMP)
	@bash scripts/setup-driver $(BIN)/python

# apt installs a driver while pip works, where make may do several things at once.
early-driver: $(VENV)/pyvenv.cfg
	@bash scripts/setup-driver --early $(BIN)/python

$(VENV)/pyvenv.cfg:
	@PYTHON='$(PYTHON)' bash scripts/setup-venv --venv $(VENV)

$(STAMP): pyproject.toml scripts/setup-venv | $(VENV)/pyvenv.cfg
	@PYTHON='$(PYTHON)' bash scripts/setup-venv --package $(VENV)
	@touch $@

# What tests, lint and the site need.
$(TOOLS): pyproject.toml scripts/setup-venv | $(STAMP)
	@PYTHON='$(PYTHON)' bash scripts/setup-venv $(VENV)
	@touch $@

model: $(STAMP)
	@$(BIN)/wgpt pull >/dev/null

demo:
	@$(MAKE) --no-print-directory -j3 driver model
	$(BIN)/wgpt info --brief
	$(BIN)/wgpt run "What is the capital of France?"

verify: driver
	$(BIN)/wgpt verify

# Where lavapipe is the GPU, GALLIVM_PERF=nopt leaves out its compiler's optimisation passes: tests that spend most of
# their time there take a quarter less. Others would take longer: a real model runs at a third of its rate then.
# On x86-64, shaders for vectors of 128 bits, which is what it has on ARM, are compiled in 60 % of the time, and run about as
# fast. What compiles little in `make test`, and the slow tier, keep the vectors of the machine, so that both are tried.
NARROW := LP_NATIVE_VECTOR_WIDTH=128
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

test: setup
	$(NARROW) GALLIVM_PERF=nopt $(PYTEST) -m "not full and not slow and compiling"
	$(PYTEST) -m "not full and not slow and not compiling"

test-full: test
	$(NARROW) GALLIVM_PERF=nopt $(PYTEST) -m "full and compiling"
	$(NARROW) $(PYTEST) -m "full and not compiling"

test-slow: setup
	GALLIVM_PERF=nopt $(PYTEST) -m "slow and compiling"
	$(PYTEST) -m "slow and not compiling"

# A CI that counts its runs gives their number: then every eight runs in sequence have all slow tests.
TURN ?= $(shell bash scripts/turn)
test-turn: setup
	GALLIVM_PERF=nopt $(PYTEST) -m "slow and compiling" --turn $(TURN)
	SOAK_SECONDS=120 $(PYTEST) -m "slow and not compiling" --turn $(TURN)

# Kernels whose shaders have changed, tried on all their cases and then recorded: tests/contracts/recorded.py.
digests: driver $(TOOLS)
	$(NARROW) GALLIVM_PERF=nopt $(BIN)/python -m tests.contracts.recorded

smoke: driver $(TOOLS)
	$(BIN)/python -m pytest tests/test_smoke.py

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(TOOLS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache src/*.egg-info
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
