create function evenement.webhook_secret_changer(p_id_webhook bigint, p_chiffre text)
returns evenement.webhook_secret_montre
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from evenement.webhook w where w.id_webhook = p_id_webhook for no key update;
  perform evenement._preuve_exiger((evenement.webhook_detail(p_id_webhook)).id_cle);
  delete from evenement.webhook_secret s where s.id_webhook = p_id_webhook and s.date_expiration < now();
  update evenement.webhook_secret s set date_expiration = now() + interval '1 day'
   where s.id_webhook = p_id_webhook and s.date_expiration is null;
  return evenement._secret_donner(p_id_webhook, p_chiffre);
end $$;
comment on function evenement.webhook_secret_changer is
  'Donne une nouvelle clé à un webhook, montrée cette fois seulement ; pendant un jour, l''ancienne signe encore les envois à côté d''elle.';
