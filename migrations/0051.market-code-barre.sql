-- The barcode of a product: the supplier's, or an EAN-13 of the shop's own.
-- depends: 0050.core-catalogues

create sequence market.code_barre_rang as bigint maxvalue 9999999999;
comment on sequence market.code_barre_rang is 'Rang des codes-barres que la boutique donne elle-même ; un rang sauté ne se reprend pas.';

-- The weights of an EAN-13 are 1 and 3 by turns. The code of the digit 0 is 48, and 48 × (7 + 6 × 3) ends with 0, so that
-- the codes of the characters give the same last digit as the digits.
-- squawk-ignore-file disallowed-unique-constraint -- the column is new, so that the index is built over nulls
alter table market.produit
  add column code_barre text
    constraint code_barre_existant unique
    constraint code_barre_imprimable check (code_barre ~ '^[!-~]([ -~]{0,46}[!-~])?$')
    constraint code_barre_cle check (
      code_barre !~ '^[0-9]{13}$' or (
        ascii(substr(code_barre, 1)) + ascii(substr(code_barre, 3)) + ascii(substr(code_barre, 5))
        + ascii(substr(code_barre, 7)) + ascii(substr(code_barre, 9)) + ascii(substr(code_barre, 11))
        + ascii(substr(code_barre, 13))
        + 3 * (ascii(substr(code_barre, 2)) + ascii(substr(code_barre, 4)) + ascii(substr(code_barre, 6))
               + ascii(substr(code_barre, 8)) + ascii(substr(code_barre, 10)) + ascii(substr(code_barre, 12)))) % 10 = 0);
comment on column market.produit.code_barre is 'Ce que lit le lecteur : le code du fournisseur, ou un EAN-13 interne (préfixe 20) donné par la boutique ; null sans code.';
comment on constraint code_barre_existant on market.produit is 'Un autre produit porte déjà ce code-barres.';
comment on constraint code_barre_imprimable on market.produit is 'Un code-barres compte de 1 à 48 lettres sans accent, chiffres, signes et espaces, sans espace aux bouts.';
comment on constraint code_barre_cle on market.produit is 'La clé de contrôle de ce code EAN-13 est fausse : relisez ses 13 chiffres.';
