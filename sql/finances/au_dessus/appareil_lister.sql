create function finances.appareil_lister(p_id_caisse bigint) returns setof finances.appareil_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances.caisse_detail(p_id_caisse);
  return query select a.* from finances.appareil_vue a where a.id_caisse = p_id_caisse order by a.id_appareil;
end $$;
comment on function finances.appareil_lister is 'Appareils d''une caisse, et ce que chacun doit encore envoyer.';
