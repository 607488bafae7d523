-- The links of an account go to the e-mail address of its client: a user who changes the address can take the account.
-- The former address therefore also gets a notice (sql/client/au_dessus/client_modifier.sql).

create function auth._t20_client_email() returns trigger
language plpgsql as $$
begin
  if exists (select from auth.utilisateur u where u.id_client = new.id_client) then
    if not auth._permise('RESIDENCE.MODIFIER') then
      perform core.refuser(403, 'EMAIL_DU_COMPTE',
        'Ce client a un compte, que son adresse sert à retrouver : la changer demande la permission RESIDENCE.MODIFIER.');
    elsif new.email is not null then
      perform auth._preuve_exiger();
    end if;
  end if;
  return new;
end $$;
comment on function auth._t20_client_email is
  'Refuse de changer l''adresse d''un client qui a un compte sans RESIDENCE.MODIFIER, ou sans connexion ni mot de passe récents : EMAIL_DU_COMPTE, PREUVE_REQUISE.';

create trigger t20_email_du_compte before update of email on client.client
for each row when (new.email is distinct from old.email) execute function auth._t20_client_email();

create function auth._t50_client_email() returns trigger
language plpgsql as $$
begin
  update auth.jeton_reinitialisation j set date_usage = now()
    from auth.utilisateur u
   where u.id_client = new.id_client and j.id_utilisateur = u.id_utilisateur and j.date_usage is null;
  return null;
end $$;
comment on function auth._t50_client_email is 'Les liens envoyés à l''ancienne adresse ne valent plus.';

create trigger t50_client_email after update of email on client.client
for each row when (new.email is distinct from old.email) execute function auth._t50_client_email();
