-- Reports: a schema of code alone, and the indexes by which summaries and the reading of the journal stay quick.
-- depends: 0017.rh-personnel 0018.residence-portail-rls

create schema rapports;
comment on schema rapports is 'Rapports et tableaux de bord, les mêmes chiffres par l''API et en SQL.';

create index facture_jour_activite on facturation.facture (jour, id_activite) include (montant_total) where not annulee;

create index journal_module on audit.journal (module, date_heure desc, id_trace desc);
create index journal_adresse_ip on audit.journal (host(adresse_ip), date_heure desc, id_trace desc);
create index journal_suppression on audit.journal (date_heure desc, id_trace desc) where operation = 'DELETE';
