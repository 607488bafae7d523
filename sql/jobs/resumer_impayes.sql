create function jobs.resumer_impayes() returns bigint
language sql volatile security definer set search_path = pg_catalog, pg_temp
return rapports._impayes_resumer();
comment on function jobs.resumer_impayes is
  'Refait les sommes par jour de ce que les clients doivent ; les rapports sont exacts avant comme après. Rend combien d''entrées du journal elles suivent de plus.';
