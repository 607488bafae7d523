create function abonnement.categorie_abonnement_creer(
  p_libelle core.libelle, p_description core.texte default null, p_actif boolean default true,
  p_code core.code default null)
returns abonnement.categorie_abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id bigint;
begin
  if not abonnement._visible() then
    raise no_data_found;
  end if;
  insert into abonnement.categorie_abonnement as c (libelle, description, actif, code)
  values (p_libelle, p_description, p_actif, p_code)
  returning c.id_categorie_abonnement into v_id;
  return abonnement.categorie_abonnement_detail(v_id);
end $$;
comment on function abonnement.categorie_abonnement_creer is
  'Crée une catégorie d''abonnement ; sans code, elle en reçoit un.';
-- The index compares an expression of the code.
call core.peut_refuser('abonnement.categorie_abonnement_creer', 'CODE_CATEGORIE_ABONNEMENT_EXISTANT');
