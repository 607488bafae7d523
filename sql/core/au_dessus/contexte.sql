-- To open the context of a request is to read an account, so the file is loaded after auth.
create function core.contexte(
  p_id_utilisateur bigint, p_role text, p_adresse_ip text, p_requete text, p_epoque integer default null,
  p_cle bigint default null, p_disque_attendu boolean default false, p_famille uuid default null)
returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v record;
  v_cle auth.cle_perimetre_vue;
  v_cle_vaut boolean := true;
  v_pose text;
begin
  -- A request waits five seconds for a connection. A statement that waits for a lock gives up before that, so that
  -- waiting requests still get its connection. A connection of the API has the same limit, unless PgBouncer drops it.
  v_pose := set_config('lock_timeout', '4s', true);

  -- The caller waits for the disk before it answers, so this transaction need not hold its locks during that wait. With
  -- a synchronous standby the commit waits: a reader must not see a row that the standby has not confirmed.
  if p_disque_attendu and current_setting('synchronous_standby_names') = '' then
    v_pose := set_config('synchronous_commit', 'off', true);
  end if;

  -- Without a key its settings stay empty, unless the transaction already has a context, which may have a key.
  if p_cle is not null or core.utilisateur() is not null then
    select * into v_cle from auth.cle_perimetre_vue k where k.id_cle = p_cle and k.id_utilisateur = p_id_utilisateur;
    v_cle_vaut := p_cle is null or auth._cle_vaut_depuis(v_cle, nullif(p_adresse_ip, '')::inet);
    perform set_config('comptoir.cle', v_cle.nom, true),
            set_config('comptoir.id_cle', v_cle.id_cle::text, true),
            set_config('comptoir.permissions', v_cle.permissions::text, true);
  end if;

  -- A null empties a setting. A refusal below rolls them back.
  select p.actif, p.role, p.epoque,
         set_config('comptoir.utilisateur', p_id_utilisateur::text, true),
         set_config('comptoir.client', p.id_client::text, true),
         set_config('comptoir.a_confirmer', p.a_confirmer::text, true),
         -- A person who takes up an exception acts in its till (sql/finances/au_dessus/exception_prendre.sql).
         set_config('comptoir.caisse', coalesce(v_cle.id_caisse, p.id_caisse,
           nullif(current_setting('comptoir.caisse_reprise', true), '')::bigint)::text, true),
         set_config('comptoir.activite', coalesce(v_cle.id_activite, p.id_activite)::text, true),
         set_config('comptoir.famille', p_famille::text, true),
         set_config('comptoir.adresse_ip', p_adresse_ip, true),
         set_config('comptoir.requete', p_requete, true),
         -- Dates and times without a zone are in the time zone of the organisation.
         set_config('TimeZone', set_config('comptoir.fuseau', coalesce((
           select o.valeur from core.parametre o where o.cle = 'FUSEAU_HORAIRE'), 'UTC'), true), true)
    into v
    from (select p_id_utilisateur as id) x
    left join auth.perimetre_vue p on p.id_utilisateur = x.id;

  if p_id_utilisateur is not null then
    if v.actif is not true or p_epoque <> v.epoque or v_cle_vaut is not true then
      perform core.refuser(401, 'UNAUTHORIZED', 'Session expirée : reconnectez-vous.');
    end if;
    if v.role is distinct from p_role then
      -- The API checked the permissions of p_role. It must check the permissions of the present role instead.
      raise exception using errcode = 'HTR00', message = v.role;
    end if;
  end if;
  return v_pose is not null; -- true: set_config returns the value that it wrote
end $$;
comment on function core.contexte is
  'Ouvre le contexte de la requête : vérifie que l''utilisateur est actif, a bien le rôle annoncé, et que l''époque de son jeton est la sienne (null ne la vérifie pas), que la clé d''API p_cle, s''il y en a une, est à lui et vaut, puis pose les réglages locaux à la transaction. p_famille : la connexion dont le jeton est né. p_disque_attendu : l''appelant ne montre rien avant que tout soit sur le disque, la validation ne l''attend donc pas. Refuse UNAUTHORIZED ; HTR00 porte le rôle présent.';
