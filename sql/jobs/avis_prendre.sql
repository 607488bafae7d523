create function jobs.avis_prendre(p_id_avis bigint) returns jobs.prise
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.avis;
  v_demande tresorerie.demande;
begin
  update tresorerie.avis a set (prise, prise_le) = row(gen_random_uuid(), now())
   where a.id_avis = p_id_avis and a.etat = 'RECU' and (a.prise_le is null or a.prise_le <= now() - interval '1 minute')
  returning * into v;
  if not found then
    return null;
  end if;
  select * into v_demande from tresorerie.demande d where d.id_compte = v.id_compte and d.reference = v.reference;
  return jobs._prise('CONSULTER', v.prise, v.id_compte, v.reference, coalesce(v_demande.identifiant, v.identifiant),
                     v_demande);
end $$;
comment on function jobs.avis_prendre is 'Réserve un avis à qui va interroger le fournisseur. Vide si c''est fait, ou si quelqu''un d''autre l''interroge.';
