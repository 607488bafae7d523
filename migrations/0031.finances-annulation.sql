-- Undoing a payment or an invoice: the counter-payment that cancels says so, once; the invoice says why.
-- depends: 0028.residence-bornes

alter table finances.paiement
  add column annulation boolean not null default false,
  add column id_client bigint constraint paiement_client_inconnu references client.client,
  add constraint annulation_d_un_paiement check (not annulation or id_paiement_origine is not null);
create unique index paiement_deja_annule on finances.paiement (id_paiement_origine) where annulation;
create index paiement_id_client on finances.paiement (id_client) where id_client is not null;
comment on column finances.paiement.annulation is
  'Vrai pour le paiement contraire qui annule son origine, saisie par erreur ; faux pour celui qui rend de l''argent.';
comment on column finances.paiement.id_client is
  'Client dont vient l''argent, quand ce paiement dépasse ce qu''il règle et qu''aucune facture ne le dirait ; null sinon.';
comment on constraint paiement_client_inconnu on finances.paiement is 'Ce client n''existe pas.';
comment on constraint annulation_d_un_paiement on finances.paiement is 'Une annulation nomme le paiement qu''elle annule.';
comment on index finances.paiement_deja_annule is 'Ce paiement est déjà annulé.';

alter table facturation.facture add column motif_annulation core.texte;
comment on column facturation.facture.motif_annulation is 'Pourquoi la facture est annulée, écrit avec son annulation ; null tant qu''elle tient.';
