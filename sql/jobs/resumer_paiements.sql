create function jobs.resumer_paiements() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return finances._paiements_resumer(1000000);
end $$;
comment on function jobs.resumer_paiements is
  'Ajoute aux sommes par jour les paiements qui n''y sont pas encore, 1 000 000 au plus ; les rapports sont exacts avant comme après. Rend combien.';
