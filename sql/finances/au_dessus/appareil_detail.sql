create function finances.appareil_detail(p_id_caisse bigint, p_id_appareil bigint) returns finances.appareil_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances._appareil_permis(p_id_caisse, p_id_appareil);
  return (select a from finances.appareil_vue a where a.id_appareil = p_id_appareil);
end $$;
comment on function finances.appareil_detail is
  'Un appareil, et ce qui manque de ce qu''il a annoncé.';
