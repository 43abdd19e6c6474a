# Tacit: the commands. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SYSTEM := .cache/strace .cache/tmux .cache/openssl
CLIENT := .cache/client/.ready .cache/sdk/.ready
CONFORMANCE := .cache/conformance/.ready
OUTSIDE := tests/flow tests/realclient tests/conformance
LOG := .cache/inside.log
FAILED := .cache/failed
FAIL = { echo $@ >>$(FAILED); exit 1; }
INSIDE := $(filter-out $(OUTSIDE) tests/__pycache__,$(patsubst %/,%,$(wildcard tests/*/)))

.DEFAULT_GOAL := help
.PHONY: help demo test outside inside alone check fix docs bench campaign lock clean

help:  ## List the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): dev.lock pyproject.toml
	@echo "Setting up $(VENV): one time, from dev.lock with hashes"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tacit needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	@$(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || { echo "Installing python3-venv"; \
	  { apt-get -qq update && apt-get -qq install -y python3-venv; } >/dev/null 2>&1; $(PYTHON) -m venv --clear $(VENV); }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r dev.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

# what tests need of the system: fault injection, the client's screen, certificates
.cache/strace .cache/tmux .cache/openssl:
	@mkdir -p .cache
	@command -v $(@F) >/dev/null || { echo "Installing $(@F), which tests need"; \
	  { apt-get -qq update && apt-get -qq install -y $(@F); } >/dev/null 2>&1; } || \
	  { echo "$(@F) is needed for the tests and cannot be installed: install it, then run make test again"; exit 1; }
	@touch $@

.cache/client/.ready: tests/realclient/package.json tests/realclient/package-lock.json
	@echo "Installing the real client for tests in .cache/client: one time, from npm, by hash"
	@mkdir -p .cache/client && cp tests/realclient/package.json tests/realclient/package-lock.json .cache/client
	@npm ci --prefix .cache/client --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null && \
	  ls .cache/client/node_modules/@anthropic-ai/claude-code-*/claude >/dev/null || \
	  { echo "The real client cannot be installed: make test needs npm and a package registry, see the lines above"; exit 1; }
	@touch $@

.cache/sdk/.ready: tests/realclient/sdk.lock $(READY)
	@echo "Installing the client's SDK for tests in .cache/sdk: one time, from its lock with hashes"
	@rm -rf .cache/sdk
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --no-build-isolation \
	  --no-binary claude-agent-sdk --target .cache/sdk -r tests/realclient/sdk.lock || \
	  { echo "The client's SDK cannot be installed: make test needs a package index, see the lines above"; exit 1; }
	@touch $@

# the suite needs a newer Node than many systems have: it comes along, without what only builds need
.cache/conformance/.ready: tests/conformance/package.json tests/conformance/package-lock.json
	@echo "Installing the protocol's own tests in .cache/conformance: one time, from npm, by hash"
	@mkdir -p .cache/conformance && cp tests/conformance/package.json tests/conformance/package-lock.json .cache/conformance
	@npm ci --prefix .cache/conformance --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null && \
	  ls .cache/conformance/node_modules/node-*/bin/node >/dev/null || \
	  { echo "The protocol's tests cannot be installed: make test needs npm and a package registry, see the lines above"; exit 1; }
	@rm -rf .cache/conformance/node_modules/node-*/include .cache/conformance/node_modules/node-*/share
	@touch $@

demo: $(READY)  ## Show the main job end to end, in a throw-away home
	@$(BIN)/tacit demo

test: $(READY) $(SYSTEM) $(CLIENT) $(CONFORMANCE)  ## Set up and run everything CI runs: lint, types, floors, tests
	@$(MAKE) --no-print-directory check
	@rm -f $(FAILED)
	@echo "Tests: what runs programs beside what does not"
	@$(MAKE) --no-print-directory --keep-going --jobs=2 outside inside || true
	@cat $(LOG)
	@echo "Tests that need the machine for themselves"
	@$(MAKE) --no-print-directory alone || true
	@! test -e $(FAILED) || { echo "Failed: $$(sort $(FAILED) | tr '\n' ' ')(see above)"; exit 1; }

outside:
	@$(BIN)/python -m pytest -q -m "not long and not alone" $(OUTSIDE) || $(FAIL)

inside:
	@$(BIN)/python -m pytest -q -m "not long and not alone" $(INSIDE) >$(LOG) 2>&1 || $(FAIL)

alone:
	@$(BIN)/python -m pytest -q -m "alone and not long" || $(FAIL)

check: $(READY)  ## Format, lint, types, floors
	@echo "Format and lint"
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@echo "Types"
	@$(BIN)/mypy --no-error-summary
	@echo "Floors"
	@$(BIN)/lint-imports --no-cache | tail -n 4

fix: $(READY)  ## Format, fix what can be fixed, remake what is generated
	@$(BIN)/python -m tacit.guard.build_index > .index.py && mv .index.py src/tacit/guard/index.py
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/python docs/generate.py

docs: $(READY)  ## Remake the generated reference
	@$(BIN)/python docs/generate.py

bench: $(READY) .cache/client/.ready  ## Measure the hot paths, as ratios to a baseline of the same run
	@$(BIN)/python bench/hook.py
	@$(BIN)/python bench/redact.py
	@$(BIN)/python bench/ingest.py
	@$(BIN)/python bench/curate.py
	@$(BIN)/python bench/search.py --sizes 1000 10000
	@$(BIN)/python bench/brief.py
	@$(BIN)/python bench/server.py
	@$(BIN)/python bench/workspace.py
	@PYTHONPATH=tests $(BIN)/python bench/client.py

campaign: $(READY) $(SYSTEM)  ## The full fault campaigns that CI runs in a short form
	@$(BIN)/python -m pytest -q -m long -s

lock: $(READY)  ## Resolve the dependencies anew into dev.lock
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header \
	  --no-emit-index-url --extra dev pyproject.toml -o dev.lock

clean:  ## Remove what setting up and testing made
	@rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
