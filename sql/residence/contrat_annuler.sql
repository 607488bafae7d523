create function residence.contrat_annuler(p_id_contrat bigint, p_motif core.texte default null)
returns residence.contrat_location_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
begin
  if v.statut <> 'EN_ATTENTE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
      format('Le contrat %s n''est pas en attente : un contrat actif se résilie.', v.numero_contrat),
      jsonb_build_object('de', v.statut, 'vers', 'RESILIE'));
  end if;
  perform residence._logements_verrouiller(array[v.id_logement]);
  update residence.contrat_location c
     set (statut, date_resiliation, motif_resiliation) =
         row('RESILIE'::residence.statut_contrat, v.date_debut, coalesce(p_motif, 'Annulé avant d''être en vigueur'))
   where c.id_contrat = p_id_contrat;
  -- Another lease may have reserved the same room for another period.
  update residence.logement l set statut = 'DISPONIBLE'
   where l.id_logement = v.id_logement and l.statut = 'RESERVE'
     and not exists (select from residence.contrat_location c
                      where c.id_logement = l.id_logement and c.statut = 'EN_ATTENTE');
  perform residence._echeances_arreter(p_id_contrat, v.date_debut - 1);
  return residence.contrat_detail(p_id_contrat);
end $$;
comment on function residence.contrat_annuler is
  'Annule un contrat en attente : il devient RESILIE sans avoir commencé, son logement se libère, aucune de ses échéances n''est due. Ce qui en était payé d''avance est dans montant_a_rembourser.';
