-- Notifications of requests from the portal. Each table that holds requests has both triggers, and gives them the names
-- that differ: event, title, permission, activity, and the key that `donnees` carries.

create function notification._t90_demande_creee() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    tg_argv[0], 'MEDIUM', tg_argv[1], format('De %s %s.', k.prenoms, k.nom),
    jsonb_build_object(tg_argv[4], to_jsonb(new) ->> tg_argv[4]),
    tg_argv[2], null, facturation._activite(tg_argv[3]), null)
     from client.client k where k.id_client = new.id_client;
  return null;
end $$;
comment on function notification._t90_demande_creee is 'Une demande de l''espace client se signale à ceux qui voient son activité.';

create function notification._t90_demande_suivie() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    tg_argv[0], 'MEDIUM', tg_argv[1],
    case when new.statut::text like 'ANNULE%' then coalesce('Refusée : ' || new.motif_annulation, 'Refusée.')
         else 'Acceptée.' end,
    jsonb_build_object(tg_argv[2], to_jsonb(new) ->> tg_argv[2], 'statut', new.statut),
    null, null, null, u.id_utilisateur)
     from auth.utilisateur u
    where u.id_client = new.id_client and u.id_utilisateur is distinct from core.utilisateur();
  return null;
end $$;
comment on function notification._t90_demande_suivie is 'Le client apprend ce que devient sa demande, sauf s''il l''a lui-même annulée.';
