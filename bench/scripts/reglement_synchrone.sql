\set tirage random(1, 4)
\set facture random(1, :factures)
\if :tirage = 1
select (select r.id_facture from facturation.prestation_facturer(p_id_prestation => 1, p_montant => 1, p_id_moyen => 1) r) where core.contexte(1, 'ADMINISTRATEUR', '127.0.0.1', 'bench');
\else
select (select r.id_paiement from finances.paiement_creer(p_montant => 1, p_id_moyen => 1, p_id_facture => :facture) r) where core.contexte(1, 'ADMINISTRATEUR', '127.0.0.1', 'bench');
\endif
