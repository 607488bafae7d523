create type residence.logement_champs as (
  nom core.libelle, type residence.type_logement, tarif core.montant, equipements core.texte,
  statut residence.statut_logement, etat core.texte, id_batiment bigint, numero core.libelle,
  code_taxe core.code);
comment on type residence.logement_champs is 'Ce qui se modifie dans un logement.';
comment on column residence.logement_champs.numero is 'Le numéro présent : il ne change pas.';

create function residence.logement_modifier(p_id_logement bigint, p_champs jsonb) returns residence.logement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_numero text := (residence.logement_detail(p_id_logement)).numero;
begin
  if p_champs ->> 'numero' <> v_numero then
    perform core.refuser(400, 'NUMERO_LOGEMENT_IMMUABLE',
                         format('Le numéro d''un logement ne change pas : celui-ci reste le %s.', v_numero));
  end if;
  update residence.logement l
     set (nom, type, tarif, equipements, statut, etat, id_batiment, code_taxe) =
         (select v.nom, v.type, v.tarif, v.equipements, v.statut, v.etat, v.id_batiment, v.code_taxe
            from jsonb_populate_record(l, p_champs) v)
   where l.id_logement = p_id_logement;
  return residence.logement_detail(p_id_logement);
end $$;
comment on function residence.logement_modifier is
  'Modifie un logement ; son état ne passe que par les étapes permises.';
