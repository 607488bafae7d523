create type residence.portail_caution as (
  id_caution bigint, montant core.montant, date_versement date, statut residence.statut_caution,
  montant_restitue core.montant, retenue core.montant, motif_retenue text);
comment on type residence.portail_caution is 'Caution du résident.';
comment on column residence.portail_caution.date_versement is 'Null tant qu''elle n''est pas versée.';
call core.peut_etre_null('residence.portail_caution', 'date_versement', 'montant_restitue', 'retenue', 'motif_retenue');
create type residence.portail_historique_caution as (
  evenement residence.evenement_caution, date timestamptz, montant core.montant, motif text, id_paiement bigint);
comment on type residence.portail_historique_caution is 'Un fait de l''histoire d''une caution.';
comment on column residence.portail_historique_caution.id_paiement is 'Paiement qui l''encaisse ou la rend, null sur déclaration ; celui d''un encaissement a un reçu.';
call core.peut_etre_null('residence.portail_historique_caution', 'montant', 'motif', 'id_paiement');
create type residence.portail_caution_response as (
  caution residence.portail_caution, historique residence.portail_historique_caution[]);
comment on type residence.portail_caution_response is 'Caution du résident et son histoire, vide sans caution.';
comment on column residence.portail_caution_response.caution is 'Celle du contrat actif, ou du dernier contrat : elle est restituée quand il n''y en a plus d''actif.';
call core.peut_etre_null('residence.portail_caution_response', 'caution');

create function residence.portail_caution() returns residence.portail_caution_response
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v residence.portail_caution;
begin
  select c.id_caution, c.montant, c.date_versement, c.statut, c.montant_restitue, c.retenue, c.motif_retenue into v
    from residence.contrat_location l
    join residence.caution c on c.id_contrat = l.id_contrat
   where l.id_client = v_id_client
   order by (l.statut = 'ACTIF' or l.preavis) desc, l.date_debut desc, l.id_contrat desc limit 1;
  return row(case when found then v end,
             array(select row(h.evenement, h.date, h.montant, h.motif,
                              h.id_paiement)::residence.portail_historique_caution
                     from residence.caution_evenement h
                    where h.id_caution = v.id_caution order by h.id_evenement))::residence.portail_caution_response;
end $$;
comment on function residence.portail_caution is
  'Caution du contrat en cours du résident connecté, sinon de son dernier contrat, et son histoire.';
