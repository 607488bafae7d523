-- Every fourth call invoices a service paid in part, the others pay a part of an open invoice.
-- PAUSE, in milliseconds, is how long a connection waits between two calls.
local headers = { ["Authorization"] = os.getenv("JETON"), ["Content-Type"] = "application/json" }
local invoices = tonumber(os.getenv("FACTURES"))
local pause = tonumber(os.getenv("PAUSE") or "0")
local invoice = '{"montant":"1","id_moyen":"1"}'

function init()
  math.randomseed(os.time())
end

if pause > 0 then
  function delay()
    return math.floor(pause * (0.5 + math.random()))
  end
end

function request()
  if math.random(4) == 1 then
    return wrk.format("POST", "/api/v1/facturation/prestations/1/facturer", headers, invoice)
  end
  local body = '{"montant":"1","id_moyen":"1","id_facture":"' .. math.random(invoices) .. '"}'
  return wrk.format("POST", "/api/v1/finances/paiements", headers, body)
end
