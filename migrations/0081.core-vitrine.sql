-- The shop window: whether the catalogue is shown without an account.
-- depends: 0080.signalement-cible

insert into core.parametre (cle, valeur, description) values
  ('VITRINE', '0', '1 : les produits actifs et les plats disponibles, leurs prix et leurs photos se voient sans compte ; 0 : non.')
on conflict on constraint parametre_existant do nothing;
