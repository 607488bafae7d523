-- A restored database contains the accounts of its backup. Rights closed, narrowed or removed after the backup must
-- stay so: the restoring process copies the state of the present accounts (app/vault/restoration.py).

create function auth._comptes_exporter() returns jsonb
language sql stable
return jsonb_build_object(
  'dernier', (select max(u.id_utilisateur) from auth.utilisateur u),
  'roles', (select coalesce(jsonb_object_agg(r.code, auth.role_permissions(r.code)), '{}') from auth.role r),
  'permissions', (select coalesce(jsonb_agg(p.code), '[]') from auth.permission p),
  'comptes', (select coalesce(jsonb_agg(jsonb_build_object(
                       'id_utilisateur', u.id_utilisateur, 'date_creation', u.date_creation, 'actif', u.actif,
                       'epoque', u.epoque, 'mot_de_passe', s.mot_de_passe, 'date_maj', s.date_maj,
                       'role', (select r.code from auth.role r where r.id_role = u.id_role),
                       'id_activite', u.id_activite_scope, 'id_client', u.id_client, 'id_caisse', a.id_caisse,
                       'cles', (select coalesce(jsonb_agg(c.hash), '[]') from auth.cle c
                                 where c.id_utilisateur = u.id_utilisateur),
                       'facteur', (select to_jsonb(f) from auth.second_facteur f
                                    where f.id_utilisateur = u.id_utilisateur),
                       'pas', (select p.pas from auth.second_facteur_pas p where p.id_utilisateur = u.id_utilisateur),
                       'codes', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from auth.code_secours c
                                  where c.id_utilisateur = u.id_utilisateur))), '[]')
                from auth.utilisateur u
                left join auth.secret s on s.id_utilisateur = u.id_utilisateur
                left join finances.affectation_caisse a on a.id_utilisateur = u.id_utilisateur));
comment on function auth._comptes_exporter is 'État des comptes pour la base qui remplacera celle-ci.';

create type auth.compte_repris as (
  id_utilisateur bigint, date_creation timestamptz, actif boolean, epoque integer, mot_de_passe text,
  date_maj timestamptz, role text, id_activite bigint, id_client bigint, id_caisse bigint, cles text[], facteur jsonb,
  pas bigint, codes jsonb);
comment on type auth.compte_repris is 'Ce qu''une base restaurée reprend d''un compte de la base qu''elle remplace.';

create type auth.reprise_faite as (administrateur boolean, remarques text[]);
comment on type auth.reprise_faite is 'S''il reste un administrateur actif, et ce qui a changé ou n''a pas pu être repris.';

-- The keys and the second factors that the account has now. Another key of the backup was deleted since.
create function auth._acces_reprendre(p_compte auth.compte_repris) returns setof text
language plpgsql volatile as $$
declare
  v_cle auth.cle;
  v_facteur constant auth.second_facteur := jsonb_populate_record(null::auth.second_facteur, p_compte.facteur);
begin
  for v_cle in
    delete from auth.cle c
     where c.id_utilisateur = p_compte.id_utilisateur and c.hash <> all (p_compte.cles) returning *
  loop
    return next format('clé « %s » (%s) : supprimée depuis', v_cle.libelle, v_cle.prefixe);
  end loop;
  return query select 'une clé faite depuis est perdue : refaites-la' from unnest(p_compte.cles) h
                where not exists (select from auth.cle c where c.hash = h);
  delete from auth.second_facteur s where s.id_utilisateur = p_compte.id_utilisateur;
  if v_facteur.date_confirmation is not null then
    insert into auth.second_facteur select v_facteur.*;
    insert into auth.second_facteur_pas (id_utilisateur, pas)
    select p_compte.id_utilisateur, p_compte.pas where p_compte.pas is not null;
    insert into auth.code_secours select c.* from jsonb_populate_recordset(null::auth.code_secours, p_compte.codes) c;
  end if;
end $$;
comment on function auth._acces_reprendre is
  'Ne laisse à un compte d''une base restaurée que ses clés et son second facteur d''aujourd''hui. Rend ce qui a changé.';

-- The narrower of the role and of each limit of the backup and of today.
create function auth._pouvoir_reprendre(p_compte auth.compte_repris, p_etat jsonb) returns setof text
language plpgsql volatile as $$
declare
  v auth.utilisateur;
  v_role text;
  v_caisse bigint;
  v_perdu text;
