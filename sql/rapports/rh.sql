create function rapports.rh(p_du date default null, p_au date default null) returns rh.rapport
language sql stable security definer set search_path = pg_catalog, pg_temp
return rh._rapport(p_du, p_au);
comment on function rapports.rh is
  'Présences et paie, en tout et par service, depuis toujours ou sur une période (pour la paie, ses mois).';
