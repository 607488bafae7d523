-- A restored database contains the accounts of its backup. Accounts closed and passwords changed after the backup must
-- stay so: the restoring process copies the state of the present accounts (app/vault/restoration.py).

create function auth._comptes_exporter() returns jsonb
language sql stable
return jsonb_build_object(
  'dernier', (select max(u.id_utilisateur) from auth.utilisateur u),
  'comptes', (select coalesce(jsonb_agg(jsonb_build_object(
                       'id_utilisateur', u.id_utilisateur, 'date_creation', u.date_creation, 'actif', u.actif,
                       'epoque', u.epoque, 'mot_de_passe', s.mot_de_passe, 'date_maj', s.date_maj)), '[]')
                from auth.utilisateur u
                left join auth.secret s on s.id_utilisateur = u.id_utilisateur));
comment on function auth._comptes_exporter() is
  'État des comptes, mots de passe hachés compris, pour la base qui remplacera celle-ci.';

create type auth.compte_repris as (
  id_utilisateur bigint, date_creation timestamptz, actif boolean, epoque integer, mot_de_passe text,
  date_maj timestamptz);
comment on type auth.compte_repris is 'Ce qu''une base restaurée reprend d''un compte de la base qu''elle remplace.';

-- The same identifier with another creation date is another account: the database was replaced in between.
create function auth._comptes_reprendre(p_etat jsonb) returns boolean
language plpgsql volatile as $$
declare
  v_dernier bigint := (p_etat ->> 'dernier')::bigint;
  v_comptes auth.compte_repris[] := array(
    select p from jsonb_populate_recordset(null::auth.compte_repris, p_etat -> 'comptes') p
      join auth.utilisateur u on u.id_utilisateur = p.id_utilisateur and u.date_creation = p.date_creation);
begin
  perform set_config('comptoir.reprise', 'oui', true);
  insert into auth.secret as s (id_utilisateur, mot_de_passe, date_maj)
  select p.id_utilisateur, p.mot_de_passe, p.date_maj from unnest(v_comptes) p where p.mot_de_passe is not null
  on conflict (id_utilisateur) do update set mot_de_passe = excluded.mot_de_passe, date_maj = excluded.date_maj
   where excluded.date_maj > s.date_maj;
  update auth.utilisateur u set actif = false
    from unnest(v_comptes) p
   where p.id_utilisateur = u.id_utilisateur and u.actif and not p.actif;

  -- The new epoch is above every epoch in an access token still in use. Where the replaced database is lost, the
  -- largest epoch is unknown, so the function adds 1000.
  update auth.utilisateur u
     set epoque = coalesce((select greatest(p.epoque, u.epoque) + 1 from unnest(v_comptes) p
                             where p.id_utilisateur = u.id_utilisateur), u.epoque + 1000);
  update auth.jeton_rafraichissement j set date_revocation = now() where j.date_revocation is null;
  update auth.jeton_reinitialisation j set date_usage = now() where j.date_usage is null;

  -- The identifiers of accounts created after the backup are not used again: their tokens would open the new accounts.
  if v_dernier > (select coalesce(max(u.id_utilisateur), 0) from auth.utilisateur u) then
    perform setval(pg_get_serial_sequence('auth.utilisateur', 'id_utilisateur'), v_dernier);
  end if;
  return exists (select from auth.utilisateur u where u.actif and auth._administre(u.id_role));
end $$;
comment on function auth._comptes_reprendre(jsonb) is
  'Dans une base restaurée : aucun jeton d''avant ne vaut plus, les comptes fermés depuis la sauvegarde le restent, les mots de passe changés depuis aussi. Null quand la base remplacée est perdue. Vrai s''il reste un administrateur actif.';
