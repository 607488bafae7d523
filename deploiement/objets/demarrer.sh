#!/bin/sh
# Starts SeaweedFS with two keys. The key of the API opens the bucket of files, the key of the worker the bucket of backups.
set -eu

identity() {
  printf '{"name": "%s", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], "actions": [' "$1" "$2" "$3"
  printf '"Read:%s", "Write:%s", "List:%s", "Tagging:%s", "Admin:%s"]}' "$1" "$1" "$1" "$1" "$1"
}

umask 077
{
  printf '{"identities": ['
  identity comptoir "$S3_ACCESS_KEY" "$S3_SECRET_KEY"
  printf ', '
  identity comptoir-sauvegardes "$S3_SAUVEGARDES_ACCESS_KEY" "$S3_SAUVEGARDES_SECRET_KEY"
  printf ']}\n'
} > /tmp/acces.json

# Only the S3 port requires a key. The other ports listen on the loopback of the container.
exec weed server -dir=/data -ip=127.0.0.1 -ip.bind=127.0.0.1 -s3 -s3.ip.bind=0.0.0.0 -s3.port.iceberg=0 \
  -s3.config=/tmp/acces.json -volume.max=0 -master.telemetry=false
