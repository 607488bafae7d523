create function core.parametre_creer(
  p_cle core.cle_parametre, p_valeur core.texte, p_description core.texte default null)
returns core.parametre_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into core.parametre (cle, valeur, description) values (p_cle, p_valeur, p_description);
  return core.parametre_detail(p_cle);
end $$;
comment on function core.parametre_creer is 'Crée un paramètre.';
