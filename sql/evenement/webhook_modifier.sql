create type evenement.webhook_champs as (url evenement.adresse, types text[], description core.texte, actif boolean);
comment on type evenement.webhook_champs is 'Champs modifiables d''un webhook.';
comment on column evenement.webhook_champs.actif is 'Faux le suspend ; vrai reprend l''envoi où il en était, après une panne aussi.';

create function evenement.webhook_modifier(p_id_webhook bigint, p_champs jsonb) returns evenement.webhook_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v evenement.webhook;
begin
  select * into strict v from evenement.webhook w where w.id_webhook = p_id_webhook for no key update;
  perform evenement.webhook_detail(p_id_webhook);
  if p_champs ->> 'url' <> v.url then
    perform evenement._preuve_exiger(v.id_cle);
  end if;
  v := jsonb_populate_record(v, p_champs);
  if (p_champs ->> 'actif')::boolean then
    -- The rights of a live account or key decide on the events. The account that resumes the webhook answers for it.
    if not evenement._auteur_vaut(v) then
      v.id_utilisateur := coalesce(core.utilisateur(), v.id_utilisateur);
      v.id_cle := core.cle();
    end if;
    v.etat := 'ACTIF';
  elsif p_champs ? 'actif' then
    v.etat := 'SUSPENDU';
  end if;
  update evenement.webhook w set (url, types, description, etat, id_utilisateur, id_cle)
                               = row(v.url, v.types, v.description, v.etat, v.id_utilisateur, v.id_cle)
   where w.id_webhook = p_id_webhook;
  return evenement.webhook_detail(p_id_webhook);
end $$;
comment on function evenement.webhook_modifier is
  'Modifie les champs donnés d''un webhook, le suspend ou le remet en marche.';
