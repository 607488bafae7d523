create function pressing.tarif_kg_detail() returns pressing.tarif_kg_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return core._trouve((select t from pressing.tarif_kg_vue t order by t.id_tarif_kg desc limit 1));
comment on function pressing.tarif_kg_detail is 'Le prix du kilo de linge, 404 tant qu''aucun n''est fixé.';
