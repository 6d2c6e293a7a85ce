# make            set up .venv and regenerate all tables and figures
# make smoke      the same on small bundled and generated data, without network
# make test       all checks, and all tests but slow ones, with a smoke run
# make test-all   all checks and all tests
# make test-site  the tests of the pages in headless Chromium (that on the PATH, or Playwright's)
# make test-distributed  the tests of fits on Dask collections (installs the extra `distributed`)
# make test-types the tests of types, with pyright (installs it)
# make docs       the documentation site, build/docs, with the notebooks of a run (RESULTS=DIR), and below it the pages
#                 of the reference
# make article    the article as build/article.pdf, printed by Chromium (CHROMIUM=PROGRAM), after `make docs`
# make site       the pages of the reference, build/site, without a run
# make lint       the checks alone
# make faults     kill, damage and starve real runs, and see what comes of it; NIGHTLY=1: many times
# make fuzz       feed readers with nonsense; EXAMPLES=N of each, 10,000 unless given; FUZZ_SEED=N has the same again
# make slurm-test the smoke run on a real Slurm of one node (as root, with Debian's packages)
# make security   bandit, which is not locked, over all Python files but the tests
# make release-check   build what is published into dist/, and install it as its users will
# make bench      the benchmarks
# make report     report.html of the last run
# make verify     compare all results with the checksums stored when they were made; FOLDERS="a b", if not results and
#                 resources
# make compare    compare results with those of the reference run, reference/
# make reference  make the results of a run of all papers or some the reference, and write the documents from it
# make documents  write README.md and docs/results from the reference
# make mirror DIR=FOLDER   copy the files of all selected data sets into a folder, for MIRROR=FOLDER on machines
#                 without network; PUBLIC=1: only what may be passed on
# make check-sources  ask every download address for its first bytes, and print which fail
# make lock       renew requirements.lock (needs uv)
# make unlock     after a run was killed outright (kill -9, power loss): let the next one resume
# make clean      remove results (not the downloads)
#
# MIRROR=DIR      folder with the files of the data sets, unless the configuration names one
# CORES=N         number of cores, all of them unless given
# TESTS="..."     marked tests that `make test` runs: pytest's -m, "not slow" unless given
# PROCESSES=N     processes that run tests, two unless given
# ARGS="..."      further arguments of snakemake or pytest

VENV ?= .venv
PYTHON ?= python3
CORES ?= all
MIRROR ?=
TESTS ?= not slow
PROCESSES ?= 2
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser)
NIGHTLY ?=
EXAMPLES ?= 10000
FOLDERS ?= results resources
DIR ?=
PUBLIC ?=
ARGS ?=

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

# A file of tests stays in one process, so that its fixtures are made once; BLAS threads of two
# processes would get into each other's way.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder
SNAKEMAKE = $(BIN)/snakemake --cores $(CORES)

# Snakemake waits for ever for a core if there is none.
ifeq ($(shell printf '%s\n' '$(CORES)' | grep -Ex 'all|[1-9][0-9]*'),)
$(error CORES: found '$(CORES)'; valid: a whole number from 1, or all)
endif

# Of two --config, this one and one of ARGS, Snakemake would take the last alone.
ifneq ($(MIRROR),)
export BEYOND_ACCURACY_MIRROR := $(MIRROR)
endif

# Caches of snakemake, matplotlib and numba live in the home folder, if there is one to write to.
ifneq ($(shell [ -n "$$HOME" ] && [ -w "$$HOME" ] && echo writable),writable)
export XDG_CACHE_HOME := $(CURDIR)/.cache
export XDG_CONFIG_HOME := $(CURDIR)/.cache/config
endif

.NOTPARALLEL:
.PHONY: all smoke test test-all test-site test-distributed test-types lint docs article site bench report verify compare reference \
	documents lock unlock clean mirror check-sources faults fuzz slurm-test security release-check

all: $(INSTALLED)
	$(SNAKEMAKE) $(ARGS)

smoke: $(INSTALLED)
	$(SNAKEMAKE) --configfile config/smoke.yaml $(ARGS)

test: lint
	$(PYTEST) -m "$(TESTS)" $(ARGS)

test-all: lint
	$(PYTEST) $(ARGS)

test-site: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "playwright>=1.49" "axe-playwright-python>=0.1.4"
	$(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist worksteal tests/papers/test_site_in_browser.py $(ARGS)

docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "sphinx>=8" "pydata-sphinx-theme>=0.16" "numpydoc>=1.8" \
		"myst-nb>=1.2" "sphinx-gallery>=0.18"
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs $(ARGS)
	@grep -q "Parameters" build/docs/generated/beyond_accuracy.estimators.MultivariateSVC.html || \
		{ echo "build/docs/generated: the pages of classes are empty; see source_suffix in docs/conf.py"; exit 1; }
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference site --output build/docs/results --documentation ../index.html

# Links to other pages are left out of print, where they would be addresses on this machine.
article: docs
	$(if $(CHROMIUM),,$(error No chromium on the PATH: install it, or name it with CHROMIUM=PROGRAM))
	sed -E 's|(<a [^>]*)href="[^"#:][^":]*"|\1|g' build/docs/article.html > build/docs/article_in_print.html
	"$(CHROMIUM)" --headless --no-sandbox --no-pdf-header-footer --print-to-pdf=build/article.pdf \
		"file://$(CURDIR)/build/docs/article_in_print.html"

site: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference site $(ARGS)

test-distributed: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --editable ".[distributed]"
	$(BIN)/python -m pytest tests/distributed $(ARGS)

test-types: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "pyright[nodejs]>=1.1.400"
	$(BIN)/python -m pytest tests/typing $(ARGS)

faults: $(INSTALLED)
	$(BIN)/python -m checks.faults $(if $(NIGHTLY),--nightly) $(ARGS)

fuzz: $(INSTALLED)
	HYPOTHESIS_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -s tests/fuzzing $(ARGS)

slurm-test: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "snakemake-executor-plugin-slurm>=2.8"
	$(BIN)/python -m checks.slurm $(ARGS)

# A check is started by people, with programs on their PATH, and asserts.
security: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "bandit>=1.8"
	$(BIN)/bandit --quiet --recursive src docs
	$(BIN)/bandit --quiet --recursive checks benchmarks workflow --skip B101,B311,B404,B603,B607

release-check: $(INSTALLED)
	rm -rf dist
	$(BIN)/python -m checks.release dist $(ARGS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks $(ARGS)

report: verify
	$(BIN)/snakemake --report report.html $(ARGS)

verify: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.verify $(FOLDERS)

compare: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference compare $(ARGS)

reference: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference write $(ARGS)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference documents

mirror: $(INSTALLED)
	$(if $(DIR),,$(error Name the folder: make mirror DIR=/path/to/folder))
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.sources mirror "$(DIR)" $(if $(PUBLIC),--public) $(ARGS)

check-sources: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.sources check $(ARGS)

documents: $(INSTALLED)
	$(BIN)/python -m beyond_accuracy_pipeline.workflow.reference documents

lock:
	uv lock --upgrade
	uv export --quiet --all-extras --no-extra distributed --no-emit-project --no-header --format requirements-txt \
		--output-file requirements.lock

unlock: $(INSTALLED)
	$(BIN)/snakemake --unlock

clean:
	if [ -d results ]; then find results -mindepth 1 ! -path results/README.md -delete; fi

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@
