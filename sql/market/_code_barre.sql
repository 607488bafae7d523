-- The barcode of a product. GS1 reserves the prefixes 20 to 29 for use inside a company, so that no supplier's EAN-13
-- equals a code of the shop.

create domain market.code_barre as text
  constraint code_barre_mal_forme check (value ~ '^[ -~\s]{0,60}$');
comment on domain market.code_barre is 'Code-barres d''un produit, lu ou tapé ; vide s''il n''en a pas.';
comment on constraint code_barre_mal_forme on domain market.code_barre is 'Un code-barres compte de 1 à 48 lettres sans accent, chiffres, signes et espaces.';

create function market._t10_produit_code_barre() returns trigger
language plpgsql volatile as $$
begin
  new.code_barre := nullif(btrim(new.code_barre, E' \t\r\n'), '');
  return new;
end $$;
comment on function market._t10_produit_code_barre is
  'Un lecteur ajoute souvent une fin de ligne, et un formulaire vide vaut « pas de code » : ni l''un ni l''autre n''est gardé.';

create trigger t10_produit_code_barre before insert or update of code_barre on market.produit
  for each row when (new.code_barre is not null) execute function market._t10_produit_code_barre();

create function market._ean13(p_douze_chiffres text) returns text
language sql immutable
return p_douze_chiffres || (
  select (10 - sum(substr(p_douze_chiffres, i, 1)::integer * case i % 2 when 0 then 3 else 1 end) % 10) % 10
    from generate_series(1, 12) i);
comment on function market._ean13 is 'Un EAN-13 : douze chiffres et leur clé de contrôle.';

create function market._code_barre_suivant() returns text
language plpgsql volatile as $$
declare
  v_code_barre text;
begin
  -- A user may have typed a code of the same form. A code that is already used is skipped.
  loop
    v_code_barre := market._ean13('20' || lpad(nextval('market.code_barre_rang')::text, 10, '0'));
    exit when not exists (select from market.produit p where p.code_barre = v_code_barre);
  end loop;
  return v_code_barre;
end $$;
comment on function market._code_barre_suivant is 'Un EAN-13 interne qu''aucun produit ne porte.';
