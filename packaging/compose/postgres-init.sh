#!/bin/sh
# Runs once, when the database is made: a role that owns its database and nothing else.
set -eu

psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres \
    -v password="$(cat /run/secrets/postgres-valetkey)" <<'SQL'
CREATE ROLE valetkey LOGIN PASSWORD :'password';
CREATE DATABASE valetkey OWNER valetkey ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT ON DATABASE valetkey FROM PUBLIC;
SQL
