create function jobs.resumer_applications() returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp
return finances._applications_resumer(1000000);
comment on function jobs.resumer_applications is
  'Ajoute aux sommes par jour les applications de paiement qui n''y sont pas encore, 1 000 000 au plus ; les rapports sont exacts avant comme après. Rend combien.';
