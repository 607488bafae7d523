create function signalement.signalement_creer(
  p_titre core.libelle, p_description signalement.recit, p_id_activite bigint default null,
  p_cible_type signalement.cible_type default null, p_module_cible signalement.module_cible default null)
returns signalement.signalement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_activite bigint := coalesce(p_id_activite, signalement._activite(p_module_cible));
  v_id_signalement bigint;
begin
  if num_nonnulls(p_id_activite, p_module_cible) = 2
     or p_cible_type <> signalement._cible(p_module_cible is not null, null, p_id_activite) then
    perform core.refuser(400, 'CIBLE_INCERTAINE',
      'Un signalement nomme un domaine (MODULE, module_cible), une activité (ACTIVITE, id_activite), ou ni l''un ni l''autre (GENERAL).');
  end if;
  perform facturation._activite_permise(v_id_activite);
  insert into signalement.signalement as s (titre, description, id_activite, par_module)
  values (p_titre, p_description, v_id_activite, p_module_cible is not null)
  returning s.id_signalement into v_id_signalement;
  return signalement.signalement_detail(v_id_signalement);
end $$;
comment on function signalement.signalement_creer is
  'Signale un incident, au nom de l''utilisateur. Sans activité ni domaine, il est général : tout le personnel le voit.';
