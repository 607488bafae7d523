create function signalement.signalement_declarer(
  p_titre core.libelle, p_description signalement.recit, p_lieu core.libelle default null,
  p_module_cible signalement.module_cible default null)
returns signalement.portail_signalement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_signalement bigint;
begin
  insert into signalement.signalement as s (titre, description, lieu, id_activite, id_client)
  values (p_titre, p_description, p_lieu, signalement._activite(p_module_cible), client._portail_client())
  returning s.id_signalement into v_id_signalement;
  return signalement.portail_signalement_detail(v_id_signalement);
end $$;
comment on function signalement.signalement_declarer is
  'Signale un incident au nom du client connecté. Sans domaine, il est général : tout le personnel le voit.';
-- The row exists when its detail is read.
call core.ne_refuse_pas('signalement.signalement_declarer', 'NOT_FOUND');
