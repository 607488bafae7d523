create function residence.etat_des_lieux_ajouter(
  p_id_contrat bigint, p_type residence.type_etat_des_lieux, p_cle_objet core.cle_objet,
  p_piece core.libelle default null, p_commentaire core.texte default null)
returns residence.etat_des_lieux_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_photo bigint;
begin
  perform core._trouve((select c.id_contrat from residence.contrat_location_vue c where c.id_contrat = p_id_contrat));
  insert into residence.etat_des_lieux as e (id_contrat, type, piece, cle_objet, commentaire)
  values (p_id_contrat, p_type, p_piece, p_cle_objet, p_commentaire)
  returning e.id_photo into v_id_photo;
  return (select e from residence.etat_des_lieux_vue e where e.id_photo = v_id_photo);
end $$;
comment on function residence.etat_des_lieux_ajouter is
  'Ajoute à l''état des lieux d''un contrat une photo déjà déposée.';
