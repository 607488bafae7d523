create function residence.batiment_creer(
  p_code residence.code_batiment, p_nom core.libelle, p_adresse core.texte default null, p_actif boolean default true)
returns residence.batiment_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_batiment bigint;
begin
  insert into residence.batiment (code, nom, adresse, actif) values (p_code, p_nom, p_adresse, p_actif)
  returning id_batiment into v_id_batiment;
  return residence.batiment_detail(v_id_batiment);
end $$;
comment on function residence.batiment_creer is 'Crée un bâtiment.';
