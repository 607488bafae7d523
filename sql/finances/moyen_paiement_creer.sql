create function finances.moyen_paiement_creer(p_libelle core.libelle, p_actif boolean default true)
returns finances.moyen_paiement_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into finances.moyen_paiement (libelle, actif) values (p_libelle, p_actif)
  returning id_moyen, libelle::text, actif, credit;
end;
comment on function finances.moyen_paiement_creer is 'Crée un moyen de paiement.';
