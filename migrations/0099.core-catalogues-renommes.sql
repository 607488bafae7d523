-- A line of laundry and a booking keep the entry of the catalogue that their label named: renamed, it still gives the tax.
-- No foreign keys: an entry that leaves the database gives no tax any more, and changes no order.
-- depends: 0098.achat-remboursements

alter table pressing.commande_ligne add column id_prestation bigint;
comment on column pressing.commande_ligne.id_prestation is
  'Prestation du catalogue que nommait le libellé, dont vient la taxe ; null hors du catalogue, ou d''une commande close d''avant. Posée par un déclencheur.';
update pressing.commande_ligne l set id_prestation = p.id_prestation
  from pressing.prestation p, pressing.commande c
 where p.libelle = l.prestation and c.id_commande = l.id_commande and c.statut not in ('RETIRE', 'ANNULEE');

alter table salle_fete.reservation add column id_type_manifestation bigint;
comment on column salle_fete.reservation.id_type_manifestation is
  'Type du catalogue que nommait le libellé, dont vient la taxe ; null hors du catalogue, ou d''une réservation close d''avant. Posé par un déclencheur.';
update salle_fete.reservation r set id_type_manifestation = t.id_type_manifestation
  from salle_fete.type_manifestation t
 where t.libelle = r.type_manifestation and r.statut not in ('REALISEE', 'ANNULEE');
