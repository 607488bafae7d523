#!/bin/sh
# At the first start of an empty PostgreSQL: the accounts of the API and of the worker. `comptoir migrate` gives the
# roles that they are members of their rights.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
  --set api="$API_MOT_DE_PASSE" --set ouvrier="$TRAVAILLEUR_MOT_DE_PASSE" <<'SQL'
create role comptoir_app;
create role comptoir_travail;
create role comptoir_api login password :'api' in role comptoir_app;
create role comptoir_ouvrier login password :'ouvrier' in role comptoir_travail;
SQL
