-- Prepaid subscriptions pay laundry orders too: the units that they pay of each line, and the amount of the order.
-- depends: 0052.abonnement-quotas

-- Plain types: a column of a domain with a rule would rewrite the table. No row breaks the rules yet.
alter table pressing.commande_ligne add column couvert numeric(12,3) not null default 0;
alter table pressing.commande_ligne add constraint ligne_couverte_au_plus
  check (couvert between 0 and coalesce(poids_kg, quantite)) not valid;
comment on column pressing.commande_ligne.couvert is
  'Pièces, ou kilogrammes d''une ligne pesée, que paient des abonnements ; fixé quand le linge est reçu.';
comment on constraint ligne_couverte_au_plus on pressing.commande_ligne is 'Les abonnements paient au plus ce que la ligne compte.';

alter table pressing.commande add column montant_couvert numeric(14,2) not null default 0;
alter table pressing.commande add constraint commande_pressing_couverte_au_plus
  check (montant_couvert between 0 and montant_total) not valid;
comment on column pressing.commande.montant_couvert is 'Part du total que paient des abonnements, tenue par un déclencheur.';
comment on constraint commande_pressing_couverte_au_plus on pressing.commande is 'Les abonnements paient le total au plus.';

create domain abonnement.nombre as numeric;
comment on domain abonnement.nombre is 'Unités d''une ligne de commande ; un nombre JSON dans les réponses.';
