-- The fifty latest invoices, from the path that is asked for.
local headers = { ["Authorization"] = os.getenv("JETON"), ["X-Organisation"] = os.getenv("ORGANISATION") }

function request()
  return wrk.format("GET", os.getenv("CHEMIN"), headers)
end
