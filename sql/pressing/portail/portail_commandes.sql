create type pressing.portail_commande as (
  id_commande bigint, numero_commande text, date_depot timestamptz, date_depot_souhaitee date, date_retrait_prevue date,
  date_retrait_reelle timestamptz, mode_tarification pressing.mode_tarification, montant_total core.montant,
  acompte core.montant, reste_a_payer core.montant, statut pressing.statut_commande, notes text, motif_annulation text,
  origine core.origine);
comment on type pressing.portail_commande is 'Commande de pressing du client connecté, ou sa demande.';
comment on column pressing.portail_commande.statut is 'EN_ATTENTE d''une demande sans réponse : le linge n''est pas là.';
comment on column pressing.portail_commande.montant_total is 'Null tant que le linge n''est pas reçu.';
comment on column pressing.portail_commande.acompte is 'Ce que le client a payé jusqu''ici.';
comment on column pressing.portail_commande.reste_a_payer is 'Ce que ni le client ni ses abonnements n''ont payé.';
comment on column pressing.portail_commande.motif_annulation is 'Pourquoi elle est annulée ou refusée.';
call core.peut_etre_null('pressing.portail_commande', 'date_depot', 'date_depot_souhaitee', 'date_retrait_prevue',
  'date_retrait_reelle', 'montant_total', 'acompte', 'reste_a_payer', 'notes', 'motif_annulation');

create function pressing._portail_commandes(p_id_client bigint) returns setof pressing.portail_commande
language sql stable
begin atomic
  select c.id_commande, c.numero_commande, c.date_depot, c.date_depot_souhaitee, c.date_retrait_prevue,
         c.date_retrait_reelle, c.mode_tarification, m.total, m.paye,
         case when c.statut = 'ANNULEE' or c.statut = 'RETIRE' and f.id_facture is null then m.total - m.total
              else coalesce(f.reste, m.total - c.montant_couvert) end,
         c.statut, c.notes, c.motif_annulation, c.origine
    from pressing.commande c
    left join facturation.facture f
      on f.source_type = 'COMMANDE_PRESSING' and f.source_id = c.id_commande and not f.annulee
   cross join lateral (
      select case when c.date_depot is not null then c.montant_total end as total,
             case when c.date_depot is not null then coalesce(f.montant_paye, 0) end as paye) m
   where c.id_client = p_id_client;
end;
comment on function pressing._portail_commandes is 'Commandes de pressing d''un client, annoncées ou reçues au comptoir.';

call client.liste_du_portail('pressing.portail_commandes', 'pressing.portail_commande', 'v.id_commande desc');
comment on function pressing.portail_commandes is
  'Commandes de pressing du client connecté et ses demandes, la dernière d''abord.';

call client.detail_du_portail('pressing.portail_commande_detail', 'pressing._portail_commandes', 'id_commande');
comment on function pressing.portail_commande_detail is 'Une commande de pressing du client connecté, ou sa demande.';
