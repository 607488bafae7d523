create function finances.moyen_paiement_creer(p_libelle core.libelle, p_actif boolean default true)
returns finances.moyen_paiement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.moyen_paiement_vue;
begin
  insert into finances.moyen_paiement (libelle, actif) values (p_libelle, p_actif)
  returning id_moyen, libelle, actif, credit into v;
  return v;
end $$;
comment on function finances.moyen_paiement_creer is 'Crée un moyen de paiement.';
