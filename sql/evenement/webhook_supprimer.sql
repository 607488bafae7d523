call core.retrait('evenement.webhook_supprimer', 'evenement.webhook_detail', 'delete from evenement.webhook');
comment on function evenement.webhook_supprimer is 'Supprime un webhook, sa clé et la liste de ses envois.';
