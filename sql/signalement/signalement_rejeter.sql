create function signalement.signalement_rejeter(p_id_signalement bigint, p_note_resolution signalement.recit)
returns signalement.signalement_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return signalement._signalement_passer(p_id_signalement, 'REJETE', p_note_resolution);
comment on function signalement.signalement_rejeter is
  'Clôt un signalement comme rejeté, avec une note qui dit pourquoi ; le déclarant l''apprend.';
-- A second rejection is refused with DEJA_TRAITE.
call core.ne_refuse_pas('signalement.signalement_rejeter', 'DEJA_PRIS_EN_CHARGE');
