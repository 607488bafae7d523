create function evenement.webhook_rejouer(p_id_webhook bigint, p_apres bigint) returns evenement.webhook_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement.webhook_detail(p_id_webhook);
  update evenement.webhook_suite s
     set (jusqu_a, tentatives, date_echec, date_essai)
       = row(least(greatest(p_apres, 0), evenement._dernier()), 0, null, null)
   where s.id_webhook = p_id_webhook;
  return evenement.webhook_detail(p_id_webhook);
end $$;
comment on function evenement.webhook_rejouer is
  'Envoie de nouveau tous les événements qui suivent « apres », dans l''ordre et sous les mêmes identifiants ; plus loin que le présent, rien n''est laissé de côté.';
