create function finances.depense_creer(
  p_montant core.montant_du_reglement, p_id_categorie_depense bigint, p_libelle core.libelle,
  p_date timestamptz default null, p_id_activite bigint default null, p_id_caisse bigint default null,
  p_justificatif core.texte default null)
returns finances.depense_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_depense bigint;
begin
  insert into finances.depense (montant, id_categorie_depense, libelle, date, id_activite, id_caisse, justificatif)
  values (p_montant, p_id_categorie_depense, p_libelle, coalesce(p_date, now()), p_id_activite, p_id_caisse,
          p_justificatif)
  returning id_depense into v_id_depense;
  return finances.depense_detail(v_id_depense);
end $$;
comment on function finances.depense_creer is
  'Enregistre une dépense, payée par la caisse ouverte choisie, par celle de l''utilisateur s''il en a une, ou sans caisse. Sa catégorie se crée d''abord : POST /finances/categories-depenses.';
