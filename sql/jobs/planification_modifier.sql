create function jobs.planification_modifier(p_frequence jobs.frequence_sauvegarde, p_heure time, p_active boolean)
returns jobs.planification_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Saved again as it was, nothing changes: a slot that is still due stays due.
  update jobs.planification p set frequence = p_frequence, heure = p_heure, active = p_active, date_maj = now()
   where (p.frequence, p.heure, p.active) is distinct from (p_frequence, p_heure, p_active);
  return jobs.planification_detail();
end $$;
comment on function jobs.planification_modifier(jobs.frequence_sauvegarde, time, boolean) is
  'Change la planification des sauvegardes ; seules les échéances à venir en suivent. Refuse : PLANIFICATION_HEURE.';
