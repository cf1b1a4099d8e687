# Everything one does with the checkout, by one word. `make help` lists the words.
# Needs Python 3.11, 3.12 or 3.13 and git; the rest goes into .venv.

SHELL := /bin/bash
VENV  := .venv
BIN   := $(VENV)/bin
PIP   := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
READY := $(VENV)/.ready
RUNTIME := $(VENV)/.runtime
ENGINES := $(VENV)/.engines
DEMO  := demo-output

# Without bytecode every command that a test starts would parse the whole package again.
unexport PYTHONDONTWRITEBYTECODE

# The first interpreter that runs and is of a version we support; set PYTHON to choose another.
SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python; do \
	"$$each" -c '$(SUPPORTED)' >/dev/null 2>&1 && { echo "$$each"; break; }; done)

.DEFAULT_GOAL := help
.PHONY: help setup demo web test test-all test-engines check layers bench torture docs format stubs changelog clean

help: ## List these words
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: $(READY) ## Make .venv, install sdckit with all it needs and compile its kernels
	@$(BIN)/sdckit warm-up --quiet >/dev/null

# Installs sdckit with the extras in brackets that are passed, into a .venv that is made if there is none. uv takes a sixth
# of the time of pip, which is used where uv cannot be had or does not know the package index that pip is set up for.
define install
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11, 3.12 or 3.13 was found; install one, or name it: make PYTHON=/path/to/python3" >&2; exit 2; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@echo "Installing sdckit$(1) into $(VENV); the first time takes up to two minutes."
	@$(PIP) uv >/dev/null 2>&1 && VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --editable '.$(1)' 2>/dev/null \
		|| { $(PIP) --upgrade pip && $(PIP) --editable '.$(1)'; }
endef

$(READY): pyproject.toml
	$(call install,[dev])
	@touch $(RUNTIME) $@

$(RUNTIME): pyproject.toml
	$(call install,[report])
	@touch $@

# Spark and the driver of Postgres, half a gigabyte, are installed for the tests that need them only. The commas of a
# list would separate the arguments of a call.
ALL_EXTRAS := [dev,spark,postgres]
$(ENGINES): pyproject.toml
	$(call install,$(ALL_EXTRAS))
	@touch $(RUNTIME) $(READY) $@

demo: $(RUNTIME) ## Protect, attack and measure a generated file; leaves a report
	@$(BIN)/sdckit demo --out $(DEMO) --force

web: $(READY) ## Open the web app with the sample file in the browser
	@$(BIN)/sdckit web --sample

# Types are checked by `make check`, which takes another minute.
test: $(READY) ## Check the style, and run all tests but the slow ones
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow" --hypothesis-profile quick

test-all: $(ENGINES) check ## Check, then run every test
	$(name-missing-engines)
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

test-engines: $(ENGINES) ## Run the tests that start Spark or Postgres
	$(name-missing-engines)
	$(BIN)/python -m pytest -q tests/engines/test_spark.py tests/every_command/test_spark.py tests/files/test_postgres.py

define name-missing-engines
	@command -v java >/dev/null || test -n "$$JAVA_HOME" || echo "Spark is not tested: it needs Java 17, in Debian \
	openjdk-17-jre-headless, elsewhere a JDK unpacked anywhere and JAVA_HOME=/path/to/jdk." >&2
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo "Postgres is not tested: it needs Debian's package postgresql." >&2
endef

check: $(READY) ## Format, lint, types and layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py

# Words behind `bench` name benchmarks: `make bench scale_goals`.
ifeq (bench,$(firstword $(MAKECMDGOALS)))
BENCHMARKS := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
.PHONY: $(BENCHMARKS)
$(BENCHMARKS): bench ; @:
endif

bench: $(READY) ## Time the kernels and methods; `make bench scale_goals` times what is named
	$(BIN)/python -m benchmarks $(BENCHMARKS)

torture: $(READY) ## Try to break it for hours: kills, mutated inputs, leaks, seeds, oracles, chains, mutants
	$(BIN)/python -m torture

docs: $(READY) ## Build the documentation into site/, warnings as errors
	$(BIN)/mkdocs build --strict

format: $(READY) ## Set the code in the house style
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

stubs: $(READY) ## Write the type stubs and JSON Schemas that follow from the catalogue
	$(BIN)/python -m tools.stubs
	$(BIN)/python -m tools.json_schemas
	$(BIN)/python -m tools.known_laws

changelog: $(READY) ## Show what the next release will say
	$(BIN)/towncrier build --draft

clean: ## Remove what was built, and .venv
	rm -rf $(VENV) $(DEMO) site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
