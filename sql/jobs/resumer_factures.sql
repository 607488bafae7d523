create function jobs.resumer_factures() returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp
return facturation._factures_resumer(1000000);
comment on function jobs.resumer_factures is
  'Ajoute aux sommes par jour les factures qui n''y sont pas encore, 1 000 000 au plus ; les rapports sont exacts avant comme après. Rend combien.';
