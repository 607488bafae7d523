create function jobs.planification_modifier(
  p_frequence jobs.frequence_sauvegarde, p_heure time default null, p_active boolean default null,
  p_activee boolean default null)
returns jobs.planification_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jobs.planification;
begin
  if p_active <> p_activee then
    perform core.refuser(400, 'PLANIFICATION_CONTRADICTOIRE',
                         '« active » et « activee » disent la même chose : n''envoyez que l''un des deux.');
  end if;
  select * into strict v from jobs.planification p for no key update;
  v.frequence := p_frequence;
  v.heure := coalesce(p_heure, v.heure);
  v.active := coalesce(p_active, p_activee, v.active);
  -- Saving the same values changes nothing, so that a backup that is due stays due.
  update jobs.planification p set frequence = v.frequence, heure = v.heure, active = v.active, date_maj = now()
   where (p.frequence, p.heure, p.active) is distinct from (v.frequence, v.heure, v.active);
  return jobs.planification_detail();
end $$;
comment on function jobs.planification_modifier is
  'Change la planification des sauvegardes ; seules les échéances à venir en suivent. Sans « heure », elle garde la sienne ; « activee » est un autre nom de « active ».';
