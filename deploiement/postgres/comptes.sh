#!/bin/sh
# At the first start of an empty PostgreSQL, creates the owner of the database and the accounts of the API and of the
# worker. None is a superuser, so sql/public.sql runs here. `comptoir migrate` grants the privileges to the roles of these
# accounts.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
  --set base="$POSTGRES_DB" --set proprietaire="$PROPRIETAIRE_MOT_DE_PASSE" \
  --set api="$API_MOT_DE_PASSE" --set ouvrier="$TRAVAILLEUR_MOT_DE_PASSE" <<'SQL'
create role comptoir_owner;
create role comptoir_code;
create role comptoir_portail;
create role comptoir_app;
create role comptoir_lecture;
create role comptoir_travail;
create role comptoir_proprietaire login createdb password :'proprietaire'
  in role comptoir_owner, comptoir_code, comptoir_portail, comptoir_app, pg_signal_backend;
alter database :"base" owner to comptoir_proprietaire;
create role comptoir_api login password :'api' in role comptoir_app;
create role comptoir_ouvrier login password :'ouvrier' in role comptoir_travail;
SQL
psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
  --file "${PUBLIC_SQL:-/public.sql}"
