create function core.parametre_modifier(p_cle text, p_valeur core.texte, p_description core.texte default null)
returns core.parametre_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update core.parametre p
     set valeur = p_valeur, description = nullif(coalesce(p_description, p.description), '')
   where p.cle = p_cle;
  return core.parametre_detail(p_cle);
end $$;
comment on function core.parametre_modifier is
  'Donne sa valeur à un paramètre ; sans description celle en place reste, un texte vide l''efface.';
