create function echange.import_permis(p_entite echange.entite) returns echange.entite
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform echange._exiger(p_entite);
  return p_entite;
end $$;
comment on function echange.import_permis is
  'Feuille vide à remplir (.xlsx) : les colonnes d''une entité, et une page qui explique chacune. Demande la permission d''en créer une.';
