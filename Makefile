# What a newcomer needs: `make run`. What CI runs: `make check test`.
PORT ?= 8787
DATA ?= .data
PYTEST_ARGS ?=

ROOMS := conversation intent agent edge

PYTHON := $(shell for p in python3.13 python3.12 python3.11 python3; do \
  if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
BIN := .venv/bin
STAMP := .venv/.dev
SAM := .venv-sam/bin/sam
LAYER_TARGET := --python-version 3.13 --python-platform aarch64-manylinux_2_28 --only-binary :all:

export SAM_CLI_TELEMETRY := 0

.DEFAULT_GOAL := help
.PHONY: help setup run test check build validate openapi lock bench clean train-intent

help:  ## these lines
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

setup: $(STAMP)  ## a virtual environment with the locked development requirements

run: setup  ## the local twin on PORT (8787), its data in DATA (.data)
	$(BIN)/python -m local serve --port $(PORT) --data $(DATA)

test: setup $(SAM)  ## all tests
	$(BIN)/pytest -n auto --dist loadfile $(PYTEST_ARGS)

check: setup  ## format, lint, types, imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

build: setup $(SAM)  ## functions and layers as they are deployed, in .aws-sam; unchanged layers are kept
	@# Bytecode in the sources would look like a change to sam's cache.
	@find layers functions -name __pycache__ -prune -exec rm -rf {} +
	$(SAM) build

validate: $(SAM)  ## the template
	$(SAM) validate --lint

openapi: setup  ## the API's description, from the functions' routes
	$(BIN)/python -m local.openapi

train-intent: setup  ## the offline tier's weights, from training/exemplars
	$(BIN)/python -m training.intent

bench: setup  ## requests, units, import time and sizes beside their limits
	$(BIN)/python -m tests.benchmarks

$(STAMP): requirements/dev.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found on PATH."; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@# Imports read as they do on Lambda: every layer is a root.
	@printf '%s\n' $(ROOMS:%=$(CURDIR)/layers/%) > \
	  "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/omniforge_layers.pth"
	@touch $@

$(SAM): requirements/sam.txt
	$(PYTHON) -m venv --clear .venv-sam
	.venv-sam/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

# What a layer or the runtime already brings is left out of the layers above it.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-annotate --no-header --no-emit-index-url \
  --no-emit-find-links
RUNTIME_BRINGS := boto3 botocore s3transfer jmespath python-dateutil six
UNUSED := hf-xet
lock: setup  ## remake the locks from requirements/*.in
	cd requirements && set -e && uv() { ../$(COMPILE) "$$@"; } && \
	uv $(LAYER_TARGET) -o conversation.txt conversation.in && \
	uv $(LAYER_TARGET) -c conversation.txt -o edge.txt edge.in && \
	uv $(LAYER_TARGET) -c conversation.txt -c edge.txt -o authorizer.txt authorizer.in && \
	uv $(LAYER_TARGET) -c conversation.txt -c edge.txt -c authorizer.txt -o intent.txt intent.in \
	  $$(for p in $(RUNTIME_BRINGS) $(UNUSED) $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' conversation.txt); do \
	    echo --no-emit-package $$p; done) && \
	uv $(LAYER_TARGET) -o runtime.txt runtime.in && \
	uv --universal --python-version 3.11 -o dev.txt dev.in && \
	uv --universal --python-version 3.11 -o sam.txt sam.in

clean:  ## everything that can be made again; never DATA
	rm -rf .venv .venv-sam .aws-sam .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
