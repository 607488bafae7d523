create function finances.caisse_ouvrir(p_id_caisse bigint, p_fond_initial core.montant default 0)
returns finances.periode_caisse_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caisse constant finances.caisse_detail_vue := finances.caisse_detail(p_id_caisse);
  v finances.periode_caisse_vue;
begin
  if not v_caisse.actif then
    perform core.refuser(409, 'CAISSE_INACTIVE', format('La caisse « %s » est désactivée.', v_caisse.libelle));
  end if;
  perform pg_advisory_xact_lock(core._verrou('CAISSE'), p_id_caisse::integer);
  -- clock_timestamp() and not now(): after the wait for the lock, now() may be before the last closing.
  insert into finances.periode_caisse (id_caisse, ouverture, fond_initial, id_utilisateur_ouverture)
  values (p_id_caisse, coalesce(core.moment(), clock_timestamp()), coalesce(p_fond_initial, 0), core.utilisateur())
  returning id_periode, id_caisse, ouverture, fermeture, id_utilisateur_ouverture, id_utilisateur_fermeture,
            fond_initial into v;
  return v;
end $$;
comment on function finances.caisse_ouvrir is 'Ouvre une période de la caisse.';
