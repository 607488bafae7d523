-- A payment that settles one invoice with its whole amount names the invoice. finances.application_paiement keeps the
-- parts of the other payments, and all rows written before.
-- depends: 0087.facturation-sommes-ecrites
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint -- the new column is empty: no row is read
-- squawk-ignore-file require-concurrent-index-creation -- the new code reads the index from its first settlement on

alter table finances.paiement
  add column id_facture bigint constraint paiement_facture_inconnue references facturation.facture
                               deferrable initially deferred;
create index paiement_de_facture on finances.paiement (id_facture) include (montant, type) where id_facture is not null;
comment on column finances.paiement.id_facture is
  'Facture que tout le montant règle ; null d''un paiement qui n''en règle aucune, ou dont les parts sont dans application_paiement.';
comment on constraint paiement_facture_inconnue on finances.paiement is 'Cette facture n''existe pas.';
comment on table finances.application_paiement is
  'Part d''un paiement qui règle une facture, quand il n''en nomme aucune ; négative pour un paiement contraire. Celle d''une nouvelle facture est écrite juste avant elle.';
