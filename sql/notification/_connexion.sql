-- A sign-in of an administrator from a new address. auth does not know notifications: the trigger is on its table.

create function notification._t90_connexion_administrateur() returns trigger
language plpgsql volatile as $$
begin
  if auth._administrateur(new.id_utilisateur)
     and exists (select from auth.connexion c
                  where c.id_utilisateur = new.id_utilisateur and c.succes and c.id_connexion <> new.id_connexion)
     and not exists (select from auth.connexion c
                      where c.id_utilisateur = new.id_utilisateur and c.succes and c.id_connexion <> new.id_connexion
                        and c.date > now() - interval '90 days' and c.adresse_ip <<= auth._abonne(new.adresse_ip)) then
    perform notification._emettre(
      'auth.connexion.nouvelle_adresse', 'HIGH', 'Connexion depuis une nouvelle adresse',
      format('Votre compte s''est connecté depuis %s, avec %s. Si ce n''est pas vous, changez de mot de passe.',
             coalesce(host(new.adresse_ip), 'une adresse inconnue'), coalesce(new.agent, 'un appareil inconnu')),
      jsonb_build_object('adresse', host(new.adresse_ip), 'appareil', new.agent), null, null, null, new.id_utilisateur);
  end if;
  return null;
end $$;
comment on function notification._t90_connexion_administrateur is 'Signale à un administrateur une adresse nouvelle.';

create trigger t90_connexion_administrateur after insert on auth.connexion
  for each row when (new.succes) execute function notification._t90_connexion_administrateur();
