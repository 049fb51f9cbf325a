# What a newcomer needs: `make run`. While one works: `make quick`. What CI runs: `make check test`.
PORT ?= 8787
DATA ?= .data
ENDPOINT ?= http://127.0.0.1:8000
PYTEST_ARGS ?=

ROOMS := conversation intent agent edge

PYTHON := $(shell for p in python3.13 python3.12 python3.11 python3; do \
  if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
BIN := .venv/bin
STAMP := .venv/.dev
# A test waits for other processes now and then: one worker more than there are processors works meanwhile.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
SAM := .venv-sam/bin/sam
LINTERS := .venv-lint/bin/checkov
STAND_IN := .venv-rehearsal/bin/python
REHEARSAL_ARGS ?=
PAGE := web/dist/index.html
PAGE_SOURCES := $(shell find web \( -name node_modules -o -name dist -o -name tests \) -prune -o -type f -print)
MODULES := web/node_modules/.package-lock.json
# A Node of the machine that is new enough, else one from the package index.
NODE := $(shell node -p '[a, b] = process.versions.node.split(".").map(Number), a > 20 || a == 20 && b > 18 ? "its own" : ""' \
  2>/dev/null)
NODE_PACKAGE := .venv-node/bin/node
ANY_NPM := $(if $(NODE),,PATH="$(CURDIR)/.venv-node/bin:$$PATH") npm
NPM := cd web && $(ANY_NPM)
# What evaluates IAM policies; for tests alone.
POLICIES := tests/policies/node_modules/.package-lock.json
# The official clients of the wires; for tests alone.
CLIENTS := tests/clients/node_modules/.package-lock.json
LAYER_TARGET := --python-version 3.13 --python-platform aarch64-manylinux_2_28 --only-binary :all:
BUILT_FROM := layers functions requirements template.yaml samconfig.toml Makefile
# Lambda's name of the processor, and uv's.
ARCHITECTURE ?= arm64
OTHER := $(if $(filter x86_64,$(ARCHITECTURE)),arm64,x86_64)
PLATFORM := $(if $(filter x86_64,$(ARCHITECTURE)),x86_64,aarch64)-manylinux_2_28

export SAM_CLI_TELEMETRY := 0

.DEFAULT_GOAL := help
.PHONY: help setup run page test quick check rules types collected build validate local-table local-env publish-page restore-drill rehearse \
	openapi lock bench costs clean answers pieces catalogue train-intent train-acts train-questions

help:  ## these lines
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

setup: $(STAMP)  ## a virtual environment with the locked development requirements

run: setup  ## the local twin on PORT (8787), its data in DATA (.data)
	@$(MAKE) --no-print-directory page || echo "The page could not be built; the API is served without it."
	$(BIN)/python -m local serve --port $(PORT) --data $(DATA)

page: $(PAGE)  ## the chat page, where it is missing or stale

test: setup $(SAM) $(LINTERS) page $(POLICIES) $(CLIENTS)  ## all tests, and which ten took longest
	$(NPM) test
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --durations=10 $(PYTEST_ARGS)

quick: setup  ## the tests without servers, browsers, builds and litellm, within 90 seconds; PYTEST_ARGS=-x stops at the first failure
	$(BIN)/pytest -n auto --dist loadfile -m "not slow" tests/unit tests/contract tests/integration $(PYTEST_ARGS)

check: rules types  ## format, lint, types, imports; two at a time with --jobs 2

rules: setup $(MODULES)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(NPM) run check

types: setup
	$(BIN)/mypy

# Each worker of the tests would rewrite the assertions of all of them, at the same time.
collected: setup
	-$(BIN)/pytest --collect-only --quiet > /dev/null

build: setup $(SAM)  ## functions and layers as they are deployed, for ARCHITECTURE (arm64), in .aws-sam; unchanged ones are kept
	@# Bytecode in the sources would look like a change to sam's cache.
	@find layers functions -name __pycache__ -prune -exec rm -rf {} +
	@# sam parses the template three times, and deletes and copies 240 MB, even if nothing changed.
	@from="$(ARCHITECTURE) $$(find $(BUILT_FROM) -type f -exec cksum {} + | sort | cksum)"; \
	if test "$$from" = "$$(cat .aws-sam/build/built-from 2>/dev/null)"; then echo "Nothing changed since the last build."; else \
	  LAYER_PLATFORM=$(PLATFORM) $(SAM) build --cache-dir .aws-sam/cache-$(ARCHITECTURE) \
	    --parameter-overrides Architecture=$(ARCHITECTURE) && echo "$$from" > .aws-sam/build/built-from; \
	fi
	@# What was built for one processor can't be deployed for the other. Each build is a release: its versions are new.
	@sed -i.orig -e "s/RELEASE: .*/RELEASE: r$$(date +%s)/" -e '/^  Architecture:$$/,/^  [A-Z]/{s/Default: .*/Default: $(ARCHITECTURE)/;/^ *- $(OTHER)$$/d;}' \
	  .aws-sam/build/template.yaml && rm .aws-sam/build/template.yaml.orig

validate: $(SAM)  ## the template
	$(SAM) validate --lint

local-table: setup  ## the table for sam local, on ENDPOINT (http://127.0.0.1:8000)
	$(BIN)/python -m local local-table --endpoint $(ENDPOINT)

local-env: setup  ## variables for sam local that accept tokens of the twin of DATA, in .aws-sam/local-env.json
	@mkdir -p .aws-sam
	$(BIN)/python -m local local-env --data $(DATA) > .aws-sam/local-env.json

publish-page: setup page  ## the page into the deployed stack STACK, with the shell's AWS credentials
	$(BIN)/python -m local.publish_page $(STACK)

restore-drill: setup  ## a table restored as of a moment into a new one, on which conversations go on; on a stand-in for AWS
	$(BIN)/pytest -q -n0 tests/integration/operations/test_restore.py

rehearse: setup $(SAM) $(STAND_IN)  ## a deployment's life on a stand-in for AWS, within ten minutes; REHEARSAL_ARGS="--plant ttl" plants a fault
	$(BIN)/python -m tests.rehearsal $(REHEARSAL_ARGS)

openapi: setup $(MODULES)  ## the API's description, from the functions' routes, and the page's types from it
	$(BIN)/python -m local.openapi
	$(NPM) run api
	$(BIN)/python -m tests.unit.project.page_operations

answers: setup  ## the index of the answers about the product, from their texts
	$(BIN)/python -m training.answers

pieces: setup  ## what each match of an expression holds, read out of the expressions
	$(BIN)/python -m training.required_pieces

catalogue: setup  ## the catalogue of models, from the chosen ones and the installed litellm's prices
	$(BIN)/python -m training.model_catalogue

train-intent: setup  ## the offline tier's weights, from training/exemplars
	$(BIN)/python -m training.train

train-acts: setup  ## the weights that read a message's acts, from training/acts; the report takes a quarter of an hour more
	$(BIN)/python -m training.act_models.train
	$(BIN)/python -m training.act_models.report

train-questions: setup  ## the weights that tell questions about the workspace from others, from training and tests/evals
	$(BIN)/python -m training.question_subject

bench: setup  ## requests, units, import time and sizes beside their limits
	$(BIN)/python -m tests.benchmarks

costs: setup  ## what a turn and an idle month cost on AWS; fails when a turn takes other units than committed
	$(BIN)/python -m tests.benchmarks.costs

# uv takes a fifth of the time; pip knows an index that only its own configuration names.
PIP := pip install --quiet --disable-pip-version-check --require-hashes --no-deps
UV := pip install --quiet --require-hashes --no-deps
$(STAMP): requirements/dev.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found on PATH."; exit 1; }
	$(PYTHON) -m venv --clear .venv
	@sed -n '/^uv==/,/[^\\]$$/p' $< > .venv/uv.txt
	$(BIN)/python -m $(PIP) -r .venv/uv.txt
	$(BIN)/uv $(UV) --python $(BIN)/python -r $< || $(BIN)/python -m $(PIP) -r $<
	@# Imports read as they do on Lambda: every layer is a root.
	@printf '%s\n' $(ROOMS:%=$(CURDIR)/layers/%) > \
	  "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/omniforge_layers.pth"
	@touch $@

$(SAM): requirements/sam.txt | $(STAMP)
	$(PYTHON) -m venv --clear .venv-sam
	$(BIN)/uv $(UV) --python .venv-sam/bin/python -r $< || .venv-sam/bin/python -m $(PIP) -r $<
	@touch $@

$(LINTERS): requirements/lint.txt | $(STAMP)
	$(PYTHON) -m venv --clear .venv-lint
	$(BIN)/uv $(UV) --python .venv-lint/bin/python -r $< || .venv-lint/bin/python -m $(PIP) -r $<
	@touch $@

$(STAND_IN): requirements/rehearsal.txt | $(STAMP)
	$$($(BIN)/python -c 'from tests.built.build import Interpreter; print(Interpreter.find().path)') -m venv --clear .venv-rehearsal
	$(BIN)/uv $(UV) --python $@ -r $< || $@ -m $(PIP) -r $<
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(MODULES)
	$(NPM) run build

$(MODULES): web/package-lock.json $(if $(NODE),,$(NODE_PACKAGE))
	$(NPM) ci
	@touch $@

$(POLICIES): tests/policies/package-lock.json $(if $(NODE),,$(NODE_PACKAGE))
	cd tests/policies && $(ANY_NPM) ci
	@touch $@

$(CLIENTS): tests/clients/package-lock.json $(if $(NODE),,$(NODE_PACKAGE))
	cd tests/clients && $(ANY_NPM) ci
	@touch $@

$(NODE_PACKAGE): requirements/node.txt
	$(PYTHON) -m venv --clear .venv-node
	.venv-node/bin/python -m $(PIP) -r $<
	@touch $@

# What a layer or the runtime already brings is left out of the layers above it.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-annotate --no-header --no-emit-index-url \
  --no-emit-find-links --constraints denied.txt
RUNTIME_BRINGS := boto3 botocore s3transfer jmespath python-dateutil six
# Tokenizers of Hugging Face, which litellm's client imports only if it is told to.
UNUSED := hf-xet huggingface-hub tokenizers fsspec
lock: setup  ## remake the locks from requirements/*.in
	cd requirements && set -e && uv() { ../$(COMPILE) "$$@"; } && \
	uv $(LAYER_TARGET) -o conversation.txt conversation.in && \
	uv $(LAYER_TARGET) -c conversation.txt -o edge.txt edge.in \
	  $$(for p in $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' conversation.txt); do echo --no-emit-package $$p; done) && \
	uv $(LAYER_TARGET) -c conversation.txt -c edge.txt -o authorizer.txt authorizer.in && \
	uv $(LAYER_TARGET) -c conversation.txt -c edge.txt -c authorizer.txt -o litellm.txt litellm.in \
	  $$(for p in $(RUNTIME_BRINGS) $(UNUSED) $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' conversation.txt); do \
	    echo --no-emit-package $$p; done) && \
	uv $(LAYER_TARGET) -c conversation.txt -c edge.txt -c authorizer.txt -c litellm.txt -o mcp.txt mcp.in \
	  $$(for p in $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' conversation.txt) pycparser uvicorn click; do \
	    echo --no-emit-package $$p; done) && \
	uv $(LAYER_TARGET) -c mcp.txt --no-emit-package pycparser -o sealing.txt sealing.in && \
	uv $(LAYER_TARGET) -o enrichment.txt enrichment.in && \
	uv $(LAYER_TARGET) -o runtime.txt runtime.in && \
	uv --universal --python-version 3.11 --override overrides.txt -o dev.txt dev.in && \
	uv --universal --python-version 3.11 -o sam.txt sam.in && \
	uv --universal --python-version 3.11 -o lint.txt lint.in && \
	uv --universal --python-version 3.11 -o node.txt node.in && \
	uv --universal --python-version 3.11 --override overrides.txt -o rehearsal.txt rehearsal.in

clean:  ## everything that can be made again; never DATA
	rm -rf .venv .venv-sam .venv-lint .venv-node .venv-rehearsal web/node_modules web/dist tests/policies/node_modules tests/clients/node_modules .aws-sam .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
