# Every target sets up its own virtual environment on first use; nothing else is
# needed but Python 3.11 or newer and make.
PYTHON ?= python3
BIN := .venv/bin

define NEW_VENV
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "onebit needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
$(PYTHON) -m venv .venv
endef

.PHONY: demo test lint types unit bodies torture brief-torture torture-serve bench bench-serve docs figure auto-figures clean

# Tests start some hundred processes of Python: each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# How long `make torture` runs.
MINUTES ?= 10

demo: .venv/demo  ## the main job: the papers' figures and tables, computed afresh
	$(BIN)/onebit reproduce --out out
	@echo "the report is out/report.html"

test: lint types unit bodies brief-torture  ## all that must hold before a change lands

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/ready
	$(BIN)/mypy

unit: .venv/ready
	$(BIN)/pytest -n auto --dist loadgroup -m "not long"

bodies: .venv/ready  ## the kernels as plain Python, and how many of their lines that runs
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto --dist loadgroup tests/contract tests/oracles \
	  tests/unit tests/theory tests/files tests/tables tests/streams/test_feedback.py \
	  tests/streams/test_transforms.py \
	  --cov --cov-report=term-missing:skip-covered

torture: .venv/ready  ## random hostile input, until something breaks or MINUTES are over
	$(BIN)/pytest -n auto --dist loadgroup -m long
	$(BIN)/python -m torture --minutes $(MINUTES)
	$(MAKE) torture-serve

brief-torture: .venv/ready  ## the same for 20 seconds, always the same cases
	$(BIN)/python -m torture --minutes 0.33 --first 1

bench: .venv/bench
	$(BIN)/python -m bench.parsing
	$(BIN)/python -m bench
	$(BIN)/python -m bench.scale
	$(BIN)/python -m bench.growth
	$(BIN)/python -m bench.memory

bench-serve: .venv/ready  ## the service under load; needs wrk; SECONDS=10 for each figure
	$(BIN)/python -m bench.serve

torture-serve: .venv/ready  ## the service killed, cut off, overloaded and fuzzed, in full length
	$(BIN)/python tests/store/power_cut.py 1000
	$(BIN)/python tests/service/load.py fuzz 10000
	$(BIN)/python tests/service/load.py schema 100
	$(BIN)/python tests/service/load.py overload 60
	PYTHONPATH=. $(BIN)/python tests/service/memory.py
	$(BIN)/python tests/service/kills.py 100
	$(BIN)/python tests/service/kills.py 60 10

docs: .venv/ready
	$(BIN)/python docs/generate.py

figure: .venv/ready auto-figures  ## the figures of the README and of docs/auto.md
	$(BIN)/onebit reproduce synsep --out out
	$(BIN)/python docs/figure.py out

auto-figures: .venv/ready  ## runs of `auto` for docs/auto.md
	$(BIN)/onebit compare nursery auto softmax cova banditron majority --seeds 3 \
	  --out out/auto-compared
	$(BIN)/onebit play connect4 auto --out out/auto-connect4
	$(BIN)/onebit play nursery auto --with drift:at=6481 --out out/auto-drift
	$(BIN)/python docs/figure.py out

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache .hypothesis

# What the experiments need: a third of the time that all takes. pyarrow is in it, because kept
# trials and compiled code depend on its version: `make test` would make them stale else.
.venv/demo: pyproject.toml constraints.txt
	$(NEW_VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt \
	  -e '.[plots,parquet,progress]'
	@touch $@

.venv/ready: pyproject.toml constraints.txt
	$(NEW_VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt \
	  -e '.[dev,plots]'
	@touch .venv/demo $@

.venv/bench: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@
