create view evenement.livraison_vue as
select l.id_livraison, l.id_evenement, e.type, l.issue as statut, l.code, l.tentatives, l.duree_ms, l.reponse, l.date,
       l.id_webhook
  from evenement.livraison l
  join evenement.evenement e on e.id_evenement = l.id_evenement;
comment on view evenement.livraison_vue is 'Envois des webhooks.';

create function evenement.livraison_lister(
  p_id_webhook bigint, p_statut evenement.statut_livraison default null, p_sort text default null,
  p_order core.sens default null, p_limit core.limite default 1000, p_offset core.decalage default 0)
returns setof evenement.livraison_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement.webhook_detail(p_id_webhook);
  return query execute core._liste('evenement.livraison_vue', $filtre$
    v.id_webhook = $1 and ($2 is null or v.statut = $2)
  $filtre$, 'v.id_livraison desc', p_sort, p_order, p_limit, p_offset)
  using p_id_webhook, p_statut;
end $$;
comment on function evenement.livraison_lister is
  'Envois d''un webhook des trente derniers jours, le dernier d''abord.';
