# make help lists the targets. Everything happens in .venv; nothing is installed outside it but, for `make test`,
# hipcc and its headers (see tools/install-hipcc.sh).
PYTHON ?= python3
ARGS ?=

bin := .venv/bin

.PHONY: help demo test lint bench docs stubs mapping-check mapping-facts clean distclean
.DEFAULT_GOAL := help

help:
	@echo "make demo       translate every kernel under kernels/ into out/demo, compile the results where hipcc is found,"
	@echo "                run them (on a CPU device where there is no AMD GPU) and compare with numpy"
	@echo "make test       install what the tests need, hipcc included where that is allowed, and run them (ARGS='-k name')"
	@echo "                HIPIFY_REQUIRE_HIPCC=1 makes a missing hipcc a failure, HIPCC=... names another one,"
	@echo "                HIPCC_CURRENT=... a second, newer one (tools/current-hipcc.sh makes one)"
	@echo "make lint       ruff and mypy --strict"
	@echo "make bench      measure the speed of the translator (ARGS go to benchmarks/run.py)"
	@echo "make docs       write the API-support pages to docs/api and bring the totals in docs/api-support.md up to date"
	@echo "make stubs      write the stub headers of all names, which libclang gets in place of an SDK, to out/stubs"
	@echo "make mapping-check  compare the mapping tables with real headers: HIP_ROOTS=\"/ ...\" HIP_VERSIONS=\"5.2 ...\""
	@echo "                CUDA_INCLUDES=\"...\" (docs/api-support.md says which; ARGS='--write' corrects the tables)"
	@echo "make mapping-facts  write what \`query\` shows of the headers (signatures, headers), from the last of HIP_ROOTS"
	@echo "make clean      remove what was built and cached; make distclean removes .venv too"

# A stamp for each set of requirements: the environment is made once and made anew when pyproject.toml changes.
$(bin)/python:
	@$(PYTHON) -m venv .venv || { echo "$(PYTHON) cannot make .venv: install the venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }

.venv/package.stamp: pyproject.toml | $(bin)/python
	$(bin)/python -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable .
	@touch $@

.venv/validate.stamp: pyproject.toml | $(bin)/python
	$(bin)/python -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable '.[validate]'
	@touch .venv/package.stamp $@

.venv/dev.stamp: pyproject.toml | $(bin)/python
	$(bin)/python -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable '.[dev]'
	@touch .venv/package.stamp .venv/validate.stamp $@

demo: .venv/validate.stamp
	@tools/demo.sh

test: .venv/dev.stamp
	@tools/install-hipcc.sh
	$(bin)/python -m pytest $(ARGS)

lint: .venv/dev.stamp
	$(bin)/python -m ruff check .
	$(bin)/python -m mypy --strict

bench: .venv/dev.stamp
	$(bin)/python benchmarks/run.py $(ARGS)

docs: .venv/package.stamp
	$(bin)/python -m hipify_py.mapping.pages docs/api --summary docs/api-support.md

stubs: .venv/package.stamp
	$(bin)/python -m hipify_py.clang.stub_files out/stubs

# Roots with usr/include/hip, their HIP versions, oldest first, and folders of CUDA headers, oldest first.
HIP_ROOTS ?= /
HIP_VERSIONS ?= 5.2
CUDA_INCLUDES ?=
mapping-facts: .venv/dev.stamp
	$(bin)/python -m hipify_py.mapping.signatures --hip-root $(lastword $(HIP_ROOTS)) $(CUDA_INCLUDES:%=--cuda-include %)
	$(bin)/python -m hipify_py.mapping.hip_headers --hip-root $(lastword $(HIP_ROOTS))

mapping-check: .venv/dev.stamp
	$(bin)/python -m hipify_py.mapping.check $(HIP_ROOTS:%=--hip-root %) $(HIP_VERSIONS:%=--hip-version %) \
		$(CUDA_INCLUDES:%=--cuda-include %) --second-reader $(ARGS)

clean:
	rm -rf out docs/api build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
