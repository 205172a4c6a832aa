# wgpt: `make` alone says what there is.

VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
STAMP := $(VENV)/wgpt-setup.stamp

# The Vulkan loader complains where nobody has set this; a private directory quiets it.
ifndef XDG_RUNTIME_DIR
XDG_RUNTIME_DIR := $(shell d="$${TMPDIR:-/tmp}/wgpt-runtime-$$(id -u)"; \
	mkdir -m 700 "$$d" 2>/dev/null || { [ -O "$$d" ] && [ ! -L "$$d" ]; } || d="$$(mktemp -d)"; echo "$$d")
export XDG_RUNTIME_DIR
endif

.PHONY: help setup driver demo verify test test-full test-slow smoke lint docs clean

help:
	@echo 'make demo    set up, get a small model (92 MB, once), and have it answer a question'
	@echo 'make verify  set up, check every kernel on this machine'"'"'s best GPU'
	@echo 'make test    set up, run the test suite'
	@echo 'make test-full   the same, and then what takes longest'
	@echo 'make test-slow   what takes too long even for that'
	@echo 'make smoke   set up, run the quick tests only (under a minute)'
	@echo 'make lint    set up, ruff and mypy'
	@echo 'make docs    set up, build the documentation into build/site'
	@echo 'make setup   the virtual environment $(VENV), a Vulkan driver where there is none, and a browser for the tests'
	@echo 'make clean   remove $(VENV), caches and build output'
	@echo
	@echo 'PYTHON=python3.12 chooses the Python (3.11 or newer) for the environment;'
	@echo 'WGPT_GPU=1 or WGPT_GPU=nvidia chooses the GPU to run on.'

# The environment is made again only when pyproject.toml has changed; the driver and the browser
# are looked at every time (a second), because they can change without us.
setup: driver
	@bash scripts/setup-browser $(BIN)/python
	@bash scripts/setup-node $(BIN)/python
	@bash scripts/setup-nginx

driver: $(STAMP)
	@bash scripts/setup-driver $(BIN)/python

$(STAMP): pyproject.toml scripts/setup-venv
	@PYTHON='$(PYTHON)' bash scripts/setup-venv $(VENV)
	@touch $@

demo: driver
	$(BIN)/wgpt info --brief
	$(BIN)/wgpt run "What is the capital of France?"

verify: driver
	$(BIN)/wgpt verify

# Where lavapipe is the GPU, GALLIVM_PERF=nopt leaves out its compiler's optimisation passes: tests that spend most of
# their time there take a quarter less. Others would take longer: a real model runs at a third of its rate then.
# On x86-64, shaders for vectors of 128 bits, which is what it has on ARM, are compiled in 60 % of the time, and run about as
# fast. `make test` keeps the vectors of the machine, so that both are tried.
NARROW := LP_NATIVE_VECTOR_WIDTH=128
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

test: setup
	GALLIVM_PERF=nopt $(PYTEST) -m "not full and compiling"
	$(PYTEST) -m "not full and not compiling"

test-full: test
	$(NARROW) GALLIVM_PERF=nopt $(PYTEST) -m "full and compiling and not slow"
	$(NARROW) $(PYTEST) -m "full and not compiling and not slow"

test-slow: setup
	$(NARROW) $(PYTEST) -m slow

smoke: driver
	$(BIN)/python -m pytest tests/test_smoke.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache src/*.egg-info
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
