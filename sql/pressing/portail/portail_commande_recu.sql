create type pressing.portail_recu_ligne as (
  type_vetement text, quantite numeric, prestation text, tarif core.montant, poids_kg pressing.poids,
  total core.montant);
comment on type pressing.portail_recu_ligne is 'Linge d''un reçu.';
comment on column pressing.portail_recu_ligne.tarif is 'Prix d''une pièce, null si la ligne est pesée.';
comment on column pressing.portail_recu_ligne.poids_kg is 'Poids en kilogrammes, null si la ligne se compte à la pièce.';
call core.peut_etre_null('pressing.portail_recu_ligne', 'tarif', 'poids_kg');
create type pressing.portail_recu as (
  numero_commande text, date_depot timestamptz, statut pressing.statut_commande, lignes pressing.portail_recu_ligne[],
  montant_total core.montant, acompte core.montant, reste_a_payer core.montant);
comment on type pressing.portail_recu is 'Reçu d''une commande de pressing du client connecté, ou de sa demande, sans montants.';
call core.peut_etre_null('pressing.portail_recu', 'date_depot', 'montant_total', 'acompte', 'reste_a_payer');

create function pressing.portail_commande_recu(p_id_commande bigint) returns pressing.portail_recu
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  select row(v.numero_commande, v.date_depot, v.statut,
             array(select row(l.type_vetement, trim_scale(l.quantite), l.prestation, l.tarif, l.poids_kg, l.total)
                          ::pressing.portail_recu_ligne
                     from pressing.commande_ligne l where l.id_commande = p_id_commande order by l.id_ligne),
             v.montant_total, v.acompte, v.reste_a_payer)::pressing.portail_recu
    from pressing.portail_commande_detail(p_id_commande) v);
comment on function pressing.portail_commande_recu is
  'Reçu d''une commande de pressing du client connecté ; avant la dépose, sans linge ni montants.';
