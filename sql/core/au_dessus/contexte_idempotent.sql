create function core.contexte_idempotent(p_id_utilisateur bigint, p_role text, p_adresse_ip text, p_requete text,
                                         p_epoque integer, p_cle bigint, p_cle_idempotence text, p_empreinte text,
                                         p_disque_attendu boolean default false, p_famille uuid default null)
returns bytea
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_verrou constant text := p_id_utilisateur || ' ' || p_cle_idempotence;
  v core.idempotence;
begin
  perform core.contexte(p_id_utilisateur, p_role, p_adresse_ip, p_requete, p_epoque, p_cle, p_disque_attendu,
                        p_famille);
  if not pg_try_advisory_xact_lock(hashtextextended(v_verrou, core._verrou('IDEMPOTENCE'))) then
    perform core.refuser(409, 'REQUETE_EN_COURS', 'Une requête portant cette clé d''idempotence est en cours.');
  end if;
  -- The lock makes a replay a write. A synchronous standby then confirms it before the caller gets the answer, as for a
  -- first answer. Otherwise the caller could get an answer that is lost with this server.
  select * into v from core.idempotence i
   where i.id_utilisateur = p_id_utilisateur and i.cle = p_cle_idempotence for update;
  if v.empreinte <> p_empreinte then
    perform core.refuser(422, 'CLE_IDEMPOTENCE_REUTILISEE',
                         'Cette clé d''idempotence a déjà servi pour une autre requête.');
  end if;
  if v.reponse is null then
    insert into core.idempotence (id_utilisateur, cle, empreinte)
    values (p_id_utilisateur, p_cle_idempotence, p_empreinte);
    -- Each new key deletes some old rows, so that the table stays small without a job.
    delete from core.idempotence i
     where (i.id_utilisateur, i.cle) in (
       select o.id_utilisateur, o.cle from core.idempotence o
        where o.date_creation < now() - interval '7 days' order by o.date_creation limit 10
        for update skip locked);
  end if;
  return v.reponse;
end $$;
comment on function core.contexte_idempotent is
  'Ouvre le contexte et rend la réponse déjà donnée sous cette clé, null la première fois. Refuse REQUETE_EN_COURS, CLE_IDEMPOTENCE_REUTILISEE.';
