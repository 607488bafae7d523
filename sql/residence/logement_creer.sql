create function residence.logement_creer(
  p_id_batiment bigint, p_type residence.type_logement, p_tarif core.montant, p_numero core.libelle default null,
  p_nom core.libelle default null, p_equipements core.texte default null,
  p_statut residence.statut_logement default 'DISPONIBLE', p_etat core.texte default null,
  p_code_taxe core.code default null)
returns residence.logement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_logement bigint;
begin
  insert into residence.logement (id_batiment, type, tarif, numero, nom, equipements, statut, etat, code_taxe)
  values (p_id_batiment, p_type, p_tarif, p_numero, p_nom, p_equipements, p_statut, p_etat, p_code_taxe)
  returning id_logement into v_id_logement;
  return residence.logement_detail(v_id_logement);
end $$;
comment on function residence.logement_creer is
  'Crée un logement. Sans numéro, la base lui donne le suivant de son bâtiment : <ORG>-<TYPE><NN>-<CODE>.';
