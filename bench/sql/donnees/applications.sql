insert into finances.application_paiement (id_application, id_paiement, id_facture, montant)
overriding system value
select id_paiement, id_paiement, id_facture, montant from brouillon.paiement
union all
select id_paiement, id_paiement, id_facture, -montant from brouillon.remboursement;
