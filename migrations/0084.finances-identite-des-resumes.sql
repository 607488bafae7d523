-- These tables have no primary key: the sums of a day without a till have no id_caisse. PostgreSQL replicates their
-- changes by the whole row when an organisation moves (app/organisations/replication.py).
-- depends: 0083.evenement-secrets-chiffres
alter table finances.resume_paiement replica identity full;
alter table finances.resume_depense replica identity full;
alter table facturation.resume_facture replica identity full;
