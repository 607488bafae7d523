-- Payment methods.

create view finances.moyen_paiement_vue as
select m.id_moyen, m.libelle::text as libelle, m.actif
  from finances.moyen_paiement m;
comment on view finances.moyen_paiement_vue is 'Moyens de paiement.';
call core.jamais_null('finances.moyen_paiement_vue', 'libelle');
