-- A restored database contains the webhooks of its backup, those removed and redirected since too.

create function evenement._webhooks_reprendre() returns setof text
language sql volatile
begin atomic
  update evenement.webhook w set etat = 'SUSPENDU' where w.etat = 'ACTIF'
  returning format('Webhook %s vers %s : suspendu, à relire puis à remettre en marche.', w.id_webhook, w.url);
end;
comment on function evenement._webhooks_reprendre is
  'Dans une base restaurée : suspend les webhooks, dont certains ont pu être retirés depuis la sauvegarde. Rend ce qui a changé.';
