-- One invoice by its id, another one each time.
local headers = { ["Authorization"] = os.getenv("JETON"), ["X-Organisation"] = os.getenv("ORGANISATION") }
local invoices = tonumber(os.getenv("FACTURES"))

function init()
  math.randomseed(os.time())
end

function request()
  return wrk.format("GET", "/api/v1/facturation/factures/" .. math.random(invoices), headers)
end
