create type market.portail_vente_ligne as (
  id_produit bigint, produit text, quantite core.quantite, prix_unitaire core.montant, total_ligne core.montant);
comment on type market.portail_vente_ligne is 'Ligne d''un achat du client ; « produit » est son nom.';
create type market.portail_vente as (
  id_vente bigint, date timestamptz, statut market.statut_vente, origine core.origine, total core.montant,
  remise core.montant, note text, motif_annulation text, lignes market.portail_vente_ligne[]);
comment on type market.portail_vente is 'Achat du client connecté à la boutique, ou sa demande.';
comment on column market.portail_vente.statut is 'EN_ATTENTE d''une demande sans réponse, qui ne sort aucun stock ; EN_COURS d''une demande acceptée, à payer sur place.';
comment on column market.portail_vente.total is 'Aux prix du jour de la demande.';
comment on column market.portail_vente.motif_annulation is 'Pourquoi elle est annulée ou refusée.';
call core.peut_etre_null('market.portail_vente', 'note', 'motif_annulation');

create function market._portail_ventes(p_id_client bigint) returns setof market.portail_vente
language sql stable
begin atomic
  select v.id_vente, v.date, v.statut, v.origine, v.total, v.remise, v.note, v.motif_annulation,
         array(select row(l.id_produit, p.nom, l.quantite, l.prix_unitaire, l.total_ligne)::market.portail_vente_ligne
                 from market.vente_ligne l
                 join market.produit p on p.id_produit = l.id_produit
                where l.id_vente = v.id_vente order by l.id_ligne)
    from market.vente v
   where v.id_client = p_id_client;
end;
comment on function market._portail_ventes is 'Achats d''un client, demandés ou faits au comptoir, avec leurs lignes.';

call client.liste_du_portail('market.portail_ventes', 'market.portail_vente', 'v.date desc, v.id_vente desc');
comment on function market.portail_ventes is
  'Achats du client connecté à la boutique et ses demandes, le dernier d''abord.';

call client.detail_du_portail('market.portail_vente_detail', 'market._portail_ventes', 'id_vente');
comment on function market.portail_vente_detail is 'Un achat du client connecté, ou sa demande.';