begin
  select * into strict v from auth.utilisateur u where u.id_utilisateur = p_compte.id_utilisateur;
  select r.code into strict v_role from auth.role r where r.id_role = v.id_role;
  if exists (select from unnest(auth.role_permissions(v_role)) p (code)
              where p_etat -> 'permissions' ? p.code and not p_etat -> 'roles' -> p_compte.role ? p.code) then
    select r.id_role into v.id_role from auth.role r where r.code = p_compte.role;
    if found then
      return next format('rôle %s, comme aujourd''hui', p_compte.role);
    else
      v_perdu := 'son rôle ' || p_compte.role;
    end if;
  end if;
  v.id_activite_scope := coalesce(p_compte.id_activite, v.id_activite_scope);
  v.id_client := coalesce(p_compte.id_client, v.id_client);
  v_caisse := p_compte.id_caisse;
  if not exists (select from core.activite a where a.id_activite = v.id_activite_scope)
     and v.id_activite_scope is not null then
    v_perdu := 'son activité';
  elsif not exists (select from client.client c where c.id_client = v.id_client) and v.id_client is not null
     or exists (select from auth.utilisateur u
                 where u.id_client = v.id_client and u.id_utilisateur <> v.id_utilisateur) then
    v_perdu := 'son client';
  elsif not exists (select from finances.caisse c where c.id_caisse = v_caisse) and v_caisse is not null then
    v_perdu := 'sa caisse';
  end if;
  if v_perdu is not null then
    update auth.utilisateur u set actif = false where u.id_utilisateur = v.id_utilisateur and u.actif;
    return next format('désactivé : %s d''aujourd''hui n''est pas dans la sauvegarde', v_perdu);
    return;
  end if;
  update auth.utilisateur u
     set (id_role, id_activite_scope, id_client) = row(v.id_role, v.id_activite_scope, v.id_client)
   where u.id_utilisateur = v.id_utilisateur
     and (u.id_role, u.id_activite_scope, u.id_client) is distinct from (v.id_role, v.id_activite_scope, v.id_client);
  if v_caisse is not null then
    insert into finances.affectation_caisse as a (id_utilisateur, id_caisse) values (v.id_utilisateur, v_caisse)
    on conflict (id_utilisateur) do update set id_caisse = excluded.id_caisse where a.id_caisse <> excluded.id_caisse;
  end if;
end $$;
comment on function auth._pouvoir_reprendre is
  'Laisse à un compte d''une base restaurée le plus étroit de son rôle et de ses bornes d''alors et d''aujourd''hui ; le désactive si ce n''est pas possible. Rend ce qui a changé.';

-- The same identifier with another creation date is another account: the database was replaced in between.
create function auth._comptes_reprendre(p_etat jsonb) returns auth.reprise_faite
language plpgsql volatile as $$
declare
  v_dernier bigint := (p_etat ->> 'dernier')::bigint;
  v_comptes auth.compte_repris[] := array(
    select p from jsonb_populate_recordset(null::auth.compte_repris, p_etat -> 'comptes') p
      join auth.utilisateur u on u.id_utilisateur = p.id_utilisateur and u.date_creation = p.date_creation);
  v_compte auth.compte_repris;
  v auth.reprise_faite;
begin
  perform set_config('comptoir.reprise', 'oui', true);
  insert into auth.secret as s (id_utilisateur, mot_de_passe, date_maj)
  select p.id_utilisateur, p.mot_de_passe, p.date_maj from unnest(v_comptes) p where p.mot_de_passe is not null
  on conflict (id_utilisateur) do update set mot_de_passe = excluded.mot_de_passe, date_maj = excluded.date_maj
   where excluded.date_maj > s.date_maj;
  update auth.utilisateur u set actif = false
    from unnest(v_comptes) p
   where p.id_utilisateur = u.id_utilisateur and u.actif and not p.actif;

  with retirees as (
    delete from auth.role_permission rp using auth.role r, auth.permission p
     where r.id_role = rp.id_role and p.id_permission = rp.id_permission
       and cardinality(v_comptes) > 0  -- else the present database is of another business, or new
       and p_etat -> 'permissions' ? p.code and p_etat -> 'roles' ? r.code and not p_etat -> 'roles' -> r.code ? p.code
    returning r.code as role, p.code)
  select array(select format('Rôle %s : %s reste retirée.', x.role, x.code) from retirees x order by 1)
    into v.remarques;
  foreach v_compte in array case when p_etat ? 'roles' then v_comptes else '{}' end loop  -- else of an older version
    v.remarques := v.remarques || array(
      select format('Compte %s : %s.', u.login, x.texte)
        from auth.utilisateur u,
             (select * from auth._pouvoir_reprendre(v_compte, p_etat)
              union all select * from auth._acces_reprendre(v_compte)) x (texte)
       where u.id_utilisateur = v_compte.id_utilisateur);
  end loop;

  -- Above every epoch in an access token still in use. The largest is unknown where the replaced database is lost.
  update auth.utilisateur u
     set epoque = coalesce((select greatest(p.epoque, u.epoque) + 1 from unnest(v_comptes) p
                             where p.id_utilisateur = u.id_utilisateur), u.epoque + 1000);
  update auth.jeton_rafraichissement j set date_revocation = now() where j.date_revocation is null;
  update auth.jeton_reinitialisation j set date_usage = now() where j.date_usage is null;

  -- The identifiers of accounts created after the backup are not used again: their tokens would open the new accounts.
  if v_dernier > (select coalesce(max(u.id_utilisateur), 0) from auth.utilisateur u) then
    perform setval(pg_get_serial_sequence('auth.utilisateur', 'id_utilisateur'), v_dernier);
  end if;
  v.administrateur := exists (select from auth.utilisateur u where u.actif and auth._administre(u.id_role));
  return v;
end $$;
comment on function auth._comptes_reprendre is
  'Dans une base restaurée : aucun jeton d''avant ne vaut plus ; ce qui a été fermé, restreint ou retiré depuis la sauvegarde le reste (comptes, mots de passe, rôles, bornes, clés, seconds facteurs). p_etat est null quand la base remplacée est perdue.';
