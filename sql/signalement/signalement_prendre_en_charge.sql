create function signalement.signalement_prendre_en_charge(p_id_signalement bigint) returns signalement.signalement_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return signalement._signalement_passer(p_id_signalement, 'EN_COURS');
comment on function signalement.signalement_prendre_en_charge is
  'Prend en charge un signalement ouvert ; le déclarant l''apprend.';
