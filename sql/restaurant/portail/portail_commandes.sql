create type restaurant.portail_commande_ligne as (
  id_plat bigint, nom_plat text, quantite numeric, prix_unitaire core.montant, total core.montant);
comment on type restaurant.portail_commande_ligne is 'Ligne d''une commande du client.';
create type restaurant.portail_commande as (
  id_commande bigint, date timestamptz, type restaurant.type_commande, statut restaurant.statut_commande,
  total core.montant, notes text, adresse_livraison text, motif_annulation text, origine core.origine,
  lignes restaurant.portail_commande_ligne[]);
comment on type restaurant.portail_commande is 'Commande du client connecté au restaurant, ou sa demande.';
comment on column restaurant.portail_commande.statut is 'EN_ATTENTE d''une demande sans réponse, que la cuisine ne commence pas.';
comment on column restaurant.portail_commande.total is 'Aux prix du jour de la demande.';
comment on column restaurant.portail_commande.motif_annulation is 'Pourquoi elle est annulée ou refusée.';
call core.peut_etre_null('restaurant.portail_commande', 'notes', 'adresse_livraison', 'motif_annulation');

create function restaurant._portail_commandes(p_id_client bigint) returns setof restaurant.portail_commande
language sql stable
begin atomic
  select c.id_commande, c.date, c.type, c.statut, c.total, c.notes, c.adresse_livraison, c.motif_annulation, c.origine,
         array(select row(l.id_plat, p.nom, trim_scale(l.quantite), l.prix_unitaire, l.total)
                      ::restaurant.portail_commande_ligne
                 from restaurant.commande_ligne l
                 join restaurant.plat p on p.id_plat = l.id_plat
                where l.id_commande = c.id_commande order by l.id_ligne)
    from restaurant.commande c
   where c.id_client = p_id_client;
end;
comment on function restaurant._portail_commandes is 'Commandes d''un client, demandées ou passées au comptoir, avec leurs lignes.';

call client.liste_du_portail('restaurant.portail_commandes', 'restaurant.portail_commande',
  'v.date desc, v.id_commande desc');
comment on function restaurant.portail_commandes is
  'Commandes du client connecté au restaurant et ses demandes, la dernière d''abord.';

call client.detail_du_portail('restaurant.portail_commande_detail', 'restaurant._portail_commandes', 'id_commande');
comment on function restaurant.portail_commande_detail is 'Une commande du client connecté, ou sa demande.';
