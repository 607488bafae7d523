#!/usr/bin/env bash
# Makes the pictures of README.md from a running demonstration: `make demo`, then
# `PUBLIC_URL=https://comptoir.example.com make run`, then this in a second terminal.
# Needs curl, jq, chromium-headless-shell, pdftoppm (poppler-utils) and pngquant.
set -euo pipefail
cd "$(dirname "$0")"
SERVER=${1:-http://127.0.0.1:8000}
API=$SERVER/api/v1
TOKEN=$(curl -sf "$API/auth/login" -H 'Content-Type: application/json' \
  -d '{"login":"admin","mot_de_passe":"motdepasse"}' | jq -r .accessToken)
get() { curl -sf "$API$1" -H "Authorization: Bearer $TOKEN"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A laundry order paid in part, and a meal: the latest of each.
invoices=$(get "/facturation/factures?limit=1000")
latest() { jq -r --arg source "$1" --arg state "$2" \
  'map(select(.source_type == $source and .statut == $state)) | max_by(.id_facture | tonumber).id_facture' <<< "$invoices"; }
get "/facturation/factures/$(latest COMMANDE_PRESSING PARTIELLE)/pdf" > "$work/invoice.pdf"
get "/facturation/factures/$(latest COMMANDE_RESTAURANT PAYEE)/ticket" > "$work/ticket.pdf"
pdftoppm -png -singlefile -r 72 "$work/invoice.pdf" "$work/invoice"
pdftoppm -png -singlefile -r 130 "$work/ticket.pdf" "$work/ticket"
chromium-headless-shell --no-sandbox --hide-scrollbars --window-size=1100,900 --virtual-time-budget=15000 \
  --screenshot="$work/docs.png" "$SERVER/docs" 2> "$work/chromium.log" || { cat "$work/chromium.log"; exit 1; }
for name in docs invoice ticket; do pngquant --force --strip --speed 1 32 --output "$name.png" "$work/$name.png"; done
ls -l -- *.png
