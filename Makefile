# Needs Python 3.11 or newer with venv, and make. Everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test proof soak mutate excepts bench lint types layers check up down clean

help:  ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

demo: $(STAMP)  ## the main job on real version histories, on a real Neo4j and a real Valkey
	@$(BIN)/telha demo

test: $(STAMP)  ## the whole test suite, against one shared server
	@$(BIN)/pytest -n 2 -m "not proof and not soak"

proof: $(STAMP)  ## what takes minutes each: graphs and histories beside models, real corpora, whole servers
	@$(BIN)/pytest -n 2 -m "proof and not soak"

soak: mutate excepts  ## the long repetitions: mutants, graphs, histories, kills, restarts
	@$(BIN)/pytest -m soak

mutate: $(STAMP)  ## plants mistakes in app/core and in the Cypher files; the tests must find nearly all
	@TELHA_EXAMPLES=fixed $(BIN)/mutmut run --max-children 1
	@$(BIN)/mutmut export-cicd-stats
	@$(BIN)/python -m tests.mutation.core
	@$(BIN)/python -m tests.mutation

excepts: $(STAMP)  ## the suite under coverage: some test must run every `except` branch of app
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -m "not soak"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/python -m tests.excepts

bench: $(STAMP)  ## speed as ratios, floor and product side by side; `make bench SMALL=--small` shows that it runs
	@$(BIN)/python -m benchmarks $(SMALL)

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP)
	@$(BIN)/mypy

layers: $(STAMP)
	@$(BIN)/lint-imports --no-logo

check: lint types layers  ## lint, types and layer contracts

up: $(STAMP)  ## start the local stack: Neo4j, Valkey, worker, beat
	@$(BIN)/telha local up

down: $(STAMP)  ## stop what `make up` started
	@$(BIN)/telha local down

clean:  ## stop the local stacks of this checkout; remove them and .venv
	@if [ -x $(BIN)/telha ]; then \
	  for home in .telha .telha-test .telha-bench .telha-mutants; do TELHA_HOME=$$home $(BIN)/telha local down; done; fi
	rm -rf .telha .telha-test .telha-bench .telha-mutants mutants .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Telha needs Python 3.11 or newer; '$(PYTHON)' is not. Try: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' has no venv module. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing into .venv (first time: about a minute)"
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
