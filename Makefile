# The commands of Homesteward. Each sets up what it needs; nothing is left to hand-work.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
UNIT := $(PYTEST) tests/unit -n auto --dist loadfile
POSTGRES := $(PYTEST) tests/unit tests/postgres -m postgres -n auto --dist loadfile
# Two at once, each with homes of its own: they wait for Home Assistant more than they work. A busy machine may take its time.
REAL := $(PYTEST) tests/hass tests/wire tests/browser -n 2 --dist loadfile --timeout 180
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo quick test soak lint bench eval picture screenshots

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/'

setup: ## Make the environment (.venv), and nothing else
	@scripts/bootstrap

demo: setup ## Start a real Home Assistant with a new demo home and three weeks of its past, and Homesteward beside it
	@$(BIN)/homesteward demo up --fresh --past 21d

quick: setup ## Unit tests without a database or a whole house, under a minute
	@$(UNIT) -m "not postgres and not house"

test: setup ## Everything: unit, PostgreSQL, real Home Assistant, wire formats, a real browser
	@$(UNIT) -m "not postgres"
	@$(POSTGRES)
	@$(REAL)

soak: setup ## Full matrices and fuzz at full size, for a night or a release
	@HOMESTEWARD_SOAK=1 $(UNIT) -m "not postgres" --timeout 1800
	@HOMESTEWARD_SOAK=1 $(POSTGRES) --timeout 1800
	@HOMESTEWARD_SOAK=1 $(REAL) --timeout 1800

lint: setup ## Formatting, lint, types, import floors
	@$(BIN)/ruff format --check src tests scripts bench
	@$(BIN)/ruff check src tests scripts bench
	@$(BIN)/mypy
	@scripts/typecheck-ha
	@$(BIN)/lint-imports
	@scripts/check-tree

bench: setup ## Measure speed and size against peers and limits; writes docs/benchmarks.md
	@$(BIN)/python -m bench

eval: setup ## Run the eval cases on real homes, and the public assist data with ASSIST=DIR
	@$(BIN)/homesteward eval evals/utterances.yaml --home ha-demo || failed=1; \
	for cases in evals/language/*.yaml; do $(BIN)/homesteward eval $$cases --home demo || failed=1; done; \
	if [ -n "$${ASSIST:-}" ]; then \
	  $(BIN)/homesteward eval "$$ASSIST/cases.json" --home "$$ASSIST/homes" --format assist --policy open || failed=1; \
	else echo "ASSIST is not set: the public assist data is absent and was not measured (docs/evals.md)"; fi; \
	exit $${failed:-0}

picture: setup ## Take the README's picture anew, of a real session
	@scripts/picture

screenshots: setup ## Take a picture of every page, light and dark, on a phone and a desktop, to build/screenshots
	@scripts/install-chromium
	@scripts/screenshots
