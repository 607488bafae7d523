-- The fifty latest invoices, from the path that is asked for.
local headers = { ["Authorization"] = os.getenv("JETON") }

function request()
  return wrk.format("GET", os.getenv("CHEMIN"), headers)
end
