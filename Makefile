# `make` lists the targets. Works with GNU make 3.81.

PYTHON ?= python3
HOST   ?= 127.0.0.1
PORT   ?= 8000
TESTS  ?= tests
# The files of tests/preuves start servers of their own, so each file runs in one process.
DIST   ?= $(if $(findstring preuves,$(TESTS)),loadfile,worksteal)
SECONDES ?= 10
# The folders of promises, and every other file of tests that has a long form.
DOSSIERS := $(addprefix tests/,preuves/faults preuves/races security races fuzz)
PROMESSES ?= $(DOSSIERS) $(filter-out $(addsuffix /%,$(DOSSIERS)), \
  $(shell grep -rlE '^from tests\.(examples|preuve) import' tests --include='test_*.py'))
HEURES   ?= tests/residence tests/finances tests/tresorerie tests/rh tests/salle_fete tests/rapports \
  tests/accueil/test_demonstration.py
CLIENTS  ?= 20
CLIENT   ?= client
BIN    := .venv/bin
STAMP  := .venv/installed
TOOLS  := .venv/outils

# Installs into .venv/, with uv if it is available.
define add
if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python $(1); \
else $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); fi
endef
# Installs packages into .venv/ and checks their hashes. The output of pip is reduced to a count.
define packages
if command -v uv >/dev/null; then uv pip install --python $(BIN)/python --require-hashes $(1); else \
  { $(BIN)/python -m pip install --progress-bar off --disable-pip-version-check --require-hashes $(1) 2>&1 \
    || touch .venv/echec; } | awk '/^(Collecting|Processing)/ { if (++n % 10 == 0) { print "      " n " paquets trouvés"; fflush() } } \
      /^Installing collected/ { print "      installation de " n " paquets"; fflush() } \
      /^(ERROR|error)/ { print; fflush() }'; \
  test ! -e .venv/echec; fi
endef

