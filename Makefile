# Every target does its own set-up: git, make and Python 3.11 or newer with pip are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup test test-world check demo bench vectors fuzz clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

setup: $(READY) ## the environment in .venv, nothing else

# A Python without ensurepip cannot put pip into a venv; its own pip can then install from outside.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'mbp needs Python 3.11 or newer: make PYTHON=python3.12 ...' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || $(PYTHON) -m venv --without-pip $(VENV)
	@echo 'setting up $(VENV), once'
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; \
	then pip='$(BIN)/python -m pip'; \
	else pip='$(PYTHON) -m pip --python $(BIN)/python'; fi; \
	$$pip --disable-pip-version-check install --quiet --editable '.[dev]'
	@touch $@

check: $(READY) ## format, lint, types and layers; no tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check ## everything that must hold
	$(BIN)/pytest -n 2 --dist worksteal

test-world: $(READY) ## what needs Debian packages: browser, cluster; installs them, as root
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; \
	then pip='$(BIN)/python -m pip'; \
	else pip='$(PYTHON) -m pip --python $(BIN)/python'; fi; \
	$$pip --disable-pip-version-check install --quiet --editable '.[dev,cluster]'
	tests/world/run.sh $(BIN)/python $(VENV)/world

demo: $(READY) ## two players, a whole match, a stranger's audit
	$(BIN)/mbp demo

bench: $(READY) ## figures: times, sizes, play-outs
	$(BIN)/python -m tests.bench

vectors: $(READY) ## writes tests/vectors anew
	$(BIN)/python -m tests.vectors.generate

fuzz: $(READY) ## hostile bytes and mutated matches, until stopped
	$(BIN)/python -m tests.chain.fuzz

clean: ## removes what the other targets made
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find mbp tests -name __pycache__ -type d -prune -exec rm -rf {} +
