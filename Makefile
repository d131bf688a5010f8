# Needs python3 (3.11 or newer, with venv and pip), make and git; no CUDA toolkit and no GPU.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup verify test lint bench bench-paper bench-scaling corpus coverage barriers fuzz oracle hostile api clean

help: ## shows this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## creates .venv, installs, and warms numba's cache (again only when pyproject.toml changed)

$(STAMP): pyproject.toml
	@echo "setup: creating $(VENV) and installing (once, some minutes) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/volta-pipe doctor --warm
	@touch $@

verify: setup ## proves (or refutes) every example and compares with what its contract expects
	@$(BIN)/python -m volta_pipe.driver.expectations examples/*/volta.toml

test: setup ## runs the tests
	@$(BIN)/python -m pytest

lint: setup ## ruff and mypy --strict
	@$(BIN)/ruff check .
	@$(BIN)/mypy

bench: setup ## prints the speed of the stages, and ours against Z3 where the extra [bench] is installed
	@$(BIN)/python -m bench

bench-paper: setup ## makes docs/paper.md: the paper's evaluation on our own kernels, ten minutes (one row: python -m bench.paper --row NAME)
	@$(BIN)/python -m bench.paper

bench-scaling: setup ## makes docs/scaling.md and its plots: how time and memory grow, and where time goes, six minutes (one study: python -m bench.scaling --study NAME)
	@$(BIN)/python -m bench.scaling

corpus: setup ## makes the PTX under tests/corpus again, where nvcc, NVRTC, Triton, TileLang and numba-cuda are installed
	@$(BIN)/python tests/corpus/make.py

coverage: setup ## makes docs/coverage.md: every file of tests/corpus against its contract and NumPy (ten minutes, cached in the store)
	@$(BIN)/python tests/corpus/cover.py

barriers: setup ## makes docs/barriers.md: what happens without each barrier of the kernels that are proved
	@$(BIN)/python tests/corpus/barriers.py

fuzz: setup ## compares the verdicts on 10,000 random pairs of expressions with their values (some minutes)
	@$(BIN)/python -m tests.decision

oracle: setup ## compares the checker with all schedules of 20,000 random tiny programs (a quarter of an hour)
	@$(BIN)/python -m tests.oracle

hostile: setup ## mutates 1,000 artifacts and records, kills 200 runs, and runs two at once on one store (a quarter of an hour)
	@$(BIN)/python -m tests.store

api: setup ## makes docs/api.md from the docstrings of the Python API
	@$(BIN)/python docs/make_api.py

clean: ## removes caches and artifacts, not .venv
	@rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find artifacts -mindepth 1 ! -name README.md -delete
	@rm -rf __pycache__
	@find ir passes driver volta_pipe tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
