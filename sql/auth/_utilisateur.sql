-- The views of accounts, and the rules between their fields. No function of this file reads auth.secret.

create view auth.utilisateur_vue as
select u.id_utilisateur, u.nom, u.prenom, u.login, u.email, u.id_role, u.id_activite_scope, u.actif, u.date_creation,
       u.dernier_connexion, u.id_client, a.id_caisse, r.code as role
  from auth.utilisateur u
  join auth.role r on r.id_role = u.id_role
  left join finances.affectation_caisse a on a.id_utilisateur = u.id_utilisateur;
comment on view auth.utilisateur_vue is 'Comptes, sans leur mot de passe.';
comment on column auth.utilisateur_vue.id_caisse is 'Caisse imposée au compte, null s''il n''en a pas.';
comment on column auth.utilisateur_vue.role is 'Code du rôle.';
call core.peut_etre_null('auth.utilisateur_vue', 'id_caisse');

create function auth._nom(p_id_utilisateur bigint) returns text
language sql stable
return (select coalesce(nullif(concat_ws(' ', u.prenom, u.nom), ''), u.login)
          from auth.utilisateur u where u.id_utilisateur = p_id_utilisateur);
comment on function auth._nom is 'Prénom et nom d''un compte pour un document, son login s''il n''en a pas.';

-- A reader of the former mailbox must no longer be able to choose a password.
create function auth._t50_utilisateur_adresse() returns trigger
language plpgsql as $$
begin
  update auth.jeton_reinitialisation j set date_usage = now()
   where j.id_utilisateur = new.id_utilisateur and j.date_usage is null;
  return null;
end $$;
comment on function auth._t50_utilisateur_adresse is 'Les liens envoyés à l''ancienne adresse ne valent plus.';

create trigger t50_utilisateur_adresse after update of email on auth.utilisateur
for each row when (old.email is distinct from new.email) execute function auth._t50_utilisateur_adresse();

create view auth.connexion_vue as
select c.id_connexion, c.id_utilisateur, c.date, c.succes, host(c.adresse_ip) as adresse_ip, c.agent,
       c.code_faux
  from auth.connexion c;
comment on view auth.connexion_vue is 'Connexions réussies et échouées des comptes.';
comment on column auth.connexion_vue.agent is 'Logiciel annoncé par l''appareil.';

create function auth._mot_de_passe_poser(p_id_utilisateur bigint, p_mot_de_passe auth.mot_de_passe) returns void
language sql volatile
begin atomic
  insert into auth.secret (id_utilisateur, mot_de_passe) values (p_id_utilisateur, p_mot_de_passe)
  on conflict (id_utilisateur) do update set mot_de_passe = excluded.mot_de_passe, date_maj = now();
end;
comment on function auth._mot_de_passe_poser is 'Donne son mot de passe à un compte, ce qui met fin à ses sessions.';

create function auth._caisse_affecter(p_id_utilisateur bigint, p_id_caisse bigint) returns void
language plpgsql volatile as $$
begin
  if p_id_caisse is null then
    delete from finances.affectation_caisse a where a.id_utilisateur = p_id_utilisateur;
  else
    insert into finances.affectation_caisse (id_utilisateur, id_caisse) values (p_id_utilisateur, p_id_caisse)
    on conflict (id_utilisateur) do update set id_caisse = excluded.id_caisse;
  end if;
end $$;
comment on function auth._caisse_affecter is 'Impose une caisse à un compte, ou la lui retire.';
-- An operation gives the till.
call core.peut_refuser('auth._caisse_affecter', 'AFFECTATION_CAISSE_INCONNUE');

-- The role and activity are in one table, the till in another: the operations that write them check the result.
create function auth._perimetre_verifier(p_id_utilisateur bigint) returns void
language plpgsql stable as $$
declare
  v record;
begin
  select u.role, u.id_caisse, u.id_activite_scope, c.id_activite into strict v
    from auth.utilisateur_vue u
    left join finances.caisse c on c.id_caisse = u.id_caisse
   where u.id_utilisateur = p_id_utilisateur;
  if v.role = 'CAISSIER' and v.id_caisse is null and v.id_activite_scope is null then
    perform core.refuser(400, 'PERIMETRE_CAISSIER_REQUIS',
      'Un caissier est limité à une activité ou à une caisse : donnez-lui l''une ou l''autre.');
  elsif v.id_activite <> v.id_activite_scope then
    perform core.refuser(409, 'CAISSE_HORS_ACTIVITE',
      'La caisse du compte n''appartient pas à l''activité à laquelle il est limité.');
  end if;
end $$;
comment on function auth._perimetre_verifier is 'Refuse un compte dont rôle, activité et caisse se contredisent.';
