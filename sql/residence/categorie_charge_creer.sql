create function residence.categorie_charge_creer(p_libelle core.libelle, p_actif boolean default true)
returns residence.categorie_charge_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id bigint;
begin
  insert into residence.categorie_charge as c (libelle, actif) values (p_libelle, p_actif)
  returning c.id_categorie_charge into v_id;
  return residence.categorie_charge_detail(v_id);
end $$;
comment on function residence.categorie_charge_creer is 'Crée une catégorie de charge.';
