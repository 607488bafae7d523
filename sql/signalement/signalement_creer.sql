create function signalement.signalement_creer(
  p_titre core.libelle, p_description signalement.recit, p_id_activite bigint default null)
returns signalement.signalement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_signalement bigint;
begin
  perform facturation._activite_permise(p_id_activite);
  insert into signalement.signalement as s (titre, description, id_activite)
  values (p_titre, p_description, p_id_activite)
  returning s.id_signalement into v_id_signalement;
  return signalement._signalement(v_id_signalement);
end $$;
comment on function signalement.signalement_creer(core.libelle, signalement.recit, bigint) is
  'Signale un incident, au nom de l''utilisateur. Sans activité, il est général : tout le personnel le voit.';
call core.peut_refuser('signalement.signalement_creer', 'NOT_FOUND', 'SIGNALEMENT_ACTIVITE_INCONNUE');
