create function signalement.signalement_resoudre(p_id_signalement bigint, p_note_resolution signalement.recit)
returns signalement.signalement_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return signalement._signalement_passer(p_id_signalement, 'RESOLU', p_note_resolution);
comment on function signalement.signalement_resoudre is
  'Clôt un signalement comme résolu, avec une note ; le déclarant l''apprend.';
-- A second resolution is refused with DEJA_TRAITE.
call core.ne_refuse_pas('signalement.signalement_resoudre', 'DEJA_PRIS_EN_CHARGE');
