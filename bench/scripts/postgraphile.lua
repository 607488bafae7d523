-- The calls of reglement.lua, as GraphQL mutations over the function of sql/bare.sql.
local headers = { ["Authorization"] = os.getenv("JETON"), ["Content-Type"] = "application/json" }
local invoices = tonumber(os.getenv("FACTURES"))
local query = '{"query":"mutation($f:BigInt,$p:BigFloat){regler(input:{pMontant:\\"1\\",pIdMoyen:\\"1\\",pIdFacture:$f,pPrix:$p})'
  .. '{result{idFacture numero idPaiement montantTotal montantPaye reste}}}","variables":'

function init()
  math.randomseed(os.time())
end

function request()
  local variables = math.random(4) == 1 and '{"p":"1000000"}' or '{"f":"' .. math.random(invoices) .. '"}'
  return wrk.format("POST", "/graphql", headers, query .. variables .. "}")
end
