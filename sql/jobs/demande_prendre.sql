create function jobs.demande_prendre(p_id_demande bigint) returns jobs.prise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.demande;
  v_suite tresorerie.demande_suite;
begin
  select * into strict v from tresorerie.demande d where d.id_demande = p_id_demande for no key update;
  select * into strict v_suite from tresorerie.demande_suite s where s.id_demande = p_id_demande;
  if v_suite.prise_le > now() - interval '1 minute' then
    return null;
  end if;
  -- The process that asked has died, or its answer was lost with it.
  if v.statut = 'CREEE' and v_suite.prise is not null then
    update tresorerie.demande d set statut = 'INCERTAINE' where d.id_demande = p_id_demande returning d.* into v;
  end if;
  update tresorerie.demande_suite s set (prise, prise_le) = row(gen_random_uuid(), now())
   where s.id_demande = p_id_demande returning s.* into v_suite;
  return jobs._prise(case v.statut when 'CREEE' then 'DEMANDER' else 'CONSULTER' end, v_suite.prise, v.id_compte,
                     v.reference, v.identifiant, v);
end $$;
comment on function jobs.demande_prendre is
  'Réserve une demande à qui va parler au fournisseur : la lui faire, ou lui demander où elle en est. Vide si quelqu''un d''autre lui parle.';
