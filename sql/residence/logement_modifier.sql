create type residence.logement_champs as (
  nom core.libelle, type residence.type_logement, tarif core.montant, equipements core.texte,
  statut residence.statut_logement, etat core.texte, id_batiment bigint);
comment on type residence.logement_champs is 'Ce qui se modifie dans un logement ; jamais son numéro.';

create function residence.logement_modifier(p_id_logement bigint, p_champs jsonb) returns residence.logement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.logement;
begin
  perform residence._logement(p_id_logement);
  select * into strict v from residence.logement l where l.id_logement = p_id_logement for update;
  v := jsonb_populate_record(v, p_champs);
  update residence.logement l
     set (nom, type, tarif, equipements, statut, etat, id_batiment) =
         row(v.nom, v.type, v.tarif, v.equipements, v.statut, v.etat, v.id_batiment)
   where l.id_logement = p_id_logement;
  return residence._logement(p_id_logement);
end $$;
comment on function residence.logement_modifier(bigint, jsonb) is
  'Modifie un logement ; son état ne passe que par les étapes permises. Refuse : NOT_FOUND, TRANSITION_INTERDITE, LOGEMENT_BATIMENT_INCONNU.';
