create function facturation.prestation_creer(
  p_libelle core.libelle, p_prix core.montant, p_categorie core.libelle default null,
  p_description core.texte default null, p_id_activite bigint default null, p_actif boolean default true,
  p_code_taxe core.code default null)
returns facturation.prestation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_prestation bigint;
begin
  insert into facturation.prestation as p (libelle, categorie, prix, description, id_activite, actif, code_taxe)
  values (p_libelle, p_categorie, p_prix, p_description, facturation._activite_permise(p_id_activite), p_actif,
          p_code_taxe)
  returning p.id_prestation into v_id_prestation;
  return facturation._prestation(v_id_prestation);
end $$;
comment on function facturation.prestation_creer is
  'Ajoute une prestation facturable. Sans activité, elle est celle de l''utilisateur, sinon de toutes.';