# Written before Squawk was run, with findings. A migration never changes once it is merged.
OLD := 0001 0008 0010 0011 0019 0027 0028 0030 0031 0033 0036 0037 0039 0040 0042
NEW := $(filter-out $(OLD:%=migrations/%.%),$(wildcard migrations/*.sql migrations/annuaire/*.sql))
# Runs Squawk over the migrations with (-l) or without (-L) the line that keeps them out of the transaction of the upgrade.
define squawk
files=$$(grep $(1) '^-- transactional: false' $(NEW) /dev/null | grep -v /dev/null); \
  test -z "$$files" || $(BIN)/squawk $(2) $$files
endef

export HOST PORT SECONDES

.DEFAULT_GOAL := help
.PHONY: help run install test lint check bench psql worker demo watch client proof lock audit sbom clean chromium

help: ## affiche cette aide
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

run: $(STAMP) chromium ## démarre Comptoir et sa base sur http://127.0.0.1:8000 (HOST, PORT)
	@exec $(BIN)/comptoir serve

install: $(STAMP) ## installe dans .venv/, sans rien démarrer

test: $(TOOLS) ## lance les tests en parallèle (TESTS=tests/market ou tests/preuves, HEURE='2028-12-31 23:59:00', FUSEAU=…)
	@$(if $(HEURE)$(FUSEAU),HEURE='$(HEURE)' FUSEAU='$(FUSEAU)' $(BIN)/python -m tests.heure,$(BIN)/pytest) \
	  -q -n auto --dist $(DIST) $(TESTS)

lint: $(TOOLS) ## vérifie le style, les types, le sens des imports et le SQL, et fait juger le reste par d'autres
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --no-cache
	@$(call squawk,-L,--assume-in-transaction)
	@$(call squawk,-l,)
	@$(BIN)/python -m outils lint-sql
	@$(BIN)/python -m outils juges

check: lint test ## fait tout ce que fait l'intégration continue

bench: $(TOOLS) ## mesure chaque but de vitesse, à côté de pgbench (SECONDES par tour, BUTS='year pdf')
	@$(BIN)/python -m bench.run

psql: $(STAMP) ## ouvre psql sur la base de développement
	@exec $(BIN)/comptoir psql

worker: $(STAMP) ## démarre le traitement des tâches
	@exec $(BIN)/comptoir worker

demo: $(STAMP) ## met en place six mois d'une entreprise inventée (CLIENTS par jour)
	@$(BIN)/comptoir demo --taille $(CLIENTS)

watch: $(STAMP) ## redémarre à chaque modification du code
	@exec $(BIN)/comptoir watch

client: $(STAMP) ## écrit dans client/ (CLIENT) des clients typés : TypeScript (npx), Python (uvx ou pipx)
	@mkdir -p $(CLIENT) && $(BIN)/comptoir openapi > $(CLIENT)/comptoir.json && echo "$(CLIENT)/comptoir.json"
	@if command -v npx >/dev/null; then npx --yes openapi-typescript@7.9.1 $(CLIENT)/comptoir.json --output $(CLIENT)/comptoir.ts; \
	else echo "Pas de npx : installez Node.js pour le client TypeScript."; fi
	@for tool in "uvx" "pipx run --spec"; do command -v $${tool%% *} >/dev/null || continue; \
	  test "$$tool" = uvx && tool="uvx --from"; \
	  exec $$tool openapi-python-client==0.26.1 openapi-python-client generate --path $(CLIENT)/comptoir.json \
	    --config deploiement/client/python.yml --meta none --output-path $(CLIENT)/comptoir_client --overwrite; done; \
	echo "Ni uvx ni pipx : installez l'un des deux pour le client Python."

# The hours come first: they take ten minutes and need libfaketime, the promises take more than an hour and print their table last.
# They cover a Sunday, the last and the first day of a month and of a year, a leap day and two other time zones.
proof: $(TOOLS) ## prouve à la longue ce qui est promis : autres heures, pannes, accès, concurrence
	@set -e; for instant in '2028-12-31 23:50:00' '2029-01-01 00:10:00' '2028-02-29 06:00:00' '2029-05-01 12:00:00' \
	    '2029-04-30 19:30:00' '2028-10-28 22:30:00 Europe/Paris' '2029-01-31 10:30:00 Pacific/Kiritimati'; do echo "À l'heure : $$instant"; set -- $$instant; \
	  $(MAKE) --no-print-directory test HEURE="$$1 $$2" FUSEAU="$$3" TESTS='$(HEURES)'; done
	@PREUVE=longue $(BIN)/pytest -q -n auto --dist loadfile --timeout 3600 $(PROMESSES)

lock: ## recalcule les deux verrous depuis pyproject.toml (demande uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --extra dev --generate-hashes \
	  --no-header --no-emit-index-url --no-emit-find-links --quiet --no-emit-package z3-solver \
	  --output-file requirements.lock  # only the proofs of pgrls, which are not used, import z3
	uv pip compile pyproject.toml --universal --python-version 3.11 --extra embarque --constraint requirements.lock \
	  --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --quiet --no-emit-package docopt \
	  --output-file requirements-service.lock  # docopt has no wheel, and num2words imports it only for its command line
	@! grep -n '://' requirements.lock requirements-service.lock

audit: ## compare le verrou aux avis de sécurité publiés (demande uv et pypi.org)
	uvx pip-audit --requirement requirements.lock --require-hashes --disable-pip --strict

sbom: ## écrit build/comptoir.cdx.json, l'inventaire CycloneDX d'une version (demande uv et pypi.org)
	@mkdir -p build
	uvx --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements-service.lock --pyproject pyproject.toml \
	  --output-reproducible --output-file build/comptoir.cdx.json

clean: ## supprime l'environnement et les caches ; garde les données (.comptoir)
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build comptoir.egg-info
	find app tests bench outils -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# The packages of the service. The lock file is complete, so no resolver runs: pip would refuse the overrides of
# pyproject.toml. The stamp is written last, so that an interrupted installation starts again.
$(STAMP): requirements-service.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Il faut Python 3.11 ou plus récent : make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || command -v uv >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; \
	  else echo "Il manque le module venv de Python : sudo apt install python3-venv, puis relancez."; exit 1; fi; }
	@echo "[1/3] Environnement Python dans .venv/"
	@rm -rf .venv
	@if command -v uv >/dev/null; then \
	  uv venv --quiet --no-project --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv; \
	else $(PYTHON) -m venv .venv; fi
	@echo "[2/3] $$(grep -c == $<) paquets (130 Mo à télécharger, 370 Mo sur le disque), une fois pour toutes"
	@$(call packages,--no-deps --requirement $<)
	@echo "[3/3] Comptoir"
	@$(call add,--no-build-isolation --no-deps --editable .)
	@touch $@

# The additional packages for tests and checks.
$(TOOLS): $(STAMP) requirements.lock
	@echo "[+] Outils de développement : $$(grep -c == requirements.lock) paquets en tout"
	@$(call packages,--no-deps --requirement requirements.lock)
	@touch $@

# PDF documents need Chromium. Root on Debian installs it. Elsewhere a note says that the PDF routes answer 503 without it.
chromium:
	@for name in chromium-headless-shell chromium chromium-browser google-chrome; do \
	  command -v $$name >/dev/null && exit 0; done; \
	test -z "$$PUPPETEER_EXECUTABLE_PATH" || exit 0; \
	test ! -d "/Applications/Google Chrome.app" || exit 0; \
	if [ "$$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null; then \
	  echo "Installation de chromium-headless-shell pour les PDF…"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	    chromium-headless-shell; } >/dev/null 2>&1 && exit 0; fi; \
	echo "Note : pas de Chromium, les routes PDF répondront 503 (installez-le ou donnez PUPPETEER_EXECUTABLE_PATH)."
