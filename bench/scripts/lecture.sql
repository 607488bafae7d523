\set facture random(1, :factures)
select r.* from (select core.contexte(1, 'ADMINISTRATEUR', '127.0.0.1', 'bench') offset 0) c, facturation.facture_detail(p_id_facture => :facture) r;
