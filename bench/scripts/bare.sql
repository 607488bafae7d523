\set tirage random(1, 4)
\set facture random(1, :factures)
\if :tirage = 1
select r.id_facture from bare.regler(1, 1, p_prix => 1000000) r;
\else
select r.id_paiement from bare.regler(1, 1, :facture) r;
\endif
