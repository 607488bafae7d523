create type evenement.webhook_champs as (url evenement.adresse, types text[], description core.texte, actif boolean);
comment on type evenement.webhook_champs is 'Champs modifiables d''un webhook.';
comment on column evenement.webhook_champs.actif is 'Faux le suspend ; vrai reprend l''envoi où il en était, après une panne aussi.';
call core.peut_etre_null('evenement.webhook_champs', 'description');

create function evenement.webhook_modifier(p_id_webhook bigint, p_champs jsonb) returns evenement.webhook_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v evenement.webhook;
begin
  select * into strict v from evenement.webhook w where w.id_webhook = p_id_webhook for no key update;
  v := jsonb_populate_record(v, p_champs);
  if (p_champs ->> 'actif')::boolean then
    -- The rights of a live account decide on the events. The account that resumes the webhook answers for it.
    if not (select u.actif from auth.utilisateur u where u.id_utilisateur = v.id_utilisateur) then
      v.id_utilisateur := coalesce(core.utilisateur(), v.id_utilisateur);
    end if;
    v.etat := 'ACTIF';
  elsif p_champs ? 'actif' then
    v.etat := 'SUSPENDU';
  end if;
  update evenement.webhook w set (url, types, description, etat, id_utilisateur)
                               = row(v.url, v.types, v.description, v.etat, v.id_utilisateur)
   where w.id_webhook = p_id_webhook;
  return evenement._webhook(p_id_webhook);
end $$;
comment on function evenement.webhook_modifier(bigint, jsonb) is
  'Modifie les champs donnés d''un webhook, le suspend ou le remet en marche.';
call core.peut_refuser('evenement.webhook_modifier', 'NOT_FOUND', 'TYPE_INCONNU', 'WEBHOOK_SANS_TYPE');
